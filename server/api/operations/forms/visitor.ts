import { createHash, randomBytes } from 'node:crypto';
import { findCookie } from '@/server/people/auth/cookies';
import { isValidSignature, signText } from '@/server/platform/db/signing';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import { getRuntime } from '@/server/platform/runtime';

const VISITOR_COOKIE = 'weft.form';
const VISITOR_ID_PATTERN = /^[\w-]{22}$/;

/** How long a page can be posted after it was made. */
export const PAGE_LIFETIME_MS = 24 * 3_600_000;

/**
 * A visitor of a form, who is recognized by a cookie. `userId` is that of the signed-in member, or null on a public
 * form.
 */
export interface FormVisitor {
  id: string;
  isNew: boolean;
  userId: string | null;
}

/** Identifies the visitor of a request. A request without a cookie gets a new visitor. */
export function identifyVisitor(headers: CallHeaders, userId: string | null): FormVisitor {
  const id = findCookie(headers, VISITOR_COOKIE) ?? '';
  return VISITOR_ID_PATTERN.test(id)
    ? { id, isNew: false, userId }
    : { id: randomBytes(16).toString('base64url'), isNew: true, userId };
}

/** Names a visitor in a link without telling their cookie. */
export const hashVisitor = ({ id, userId }: FormVisitor): string =>
  createHash('sha256')
    .update(JSON.stringify([id, userId]))
    .digest('base64url');

/** The header that gives a new visitor their cookie. */
export const visitorHeaders = ({ id, isNew }: FormVisitor): Record<string, string> => {
  if (!isNew) return {};
  const secure = getRuntime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'Set-Cookie': `${VISITOR_COOKIE}=${id}; Path=/forms; HttpOnly; SameSite=Lax${secure}` };
};

/** This prefix separates form tokens from other tokens that the same key signs. */
const FORM_TOKEN_PURPOSE = 'weft form token\n';

const signedTokenText = (formId: string, { id, userId }: FormVisitor, at: string): string =>
  JSON.stringify([formId, id, userId, at]);

/** The CSRF token of a page: only this visitor can post this form with it. */
export function createFormToken(formId: string, visitor: FormVisitor): string {
  const at = Date.now().toString(36);
  return `${at}.${signText(FORM_TOKEN_PURPOSE, signedTokenText(formId, visitor, at))}`;
}

/** Whether the token belongs to the form and the visitor, and is not too old. */
export function isValidFormToken(formId: string, visitor: FormVisitor, token: string): boolean {
  const [at = '', signature = ''] = token.split('.', 2);
  if (!isValidSignature(signature, FORM_TOKEN_PURPOSE, signedTokenText(formId, visitor, at))) return false;
  return Date.now() - Number.parseInt(at, 36) < PAGE_LIFETIME_MS;
}
