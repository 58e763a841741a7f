import { randomUUID } from 'node:crypto';
import type { NextAuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { LoginRequest } from '@/contract/session';
import type { CallHeaders } from '../api/call-headers';
import { clientAddress } from '../api/address';
import { Problem, unauthorized } from '../api/problem';
import { userAgentOf } from '../api/steps/record';
import { prisma } from '../db/client';
import { log } from '../log';
import { runtime } from '../runtime';
import { personEntries, record } from './audit';
import { cookieSecret, SESSION_COOKIE } from './browser-session';
import { login, type SignedIn } from './login';
import { callerFromSession, endSession, type ClientFacts } from './session';
import { SESSION_SECONDS } from './tokens';

declare module 'next-auth' {
  interface User {
    sessionId: string;
  }
}

/**
 * What next-auth does for a browser at one request: sign in with email and password, keep the cookie, sign out.
 * `onSignedIn` hears of a password that was right.
 */
export function browserLogin(headers: CallHeaders, onSignedIn: (email: string) => void): NextAuthOptions {
  const { env } = runtime();
  const client = {
    headers,
    ipAddress: clientAddress(headers, env.trustProxy),
    userAgent: userAgentOf(headers),
    requestId: `req_${randomUUID()}`,
  };
  const isSecure = env.apiBaseUrl.startsWith('https:');
  return {
    secret: cookieSecret(),
    useSecureCookies: isSecure,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    cookies: {
      sessionToken: {
        name: SESSION_COOKIE,
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      },
    },
    pages: { signIn: '/login', signOut: '/login', error: '/login' },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, mfaCode: {} },
        authorize: async (given) => {
          const { userId, ...signedIn } = await signIn(given, client).catch(refuse);
          onSignedIn(signedIn.email);
          return { id: userId, ...signedIn };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, sessionId: user.sessionId } : token),
    },
    events: {
      signOut: ({ token }) => signOut(token.sessionId, client),
    },
  };
}

/** What the form sends, held to what the REST door takes. */
const Form = z.object(LoginRequest.shape);

async function signIn(
  given: Record<string, unknown> | undefined,
  client: ClientFacts & { headers: CallHeaders },
): Promise<SignedIn> {
  const form = Form.safeParse({ ...given, mfaCode: given?.mfaCode || undefined });
  if (form.error) throw unauthorized('Email or password is wrong.');
  const { email, password, mfaCode } = form.data;
  return login(email, password, client, mfaCode);
}

/**
 * next-auth hands the message of an error, and nothing else, to the sign-in form: `<code>` or `<code>:<seconds>`;
 * `MFA_REQUIRED` where only the second factor is missing, `MFA_WRONG` where it is wrong.
 */
function refuse(error: unknown): never {
  if (!(error instanceof Problem)) {
    log().error({ err: error }, 'a sign-in failed');
    throw new Error('INTERNAL_ERROR');
  }
  const [detail] = error.details;
  if (detail?.field === 'mfaCode') throw new Error(detail.message === 'is required' ? 'MFA_REQUIRED' : 'MFA_WRONG');
  const seconds = error.headers['Retry-After'];
  throw new Error(seconds ? `${error.code}:${seconds}` : error.code);
}

async function signOut(sessionId: unknown, client: ClientFacts): Promise<void> {
  const standing = typeof sessionId === 'string' ? await callerFromSession(sessionId) : null;
  if (typeof sessionId !== 'string' || !standing) return;
  const { userId, email } = standing.person;
  const entry = { category: 'authentication', action: 'auth.logout', result: 'success' } as const;
  await prisma().$transaction(async (db) => {
    await endSession(db, sessionId);
    await record(db, await personEntries(db, { userId, email }, entry, client));
  });
}
