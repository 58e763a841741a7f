import { createHash, createHmac, randomBytes } from 'node:crypto';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { findCookie } from '@/server/people/auth/cookies';
import type { CallHeaders } from '@/server/platform/messages/client-address';

const ATTEMPT_LIFETIME_SECONDS = 600;

/** The kind of sign-in: a browser session, login tokens for a script, or a report for the administrator. */
export type SsoResponseType = 'session' | 'token' | 'test';

/** A pending sign-in. Secrets shared with the provider are derived from the secret in the browser's cookie. */
export interface SsoAttempt {
  id: string;
  providerId: string;
  returnTo: string;
  response: SsoResponseType;
  /** OAuth 2.0: the PKCE verifier; OpenID Connect: the nonce; SAML: the id of our request. */
  verifier: string;
  nonce: string;
  requestId: string;
}

const deriveAttemptSecret = (secret: string, word: string) =>
  createHmac('sha256', secret).update(word).digest('base64url');
const hashAttemptSecret = (secret: string) => createHash('sha256').update(secret).digest('hex');
const ATTEMPT_ID_PATTERN = /^[\w-]{43}$/;
const attemptCookieName = (id: string) => `weft.sso.${id.slice(0, 12)}`;

const toSsoAttempt = (
  secret: string,
  row: { id: string; providerId: string; returnTo: string; response: string },
): SsoAttempt => ({
  ...row,
  response: row.response as SsoResponseType,
  verifier: deriveAttemptSecret(secret, 'verifier'),
  nonce: deriveAttemptSecret(secret, 'nonce'),
  // XML ids must not begin with a digit.
  requestId: `_${hashAttemptSecret(`${secret} request`)}`,
});

/** Begins a sign-in: returns it and the cookie that ties it to this browser. */
export async function beginSsoAttempt(
  parameters: Pick<SsoAttempt, 'providerId' | 'returnTo' | 'response'>,
): Promise<{ attempt: SsoAttempt; cookie: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + ATTEMPT_LIFETIME_SECONDS * 1000);
  await prismaClient().ssoAttempt.create({
    data: { id, ...parameters, browserHash: hashAttemptSecret(secret), expiresAt },
  });
  return {
    attempt: toSsoAttempt(secret, { id, ...parameters }),
    cookie: attemptCookie(id, secret, ATTEMPT_LIFETIME_SECONDS),
  };
}

/** The cookie: sent to this host's sign-in addresses only, not readable by scripts. */
function attemptCookie(id: string, value: string, maxAge: number): string {
  const secure = getRuntime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return `${attemptCookieName(id)}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

export const expiredAttemptCookie = (id: string) => attemptCookie(id, '', 0);

/** Whether a request contains the cookie of an attempt. */
export const hasAttemptCookie = (id: string, headers: CallHeaders): boolean =>
  findCookie(headers, attemptCookieName(id)) !== undefined;

/**
 * The sign-in that a provider's answer belongs to: once, before it expires, and only in the browser that began it.
 * Otherwise null; another browser cannot use it up.
 */
export async function takeSsoAttempt(id: string, headers: CallHeaders): Promise<SsoAttempt | null> {
  const secret = ATTEMPT_ID_PATTERN.test(id) ? findCookie(headers, attemptCookieName(id)) : undefined;
  if (!secret) return null;
  const { rows } = await databasePool().query<{ id: string; providerId: string; returnTo: string; response: string }>(
    `DELETE FROM sso_attempt WHERE id = $1 AND browser_hash = $2 AND expires_at > now()
     RETURNING id, provider_id AS "providerId", return_to AS "returnTo", response`,
    [id, hashAttemptSecret(secret)],
  );
  const [row] = rows;
  return row ? toSsoAttempt(secret, row) : null;
}

/** The path to redirect to after the sign-in: on this host only; null for anything that could lead elsewhere. */
export function safeReturnPath(returnTo: string): string | null {
  const base = new URL(getRuntime().env.apiBaseUrl);
  if (!/^\/(?![/\\])/.test(returnTo) || /[\u0000-\u001f\\]/.test(returnTo) || !URL.canParse(returnTo, base))
    return null;
  const url = new URL(returnTo, base);
  return url.origin === base.origin ? `${url.pathname}${url.search}${url.hash}` : null;
}
