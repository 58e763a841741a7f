import { decode } from 'next-auth/jwt';
import { getRuntime } from '@/server/platform/runtime';
import { findCookie } from './cookies';
import { firstUnderAnySecret } from '@/server/platform/db/signing';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/** The cookie that keeps a browser signed in: encrypted, HttpOnly, containing only the id of a login session. */
export const SESSION_COOKIE_NAME = 'weft.session';

/** next-auth derives its key from this value; the prefix separates it from the key of access tokens. */
export const sessionCookieSecret = (secret = getRuntime().env.jwtSecret) => `browser-session:${secret}`;

/**
 * The id of the login session in a browser's cookie; null without a valid cookie, or if another site sent the request.
 * `method`: of the request. The caller checks in the session table whether the session is still open.
 */
export async function readBrowserSessionId(headers: CallHeaders, method: string): Promise<string | null> {
  const token = findCookie(headers, SESSION_COOKIE_NAME);
  if (!token || !isSameOriginRequest(headers, method)) return null;
  return firstUnderAnySecret((secret) => decryptSessionCookie(token, secret));
}

async function decryptSessionCookie(token: string, secret: string): Promise<string | null> {
  try {
    const payload = await decode({ token, secret: sessionCookieSecret(secret) });
    return typeof payload?.sessionId === 'string' ? payload.sessionId : null;
  } catch {
    // The cookie is foreign, expired, or encrypted under another key: there is no session.
    return null;
  }
}

/**
 * CSRF protection: browsers attach cookies to every request, so a request from a foreign page must be refused. Browsers
 * send Sec-Fetch-Site on secure origins and Origin elsewhere; clients that send neither are not controlled by a page. A
 * followed link is a navigation that reads, and is accepted. A form posted by another origin is a navigation as well,
 * and is refused: SameSite=Lax stops it only if that origin belongs to another site, not to another subdomain or port.
 */
export function isSameOriginRequest(headers: CallHeaders, method: string): boolean {
  const site = headers.get('sec-fetch-site');
  const isRead = method === 'GET' || method === 'HEAD';
  if (site === 'same-origin' || site === 'none') return true;
  if (site) return isRead && headers.get('sec-fetch-mode') === 'navigate';
  const origin = headers.get('origin');
  if (!origin) return true;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  return host === headers.get('host') || host === new URL(getRuntime().env.apiBaseUrl).host;
}

/** Whether one of the service's own pages sent the request, as opposed to a link in a foreign page or a mail. */
export const isFromOwnPage = (headers: CallHeaders): boolean => headers.get('sec-fetch-site') === 'same-origin';
