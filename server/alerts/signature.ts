import { createHmac, randomBytes } from 'node:crypto';
import { open, seal } from '@/server/db/seal';
import { runtime } from '@/server/runtime';

const PREFIX = 'whsec_';
const boundTo = (alertId: string) => `alert:${alertId}`;

/** A secret in the notation of Standard Webhooks. */
export const newAlertSecret = (): string => PREFIX + randomBytes(32).toString('base64');

export const sealAlertSecret = (alertId: string, secret: string): string =>
  seal(secret, boundTo(alertId), runtime().env.encryptionKeys);

/** The headers of Standard Webhooks: id, time and signature of a message. */
export function signedHeaders(alertId: string, sealed: string, messageId: string, body: string, now = new Date()) {
  const secret = open(sealed, boundTo(alertId), runtime().env.encryptionKeys);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
