import { createHash, randomBytes } from 'node:crypto';
import { runtime } from '@/server/runtime';
import { cookieNamed } from './cookies';
import { isSigned, signatureOf } from '@/server/db/signing';
import type { CallHeaders } from '@/server/client-address';

const YEAR_SECONDS = 365 * 86_400;
const ID = /^[\w-]{22}$/;

/** One cookie per person, because several people may share a browser. */
const nameOf = (email: string) => `weft.device.${createHash('sha256').update(email).digest('hex').slice(0, 12)}`;

const textOf = (email: string, id: string) => `device ${id} of ${email}`;

/** The id of a browser in which `email` signed in before, from that person's cookie; null without a valid cookie. */
export function deviceOf(email: string, headers: CallHeaders): string | null {
  const [id = '', signature = ''] = (cookieNamed(headers, nameOf(email)) ?? '').split('.', 2);
  return ID.test(id) && isSigned(signature, textOf(email, id)) ? id : null;
}

/**
 * The cookie that identifies a browser after a sign-in. It grants no access: failed sign-ins of this browser are
 * counted separately, so that guesses of other clients do not lock the owner out.
 */
export function deviceCookie(email: string, headers: CallHeaders): string {
  const id = deviceOf(email, headers) ?? randomBytes(16).toString('base64url');
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  const value = `${id}.${signatureOf(textOf(email, id))}`;
  return `${nameOf(email)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`;
}
