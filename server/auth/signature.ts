import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { WorkflowStatus } from '@/contract/workflow';
import type { Tier } from '@/contract/workspace';
import { pool } from '../db/client';
import { gather } from '../db/gather';
import { open, seal } from '../db/seal';
import { Cache } from '../engine/cache';
import { runtime } from '../runtime';

/** The webhook that a delivery is addressed to, with what is needed to judge it. */
export interface CallingWebhook {
  id: string;
  workflowId: string;
  workspaceId: string;
  tier: Tier;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
  /** The secrets that senders may sign with: the one, and for a while after a rotation also the one before. */
  sealedSecrets: string[];
}

interface Address {
  workflowId: string;
  path: string;
}

const AT = {
  name: 'webhooks-at',
  text: `
    SELECT a.place::int, h.id, h.workflow_id AS "workflowId", f.workspace_id AS "workspaceId",
      array_remove(ARRAY[h.secret, CASE WHEN h.old_secret_until > now() THEN h.old_secret END], NULL) AS "sealedSecrets",
      f.status AS "workflowStatus", f.version AS "workflowVersion", w.tier
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a(workflow_id, path, place)
    JOIN webhook h ON h.workflow_id = a.workflow_id AND h.path = a.path
    JOIN workflow f ON f.id = h.workflow_id JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL`,
};

const keyOf = ({ workflowId, path }: Address) => `${workflowId}/${path}`;

/**
 * The webhook at an address, as it is now. Calls of the same moment are looked up by one statement that begins after
 * all of them have come in, each address once.
 */
export const webhookAt = gather<Address, CallingWebhook | null>(async (asked) => {
  const addresses = [...new Map(asked.map((one) => [keyOf(one), one])).values()];
  const values = [addresses.map(({ workflowId }) => workflowId), addresses.map(({ path }) => path)];
  const { rows } = await pool().query<CallingWebhook & { place: number }>({ ...AT, values });
  const found = new Map(rows.map(({ place, ...webhook }) => [keyOf(addresses[place - 1] as Address), webhook]));
  return asked.map((one) => found.get(keyOf(one)) ?? null);
});

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
