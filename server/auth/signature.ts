import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WorkflowStatus } from '@/contract/workflow';
import type { Tier } from '@/contract/workspace';
import { pool } from '../db/client';
import { open, seal } from '../db/seal';
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

const AT = {
  name: 'webhook-at',
  text: `
    SELECT h.id, h.workflow_id AS "workflowId", f.workspace_id AS "workspaceId",
      array_remove(ARRAY[h.secret, CASE WHEN h.old_secret_until > now() THEN h.old_secret END], NULL) AS "sealedSecrets",
      f.status AS "workflowStatus", f.version AS "workflowVersion", w.tier
    FROM webhook h JOIN workflow f ON f.id = h.workflow_id JOIN workspace w ON w.id = f.workspace_id
    WHERE h.workflow_id = $1 AND h.path = $2`,
};

export async function webhookAt(workflowId: string, path: string): Promise<CallingWebhook | null> {
  const { rows } = await pool().query<CallingWebhook>({ ...AT, values: [workflowId, path] });
  return rows[0] ?? null;
}

const boundTo = (webhookId: string) => `webhook:${webhookId}`;

export const sealWebhookSecret = (webhookId: string, secret: string): string =>
  seal(secret, boundTo(webhookId), runtime().env.encryptionKeys);

/** `sha256=<hex>`: HMAC-SHA256 of the raw body under the webhook's secret. */
export const signatureOf = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Compared in constant time. */
export function isSignedBy(webhook: CallingWebhook, body: Uint8Array, signature: string | null): boolean {
  const given = Buffer.from(signature ?? '');
  const { encryptionKeys } = runtime().env;
  return webhook.sealedSecrets.some((sealed) => {
    const right = Buffer.from(signatureOf(open(sealed, boundTo(webhook.id), encryptionKeys), body));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}
