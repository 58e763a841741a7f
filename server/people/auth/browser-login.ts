import type { NextAuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { LoginRequest } from '@/contract/access/session';
import { unauthorizedProblem, type ApiProblem } from '@/server/platform/errors/problem';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { personAuditEntries, appendAuditEntries } from '@/server/people/audit/record';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from './browser-session';
import { unwrapDefaultExport } from './default-export';
import { signInWithPassword, type SignInResult } from './login';
import { findSessionCaller, endLoginSession } from './session';
import { SESSION_LIFETIME_SECONDS } from './tokens';
import type { ClientInfo } from '@/server/people/audit/entry';
import type { CallHeaders } from '@/server/platform/messages/client-address';

declare module 'next-auth' {
  interface User {
    sessionId: string;
  }
}

/** The outcome of a sign-in. next-auth itself returns only a redirect address. */
export interface SignInListener {
  signedIn(email: string): void;
  /** Returns what the caller may read. */
  onRefusal(error: unknown): ApiProblem;
}

/** next-auth for one browser request: sign-in with email and password, the session cookie, sign-out. */
export function browserAuthOptions(
  client: ClientInfo & { headers: CallHeaders },
  onOutcome: SignInListener,
): NextAuthOptions {
  const { env } = getRuntime();
  const isSecure = env.apiBaseUrl.startsWith('https:');
  return {
    secret: sessionCookieSecret(),
    useSecureCookies: isSecure,
    session: { strategy: 'jwt', maxAge: SESSION_LIFETIME_SECONDS },
    cookies: {
      sessionToken: {
        name: SESSION_COOKIE_NAME,
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      },
    },
    pages: { signIn: '/login', signOut: '/login', error: '/login' },
    providers: [
      unwrapDefaultExport(Credentials)({
        credentials: { email: {}, password: {}, mfaCode: {} },
        authorize: async (credentials) => {
          const { userId, ...signedIn } = await signInFromForm(credentials, client).catch((error: unknown) => {
            throw new Error(signInErrorCode(onOutcome.onRefusal(error)));
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
      signOut: ({ token }) => signOutBrowser(token.sessionId, client),
    },
  };
}

/** Validates the form with the same rules as the REST operation. */
const SignInFormSchema = z.object(LoginRequest.shape);

async function signInFromForm(
  form: Record<string, unknown> | undefined,
  client: ClientInfo & { headers: CallHeaders },
): Promise<SignInResult> {
  const parsed = SignInFormSchema.safeParse({ ...form, mfaCode: form?.mfaCode || undefined });
  if (parsed.error) throw unauthorizedProblem('Email or password is wrong.');
  const { email, password, mfaCode } = parsed.data;
  return signInWithPassword(email, password, client, mfaCode);
}

/**
 * next-auth passes only an error's message to the sign-in form: `<code>`, `<code>:<seconds>`, or
 * `UNAVAILABLE:<seconds>:<reason>` while nobody can sign in; `MFA_REQUIRED` if only the second factor is missing,
 * `MFA_WRONG` if it is wrong.
 */
function signInErrorCode({ status, code, message, details: [detail], headers }: ApiProblem): string {
  if (detail?.field === 'mfaCode') return detail.message === 'is required' ? 'MFA_REQUIRED' : 'MFA_WRONG';
  const seconds = headers['Retry-After'];
  if (status === 503) return `UNAVAILABLE:${seconds ?? ''}:${message}`;
  return seconds ? `${code}:${seconds}` : code;
}

async function signOutBrowser(sessionId: unknown, client: ClientInfo): Promise<void> {
  const standing = typeof sessionId === 'string' ? await findSessionCaller(sessionId) : null;
  if (typeof sessionId !== 'string' || !standing) return;
  const { userId, email, onlyWorkspaceId } = standing.person;
  const entry = { category: 'authentication', action: 'auth.logout', result: 'success' } as const;
  await prismaClient().$transaction(async (db) => {
    await endLoginSession(db, sessionId);
    await appendAuditEntries(db, await personAuditEntries(db, { userId, email, onlyWorkspaceId }, entry, client));
  });
}
