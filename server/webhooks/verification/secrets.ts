import { createSecretKey, type KeyObject } from 'node:crypto';
import { open, seal } from '@/server/db/seal';
import { Cache } from '@/server/cache';
import { runtime } from '@/server/runtime';

const boundTo = (webhookId: string) => `webhook:${webhookId}`;

/** Seals what a webhook compares with: the secret of a signature, or the secrets of another verification as JSON. */
export const sealWebhookSecret = (webhookId: string, secret: string): string =>
  seal(secret, boundTo(webhookId), runtime().env.encryptionKeys);

export const openWebhookSecret = (webhookId: string, sealed: string): string =>
  open(sealed, boundTo(webhookId), runtime().env.encryptionKeys);

/** Cache of opened secrets by their sealed form: opening one is the most expensive part of a check. */
const keys = new Cache<string, KeyObject>(1000);

export const signingKey = (webhookId: string, sealed: string): KeyObject =>
  keys.get(`${webhookId} ${sealed}`, () => createSecretKey(openWebhookSecret(webhookId, sealed), 'utf8'));

const texts = new Cache<string, Record<string, string>>(1000);

/** The secrets of a verification other than `signature`, by field. */
export const openedSecrets = (webhookId: string, sealed: string): Record<string, string> =>
  texts.get(`${webhookId} ${sealed}`, () => JSON.parse(openWebhookSecret(webhookId, sealed)) as Record<string, string>);
