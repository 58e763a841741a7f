import type { Delivery, Verdict } from '@/contract/webhook';
import type { Webhook, WebhookDelivery } from '@/generated/prisma/client';
import { notFound } from '../api/problem';
import { pool, type Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import { Cache } from '../engine/cache';

/** Deliveries that started nothing are kept up to this number per webhook: anybody can send them. */
const MOST_REFUSED = 100;
/** Bodies of refused deliveries are kept for a replay up to this size, in bytes. */
const MAX_KEPT_BODY = 256 * 1024;
/** Deliveries refused unseen are kept this far apart. */
const TURNED_AWAY_MS = 10_000;
/** How long a sender's id stands for its first delivery. */
const UNIQUE_MS = 24 * 3_600_000;

/** The webhook, if it is one of this workflow in this workspace. */
export async function webhookIn(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Webhook> {
  const row = await db.webhook.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFound('The webhook');
  return row;
}

/** What is known of a call of a webhook whatever becomes of it. */
export interface Arrival {
  webhookId: string;
  senderId: string | null;
  ipAddress: string;
  userAgent: string;
}

interface Unstarted extends Arrival {
  verdict: Exclude<Verdict, 'accepted'>;
  reason: string;
  executionId?: string;
  /** The body as JSON text; only if its signature was right. */
  body?: string;
}

const KEEP = `
  WITH surplus AS (
    DELETE FROM webhook_delivery WHERE id IN (
      SELECT id FROM webhook_delivery WHERE id IN (
        SELECT id FROM webhook_delivery WHERE webhook_id = $2 AND verdict <> 'accepted'
        ORDER BY received_at DESC, id DESC OFFSET ${MOST_REFUSED - 1}
      )
      FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO webhook_delivery (id, webhook_id, verdict, reason, sender_id, execution_id, ip_address, user_agent, body)
  SELECT $1, id, $3, $4, $5, $6, $7, $8, $9::json FROM webhook WHERE id = $2`;

/**
 * Puts a delivery that started nothing into the inbox, if the webhook still is; in place of the oldest such one when there
 * are many.
 */
export async function keepUnstarted(delivery: Unstarted): Promise<void> {
  const { webhookId, verdict, reason, senderId, executionId, ipAddress, userAgent, body } = delivery;
  const kept = body !== undefined && Buffer.byteLength(body) <= MAX_KEPT_BODY ? body : null;
  const values = [webhookId, verdict, reason, senderId, executionId ?? null, ipAddress, userAgent, kept];
  await pool().query(KEEP, [newOrderedId('dlv'), ...values]);
}

/** When each webhook's next delivery that nobody looked at may be kept. */
const turnedAway = new Cache<string, { nextAt: number }>(1000);

/**
 * Puts a delivery that nobody looked at into the inbox: one per webhook and ten seconds in each process, as a flood
 * would cost more to keep than to refuse.
 */
export async function keepTurnedAway(arrival: Arrival, reason: string): Promise<void> {
  const turn = turnedAway.get(arrival.webhookId, () => ({ nextAt: 0 }));
  if (Date.now() < turn.nextAt) return;
  turn.nextAt = Date.now() + TURNED_AWAY_MS;
  await keepUnstarted({ ...arrival, verdict: 'refused', reason });
}

/** The run that a delivery with this sender's id has started within a day. */
export async function startedBefore(db: Db, webhookId: string, uniqueId: string): Promise<string | null> {
  const first = await db.webhookDelivery.findUnique({
    where: { webhookId_uniqueId: { webhookId, uniqueId } },
    select: { id: true, receivedAt: true, executionId: true },
  });
  if (!first) return null;
  if (first.receivedAt.getTime() > Date.now() - UNIQUE_MS) return first.executionId;
  await db.webhookDelivery.updateMany({ where: { id: first.id, uniqueId }, data: { uniqueId: null } });
  return null;
}

/** The body of a delivery as JSON text; null when it is not kept, or not any more. */
export async function bodyOf(db: Db, { id, verdict, executionId }: WebhookDelivery): Promise<string | null> {
  const [row] =
    verdict === 'accepted'
      ? await db.$queryRaw<{ body: string }[]>`SELECT input::text AS body FROM execution WHERE id = ${executionId}`
      : await db.$queryRaw<{ body: string | null }[]>`SELECT body::text FROM webhook_delivery WHERE id = ${id}`;
  return row?.body ?? null;
}

type Listed = Omit<WebhookDelivery, 'body'> & { hasBody: boolean };

export const shownDelivery = (row: Listed): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  receivedAt: row.receivedAt.toISOString(),
  verdict: row.verdict as Verdict,
  reason: row.reason,
  senderId: row.senderId,
  executionId: row.executionId,
  replayOf: row.replayOf,
  canReplay: row.verdict === 'accepted' || row.hasBody,
  ipAddress: row.ipAddress,
  userAgent: row.userAgent,
});
