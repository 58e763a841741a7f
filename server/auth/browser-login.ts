import type { NextAuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { LoginRequest } from '@/contract/access/session';
import { unauthorized, type Problem } from '@/server/errors/problem';
import { prisma } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { personEntries, record } from '@/server/audit/record';
import { cookieSecret, SESSION_COOKIE } from './browser-session';
import { defaultOf } from './default-export';
import { login, type SignedIn } from './login';
import { callerFromSession, endSession } from './session';
import { SESSION_SECONDS } from './tokens';
import type { ClientFacts } from '@/server/audit/entry';
import type { CallHeaders } from '@/server/client-address';

declare module 'next-auth' {
  interface User {
    sessionId: string;
  }
}

/** The outcome of a sign-in. next-auth itself returns only a redirect address. */
export interface Heard {
  signedIn(email: string): void;
  /** Returns what the caller may read. */
  onRefusal(error: unknown): Problem;
}

/** next-auth for one browser request: sign-in with email and password, the session cookie, sign-out. */
export function browserLogin(client: ClientFacts & { headers: CallHeaders }, onOutcome: Heard): NextAuthOptions {
  const { env } = runtime();
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
      defaultOf(Credentials)({
        credentials: { email: {}, password: {}, mfaCode: {} },
        authorize: async (credentials) => {
          const { userId, ...signedIn } = await signIn(credentials, client).catch((error: unknown) => {
            throw new Error(wordOf(onOutcome.onRefusal(error)));
          });
          onOutcome.signedIn(signedIn.email);
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

/** Validates the form with the same rules as the REST operation. */
const Form = z.object(LoginRequest.shape);

async function signIn(
  form: Record<string, unknown> | undefined,
  client: ClientFacts & { headers: CallHeaders },
): Promise<SignedIn> {
  const parsed = Form.safeParse({ ...form, mfaCode: form?.mfaCode || undefined });
  if (parsed.error) throw unauthorized('Email or password is wrong.');
  const { email, password, mfaCode } = parsed.data;
  return login(email, password, client, mfaCode);
}

/**
 * next-auth passes only an error's message to the sign-in form: `<code>`, `<code>:<seconds>`, or `UNAVAILABLE:<seconds>:<reason>` while nobody can
 * sign in; `MFA_REQUIRED` if only the second factor is missing, `MFA_WRONG` if it is wrong.
 */
function wordOf({ status, code, message, details: [detail], headers }: Problem): string {
  if (detail?.field === 'mfaCode') return detail.message === 'is required' ? 'MFA_REQUIRED' : 'MFA_WRONG';
  const seconds = headers['Retry-After'];
  if (status === 503) return `UNAVAILABLE:${seconds ?? ''}:${message}`;
  return seconds ? `${code}:${seconds}` : code;
}

async function signOut(sessionId: unknown, client: ClientFacts): Promise<void> {
  const standing = typeof sessionId === 'string' ? await callerFromSession(sessionId) : null;
  if (typeof sessionId !== 'string' || !standing) return;
  const { userId, email, onlyWorkspaceId } = standing.person;
  const entry = { category: 'authentication', action: 'auth.logout', result: 'success' } as const;
  await prisma().$transaction(async (db) => {
    await endSession(db, sessionId);
    await record(db, await personEntries(db, { userId, email, onlyWorkspaceId }, entry, client));
  });
}
