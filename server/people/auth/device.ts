import { createHash, randomBytes } from 'node:crypto';
import { getRuntime } from '@/server/platform/runtime';
import { findCookie } from './cookies';
import { isValidSignature, signText } from '@/server/platform/db/signing';
import type { CallHeaders } from '@/server/platform/messages/client-address';

const DEVICE_COOKIE_SECONDS = 365 * 86_400;
const DEVICE_ID_PATTERN = /^[\w-]{22}$/;

/** One cookie per person, because several people may share a browser. */
const deviceCookieName = (email: string) =>
  `weft.device.${createHash('sha256').update(email).digest('hex').slice(0, 12)}`;

const signedDeviceText = (email: string, id: string) => `device ${id} of ${email}`;

/** The id of a browser in which `email` signed in before, from that person's cookie; null without a valid cookie. */
export function readDeviceId(email: string, headers: CallHeaders): string | null {
  const [id = '', signature = ''] = (findCookie(headers, deviceCookieName(email)) ?? '').split('.', 2);
  return DEVICE_ID_PATTERN.test(id) && isValidSignature(signature, signedDeviceText(email, id)) ? id : null;
}

/**
 * The cookie that identifies a browser after a sign-in. It grants no access: failed sign-ins of this browser are
 * counted separately, so that guesses of other clients do not lock the owner out.
 */
export function buildDeviceCookie(email: string, headers: CallHeaders): string {
  const id = readDeviceId(email, headers) ?? randomBytes(16).toString('base64url');
  const secure = getRuntime().env.apiBaseUrl.startsWith('https:') ? '; Secure' : '';
  const value = `${id}.${signText(signedDeviceText(email, id))}`;
  return `${deviceCookieName(email)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${DEVICE_COOKIE_SECONDS}${secure}`;
}
