import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CallHeaders } from '../api/call-headers';
import { runtime } from '../runtime';
import { cookieNamed } from './cookies';

const YEAR_SECONDS = 365 * 86_400;
const ID = /^[\w-]{22}$/;

/** A browser may belong to several people: each has a cookie. */
const nameOf = (email: string) => `weft.device.${createHash('sha256').update(email).digest('hex').slice(0, 12)}`;

const signatureOf = (email: string, id: string) =>
  createHmac('sha256', runtime().env.jwtSecret).update(`device ${id} of ${email}`).digest('base64url');

/** The id of a browser in which `email` has signed in before, by its own cookie; null: it brings no good one. */
export function deviceOf(email: string, headers: CallHeaders): string | null {
  const [id = '', signature = ''] = (cookieNamed(headers, nameOf(email)) ?? '').split('.', 2);
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(email, id))];
  return ID.test(id) && given.length === right.length && timingSafeEqual(given, right) ? id : null;
}

/**
 * The cookie by which a browser is known again after a sign-in. It opens nothing: guesses from there are counted apart, so
 * that a stranger's guesses don't keep its owner out.
 */
export function deviceCookie(email: string, headers: CallHeaders): string {
  const id = deviceOf(email, headers) ?? randomBytes(16).toString('base64url');
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  const value = `${id}.${signatureOf(email, id)}`;
  return `${nameOf(email)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`;
}
