import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { open, seal } from '../db/seal';
import { Cache } from '../engine/cache';
import { runtime } from '../runtime';
import type { CallingWebhook } from './calling-webhook';

const boundTo = (webhookId: string) => `webhook:${webhookId}`;

export const sealWebhookSecret = (webhookId: string, secret: string): string =>
  seal(secret, boundTo(webhookId), runtime().env.encryptionKeys);

/** `sha256=<hex>`: HMAC-SHA256 of the raw body under the webhook's secret. */
export const signatureOf = (secret: string | KeyObject, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The secrets used last, by their sealed form: to open one costs more than everything else about a signature. */
const opened = new Cache<string, KeyObject>(1000);

const secretOf = (webhookId: string, sealed: string): KeyObject =>
  opened.get(`${webhookId} ${sealed}`, () =>
    createSecretKey(open(sealed, boundTo(webhookId), runtime().env.encryptionKeys), 'utf8'),
  );

/** Compared in constant time. */
export function isSignedBy(webhook: CallingWebhook, body: Uint8Array, signature: string | null): boolean {
  const given = Buffer.from(signature ?? '');
  return webhook.sealedSecrets.some((sealed) => {
    const right = Buffer.from(signatureOf(secretOf(webhook.id, sealed), body));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}
