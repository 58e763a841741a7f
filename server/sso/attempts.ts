import { createHash, createHmac, randomBytes } from 'node:crypto';
import { pool, prisma } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { cookieNamed } from '@/server/auth/cookies';
import type { CallHeaders } from '@/server/client-address';

const LIFETIME_SECONDS = 600;

/** The kind of sign-in: a browser session, login tokens for a script, or a report for the administrator. */
export type SsoResponse = 'session' | 'token' | 'test';

/** A pending sign-in. Secrets shared with the provider are derived from the secret in the browser's cookie. */
export interface Attempt {
  id: string;
  providerId: string;
  returnTo: string;
  response: SsoResponse;
  /** OAuth 2.0: the PKCE verifier; OpenID Connect: the nonce; SAML: the id of our request. */
  verifier: string;
  nonce: string;
  requestId: string;
}

const derive = (secret: string, word: string) => createHmac('sha256', secret).update(word).digest('base64url');
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const ID = /^[\w-]{43}$/;
const cookieOf = (id: string) => `weft.sso.${id.slice(0, 12)}`;

const attemptOf = (
  secret: string,
  row: { id: string; providerId: string; returnTo: string; response: string },
): Attempt => ({
  ...row,
  response: row.response as SsoResponse,
  verifier: derive(secret, 'verifier'),
  nonce: derive(secret, 'nonce'),
  // XML ids must not begin with a digit.
  requestId: `_${hashOf(`${secret} request`)}`,
});

/** Begins a sign-in: returns it and the cookie that ties it to this browser. */
export async function beginAttempt(
  parameters: Pick<Attempt, 'providerId' | 'returnTo' | 'response'>,
): Promise<{ attempt: Attempt; cookie: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + LIFETIME_SECONDS * 1000);
  await prisma().ssoAttempt.create({ data: { id, ...parameters, browserHash: hashOf(secret), expiresAt } });
  return { attempt: attemptOf(secret, { id, ...parameters }), cookie: cookieText(id, secret, LIFETIME_SECONDS) };
}

/** The cookie: sent to this host's sign-in addresses only, not readable by scripts. */
function cookieText(id: string, value: string, maxAge: number): string {
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieOf(id)}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

export const forgetCookie = (id: string) => cookieText(id, '', 0);

/** Whether a request contains the cookie of an attempt. */
export const bringsCookie = (id: string, headers: CallHeaders): boolean =>
  cookieNamed(headers, cookieOf(id)) !== undefined;

/**
 * The sign-in that a provider's answer belongs to: once, before it expires, and only in the browser that began it. Otherwise null; another
 * browser cannot use it up.
 */
export async function takeAttempt(id: string, headers: CallHeaders): Promise<Attempt | null> {
  const secret = ID.test(id) ? cookieNamed(headers, cookieOf(id)) : undefined;
  if (!secret) return null;
  const { rows } = await pool().query<{ id: string; providerId: string; returnTo: string; response: string }>(
    `DELETE FROM sso_attempt WHERE id = $1 AND browser_hash = $2 AND expires_at > now()
     RETURNING id, provider_id AS "providerId", return_to AS "returnTo", response`,
    [id, hashOf(secret)],
  );
  const [row] = rows;
  return row ? attemptOf(secret, row) : null;
}

/** The path to redirect to after the sign-in: on this host only; null for anything that could lead elsewhere. */
export function safeReturn(returnTo: string): string | null {
  const base = new URL(runtime().env.apiBaseUrl);
  if (!/^\/(?![/\\])/.test(returnTo) || /[\u0000-\u001f\\]/.test(returnTo) || !URL.canParse(returnTo, base))
    return null;
  const url = new URL(returnTo, base);
  return url.origin === base.origin ? `${url.pathname}${url.search}${url.hash}` : null;
}
