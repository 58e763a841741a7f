import { encode } from 'next-auth/jwt';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import type { AssertedPerson } from './external-identity';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from '@/server/people/auth/browser-session';
import { issueLoginTokens } from '@/server/people/auth/login';
import { expiredAttemptCookie, type SsoAttempt } from './attempts';
import { requireProvenDomain } from './person';
import { storeSignInResult, type IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';
import { requireAdmittedEmail, recordSsoRefusal, signInWithProvider, type SsoClient, type SsoSession } from './sign-in';
import { SESSION_LIFETIME_SECONDS } from '@/server/people/auth/tokens';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/** A redirect with cookies. */
export function redirectResponse(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Referrer-Policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** The browser's session, in the same cookie as after a sign-in with a password. */
async function sealSessionCookie({ sessionId, userId }: SsoSession): Promise<string> {
  const value = await encode({
    token: { sub: userId, sessionId },
    secret: sessionCookieSecret(),
    maxAge: SESSION_LIFETIME_SECONDS,
  });
  const secure = getRuntime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE_NAME}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_LIFETIME_SECONDS}${secure}`;
}

/** Browsers are redirected to the sign-in page with the reason; programs get the documented error. */
function acceptsHtml(headers: CallHeaders): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}

/**
 * The end of a sign-in: `prove` returns the identity that the provider asserts. Returns the session, the tokens or the
 * report that was requested at the start. Throws SsoRefusal for programs; browsers are redirected to the sign-in page.
 */
export async function concludeSignIn(
  provider: IdentityProvider,
  attempt: SsoAttempt,
  call: SsoClient & { headers: CallHeaders },
  prove: () => Promise<AssertedPerson>,
): Promise<Response> {
  const forget = expiredAttemptCookie(attempt.id);
  const noStore = { 'Set-Cookie': forget };
  try {
    const asserted = await prove();
    if (attempt.response === 'test')
      return Response.json(await reportTestSignIn(provider, asserted), { headers: noStore });
    const session = await signInWithProvider(provider, asserted, call);
    await storeSignInResult(provider, { isOk: true, reason: null, claims: asserted.claims });
    if (attempt.response === 'session')
      return redirectResponse(attempt.returnTo, await sealSessionCookie(session), forget);
    return Response.json(await issueLoginTokens(prismaClient(), session.sessionId, session.userId), {
      headers: noStore,
    });
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    await recordSsoRefusal(provider, error, call);
    if (attempt.response === 'test') {
      return Response.json({ isOk: false, reason: error.message, claims: error.claims }, { headers: noStore });
    }
    if (attempt.response === 'token' || !acceptsHtml(call.headers)) throw error;
    return redirectResponse(`/login?sso=${error.reason}`, forget);
  }
}

/** The result that a sign-in would have, without signing in. */
async function reportTestSignIn(provider: IdentityProvider, asserted: AssertedPerson) {
  await requireProvenDomain(prismaClient(), provider, requireAdmittedEmail(provider, asserted), asserted);
  await storeSignInResult(provider, { isOk: true, reason: null, claims: asserted.claims });
  return { isOk: true, reason: null, claims: asserted.claims };
}

/** A provider's answer that belongs to no pending sign-in of this browser. */
export function unsolicitedResponse(headers: CallHeaders): Response {
  if (acceptsHtml(headers)) return redirectResponse('/login?sso=expired');
  throw new SsoRefusal(
    'expired',
    'This answer belongs to no pending sign-in of this browser, or the sign-in has expired. Start again.',
  );
}
