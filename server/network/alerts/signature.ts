import { createHmac, randomBytes } from 'node:crypto';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';

const ALERT_SECRET_PREFIX = 'whsec_';
const alertSecretBinding = (alertId: string) => `alert:${alertId}`;

/** Generates a secret in the format of Standard Webhooks. */
export const generateAlertSecret = (): string => ALERT_SECRET_PREFIX + randomBytes(32).toString('base64');

export const sealAlertSecret = (alertId: string, secret: string): string =>
  sealText(secret, alertSecretBinding(alertId), getRuntime().env.encryptionKeys);

/** The headers of Standard Webhooks: id, time and signature of a message. */
export function signedAlertHeaders(alertId: string, sealed: string, messageId: string, body: string, now = new Date()) {
  const secret = openSealedText(sealed, alertSecretBinding(alertId), getRuntime().env.encryptionKeys);
  const key = Buffer.from(secret.slice(ALERT_SECRET_PREFIX.length), 'base64');
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
