import { randomBytes } from 'node:crypto';
import { cookieNamed } from '@/server/auth/cookies';
import { isSigned, signatureOf } from '@/server/db/signing';
import type { CallHeaders } from '@/server/client-address';
import { runtime } from '@/server/runtime';

const COOKIE = 'weft.form';
const ID = /^[\w-]{22}$/;

/** How long a page can be posted after it was made. */
export const PAGE_LIFETIME_MS = 24 * 3_600_000;

/** The visitor of a form, known by a cookie. `userId`: of the signed-in member; null on a public form. */
export interface Visitor {
  id: string;
  isNew: boolean;
  userId: string | null;
}

/** The visitor of a request. Without a cookie, a new one. */
export function visitorOf(headers: CallHeaders, userId: string | null): Visitor {
  const id = cookieNamed(headers, COOKIE) ?? '';
  return ID.test(id)
    ? { id, isNew: false, userId }
    : { id: randomBytes(16).toString('base64url'), isNew: true, userId };
}

/** The header that gives a new visitor their cookie. */
export const visitorHeaders = ({ id, isNew }: Visitor): Record<string, string> => {
  if (!isNew) return {};
  const secure = runtime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'Set-Cookie': `${COOKIE}=${id}; Path=/forms; HttpOnly; SameSite=Lax${secure}` };
};

/** Domain separation: the same key also signs other tokens. */
const PURPOSE = 'weft form token\n';

const textOf = (formId: string, { id, userId }: Visitor, at: string): string =>
  JSON.stringify([formId, id, userId, at]);

/** The CSRF token of a page: only this visitor can post this form with it. */
export function formToken(formId: string, visitor: Visitor): string {
  const at = Date.now().toString(36);
  return `${at}.${signatureOf(PURPOSE, textOf(formId, visitor, at))}`;
}

/** Whether the token belongs to the form and the visitor, and is not too old. */
export function isValidToken(formId: string, visitor: Visitor, token: string): boolean {
  const [at = '', signature = ''] = token.split('.', 2);
  if (!isSigned(signature, PURPOSE, textOf(formId, visitor, at))) return false;
  return Date.now() - Number.parseInt(at, 36) < PAGE_LIFETIME_MS;
}
