import { runtime } from '@/server/runtime';
import type { DeliveryHead, Verifier } from './verifier';

/** The secrets that an author gives, by field. */
export interface ProviderSecrets {
  secret: string;
  verifyToken?: string;
}

/** A sender with a published way to sign. */
export interface Provider {
  /** Why a text cannot be a secret of this provider; null: it can. */
  secretIssue?(secret: string): string | null;
  verifier(secrets: ProviderSecrets): Verifier;
}

/** A field of a JSON object as text; null if it is missing. */
export function fieldOf(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The address as the sender knows it, for signatures that cover it. */
export const publicUrl = ({ path, rawQuery }: DeliveryHead): string =>
  `${runtime().env.apiBaseUrl}${path}${rawQuery === '' ? '' : `?${rawQuery}`}`;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bodies whose content belongs to the check are parsed before they are verified, so only small ones are. */
const MAX_UNVERIFIED = 1024 * 1024;

/** The text of a body that is not verified yet; null if it is too large or not UTF-8. */
export function smallText(rawBody: Uint8Array): string | null {
  if (rawBody.length > MAX_UNVERIFIED) return null;
  try {
    return decoder.decode(rawBody);
  } catch {
    return null;
  }
}

/** The JSON value of such a body; undefined if it is none. */
export function smallJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(smallText(rawBody) ?? '');
  } catch {
    return undefined;
  }
}
