import { decode } from 'next-auth/jwt';
import type { CallHeaders } from '../api/call-headers';
import { runtime } from '../runtime';
import { cookieNamed } from './cookies';

/** The cookie that keeps a browser signed in: encrypted, HttpOnly, holding the id of a login session and no more. */
export const SESSION_COOKIE = 'weft.session';

/** next-auth derives its own key from this; the prefix keeps it apart from the key of access tokens. */
export const cookieSecret = () => `browser-session:${runtime().env.jwtSecret}`;

/**
 * The id of the login session that a browser's cookie stands for; null without a valid cookie, or when another site
 * sent the request. Whether that session still lives is the session table's to say, at each call.
 */
export async function browserSession(headers: CallHeaders): Promise<string | null> {
  const token = cookieNamed(headers, SESSION_COOKIE);
  if (!token || !isFromThisSite(headers)) return null;
  try {
    const payload = await decode({ token, secret: cookieSecret() });
    return typeof payload?.sessionId === 'string' ? payload.sessionId : null;
  } catch {
    // Not a cookie of ours, expired, or made under another key: nobody is signed in.
    return null;
  }
}

/**
 * Cookies travel by themselves, so a request must not be made by a foreign page. Browsers tell with Sec-Fetch-Site on
 * secure origins and with Origin elsewhere; clients that send neither aren't driven by a page. Following a link from
 * elsewhere is a navigation and fine: the cookie is SameSite=Lax, so only GET brings it along.
 */
function isFromThisSite(headers: CallHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none' || headers.get('sec-fetch-mode') === 'navigate';
  const origin = headers.get('origin');
  if (!origin) return true;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  return host === headers.get('host') || host === new URL(runtime().env.apiBaseUrl).host;
}
