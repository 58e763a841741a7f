import { runtime } from '@/server/runtime';
import { jsonIn, readFormFields, UnreadableBody } from '@/server/request-body';
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

/** Bodies whose content belongs to the check are parsed before they are verified, so only small ones are. */
const MAX_UNVERIFIED = 1024 * 1024;
/** More fields and values than any of these senders sends. */
const MAX_FIELDS = 1000;
const MAX_VALUES = 10_000;

/** The fields of a form that is not verified yet; null if it is none, or too large. */
export const unverifiedForm = (rawBody: Uint8Array): [string, string][] | null =>
  readable(rawBody, () => readFormFields(rawBody, { maxFields: MAX_FIELDS })) ?? null;

/** The JSON value of such a body; undefined if it is none, or too large. */
export const unverifiedJson = (rawBody: Uint8Array): unknown => readable(rawBody, () => jsonIn(rawBody, MAX_VALUES));

function readable<Value>(rawBody: Uint8Array, read: () => Value): Value | undefined {
  if (rawBody.length > MAX_UNVERIFIED) return undefined;
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableBody) return undefined;
    throw error;
  }
}
