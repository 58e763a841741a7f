import { createSecretKey, type KeyObject } from 'node:crypto';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { BoundedCache } from '@/server/platform/cache/cache';
import { getRuntime } from '@/server/platform/runtime';

const webhookSecretBinding = (webhookId: string) => `webhook:${webhookId}`;

/** Seals what a webhook compares with: the secret of a signature, or the secrets of another verification as JSON. */
export const sealWebhookSecret = (webhookId: string, secret: string): string =>
  sealText(secret, webhookSecretBinding(webhookId), getRuntime().env.encryptionKeys);

export const openWebhookSecret = (webhookId: string, sealed: string): string =>
  openSealedText(sealed, webhookSecretBinding(webhookId), getRuntime().env.encryptionKeys);

/** Cache of opened secrets by their sealed form: opening one is the most expensive part of a check. */
const openedSigningKeys = new BoundedCache<string, KeyObject>(1000);

export const openSigningKey = (webhookId: string, sealed: string): KeyObject =>
  openedSigningKeys.get(`${webhookId} ${sealed}`, () => createSecretKey(openWebhookSecret(webhookId, sealed), 'utf8'));

const openedSecretTexts = new BoundedCache<string, Record<string, string>>(1000);

/** The secrets of a verification other than `signature`, by field. */
export const openWebhookSecrets = (webhookId: string, sealed: string): Record<string, string> =>
  openedSecretTexts.get(
    `${webhookId} ${sealed}`,
    () => JSON.parse(openWebhookSecret(webhookId, sealed)) as Record<string, string>,
  );
