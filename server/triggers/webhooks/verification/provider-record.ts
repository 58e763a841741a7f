import { getRuntime } from '@/server/platform/runtime';
import { parseJsonBody, parseUrlEncodedFields, UnreadableBodyError } from '@/server/platform/messages/request-body';
import type { DeliveryHead, WebhookVerifier } from './verifier';

/** The secrets that an author gives, by field. */
export interface ProviderSecrets {
  secret: string;
  verifyToken?: string;
}

/** A sender with a published way to sign. */
export interface WebhookProviderRecord {
  /** Why a text cannot be a secret of this provider; null: it can. */
  secretIssue?(secret: string): string | null;
  verifier(secrets: ProviderSecrets): WebhookVerifier;
}

/** A field of a JSON object as text; null if it is missing. */
export function bodyFieldText(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The address as the sender knows it, for signatures that cover it. */
export const publicDeliveryUrl = ({ path, rawQuery }: DeliveryHead): string =>
  `${getRuntime().env.apiBaseUrl}${path}${rawQuery === '' ? '' : `?${rawQuery}`}`;

/** Bodies whose content belongs to the check are parsed before they are verified, so only small ones are. */
const MAX_UNVERIFIED_BODY_BYTES = 1024 * 1024;
/** None of these senders sends more fields and values than this. */
const MAX_UNVERIFIED_FIELDS = 1000;
const MAX_UNVERIFIED_VALUES = 10_000;

/** The fields of a form that is not verified yet; null if it is none, or too large. */
export const readUnverifiedForm = (rawBody: Uint8Array): [string, string][] | null =>
  readSmallBody(rawBody, () => parseUrlEncodedFields(rawBody, { maxFields: MAX_UNVERIFIED_FIELDS })) ?? null;

/** The JSON value of such a body; undefined if it is none, or too large. */
export const readUnverifiedJson = (rawBody: Uint8Array): unknown =>
  readSmallBody(rawBody, () => parseJsonBody(rawBody, MAX_UNVERIFIED_VALUES));

function readSmallBody<Value>(rawBody: Uint8Array, read: () => Value): Value | undefined {
  if (rawBody.length > MAX_UNVERIFIED_BODY_BYTES) return undefined;
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableBodyError) return undefined;
    throw error;
  }
}
