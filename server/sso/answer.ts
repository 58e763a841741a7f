import { encode } from 'next-auth/jwt';
import { prisma } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import type { Asserted } from './external-identity';
import { cookieSecret, SESSION_COOKIE } from '@/server/auth/browser-session';
import { issueTokens } from '@/server/auth/login';
import { forgetCookie, type Attempt } from './attempts';
import { requireVerified } from './person';
import { keepOutcome, type Provider } from './provider';
import { SsoRefusal } from './refusal';
import { admitted, recordRefusal, signIn, type SsoClient, type SsoSession } from './sign-in';
import { SESSION_SECONDS } from '@/server/auth/tokens';
import type { CallHeaders } from '@/server/client-address';

/** A redirect with cookies. */
export function redirect(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Referrer-Policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** The browser's session, in the same cookie as after a sign-in with a password. */
async function sessionCookie({ sessionId, userId }: SsoSession): Promise<string> {
  const value = await encode({ token: { sub: userId, sessionId }, secret: cookieSecret(), maxAge: SESSION_SECONDS });
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_SECONDS}${secure}`;
}

/** Browsers are redirected to the sign-in page with the reason; programs get the documented error. */
function wantsPage(headers: CallHeaders): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}

/**
 * The end of a sign-in: `prove` returns the identity that the provider asserts. Returns the session, the tokens or the report that was
 * requested at the start. Throws SsoRefusal for programs; browsers are redirected to the sign-in page.
 */
export async function conclude(
  provider: Provider,
  attempt: Attempt,
  call: SsoClient & { headers: CallHeaders },
  prove: () => Promise<Asserted>,
): Promise<Response> {
  const forget = forgetCookie(attempt.id);
  const noStore = { 'Set-Cookie': forget };
  try {
    const asserted = await prove();
    if (attempt.response === 'test') return Response.json(await report(provider, asserted), { headers: noStore });
    const session = await signIn(provider, asserted, call);
    await keepOutcome(provider, { isOk: true, reason: null, claims: asserted.claims });
    if (attempt.response === 'session') return redirect(attempt.returnTo, await sessionCookie(session), forget);
    return Response.json(await issueTokens(prisma(), session.sessionId, session.userId), { headers: noStore });
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    await recordRefusal(provider, error, call);
    if (attempt.response === 'test') {
      return Response.json({ isOk: false, reason: error.message, claims: error.claims }, { headers: noStore });
    }
    if (attempt.response === 'token' || !wantsPage(call.headers)) throw error;
    return redirect(`/login?sso=${error.reason}`, forget);
  }
}

/** The result that a sign-in would have, without signing in. */
async function report(provider: Provider, asserted: Asserted) {
  await requireVerified(prisma(), provider, admitted(provider, asserted), asserted);
  await keepOutcome(provider, { isOk: true, reason: null, claims: asserted.claims });
  return { isOk: true, reason: null, claims: asserted.claims };
}

/** A provider's answer that belongs to no pending sign-in of this browser. */
export function unsolicited(headers: CallHeaders): Response {
  if (wantsPage(headers)) return redirect('/login?sso=expired');
  throw new SsoRefusal(
    'expired',
    'This answer belongs to no pending sign-in of this browser, or the sign-in has expired. Start again.',
  );
}
