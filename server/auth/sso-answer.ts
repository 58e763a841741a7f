import { encode } from 'next-auth/jwt';
import type { CallHeaders } from '../api/call-headers';
import { prisma } from '../db/client';
import { runtime } from '../runtime';
import type { Asserted } from './asserted';
import { cookieSecret, SESSION_COOKIE } from './browser-session';
import { issueTokens } from './login';
import { forgetCookie, type Attempt } from './sso-attempt';
import { keepOutcome, type Provider } from './sso-provider';
import { SsoRefusal } from './sso-refusal';
import { admitted, recordRefusal, signIn, type SsoClient, type SsoSession } from './sso-sign-in';
import { SESSION_SECONDS } from './tokens';

/** A redirect with cookies. */
export function redirect(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Referrer-Policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** The browser's session, in the same cookie that a sign-in with a password gives. */
async function sessionCookie({ sessionId, userId }: SsoSession): Promise<string> {
  const value = await encode({ token: { sub: userId, sessionId }, secret: cookieSecret(), maxAge: SESSION_SECONDS });
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_SECONDS}${secure}`;
}

/** People in a browser are sent to the sign-in page, which says what went wrong; programs get the documented error. */
function wantsPage(headers: CallHeaders): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}

/**
 * The end of a sign-in: `prove` says whom the provider asserts. Answers the session, the tokens or the report that was
 * asked for at the start. Throws SsoRefusal for programs; people are sent back to the sign-in page.
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

/** What a sign-in would have come to; nobody is signed in. */
async function report(provider: Provider, asserted: Asserted) {
  admitted(provider, asserted);
  await keepOutcome(provider, { isOk: true, reason: null, claims: asserted.claims });
  return { isOk: true, reason: null, claims: asserted.claims };
}

/** An answer of a provider that belongs to no sign-in of this browser. */
export function unsolicited(headers: CallHeaders): Response {
  if (wantsPage(headers)) return redirect('/login?sso=expired');
  throw new SsoRefusal('expired', 'This answers no sign-in that this browser began, or it took too long. Begin again.');
}
