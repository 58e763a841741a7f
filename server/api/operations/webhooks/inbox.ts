import type { RecordedDelivery, DeliveryVerdict } from '@/contract/triggers/webhook';
import type { Webhook, WebhookDelivery } from '@/generated/prisma/client';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { generateOrderedId } from '@/server/platform/db/ids';
import { BoundedCache } from '@/server/platform/cache/cache';
import { currentMaintenance } from '@/server/platform/maintenance';

/**
 * Maximum number of stored deliveries without a run per webhook, because any client can send them. Signed ones, which
 * have a body, are counted separately, so that unverified deliveries cannot displace them.
 */
export const MAX_REFUSED_DELIVERIES = 100;
/** Columns of a stored delivery without a run. */
const INBOX_COLUMN_COUNT = 9;
/** Bodies of refused deliveries are stored for a replay up to this size, in bytes. */
export const MAX_STORED_BODY_BYTES = 256 * 1024;
/** Minimum interval between stored deliveries that were rejected unread. */
const REJECTION_SAMPLE_MS = 10_000;
/** How long a sender's id identifies its first delivery. */
const SENDER_ID_LIFETIME_MS = 24 * 3_600_000;

/** Returns the webhook. Throws 404 unless it belongs to this workflow in this workspace. */
export async function findWebhookRow(
  db: DatabaseClient,
  workspaceId: string,
  workflowId: string,
  id: string,
): Promise<Webhook> {
  const row = await db.webhook.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFoundProblem('The webhook');
  return row;
}

/** The facts about a call of a webhook, independent of its outcome. */
export interface DeliverySender {
  webhookId: string;
  senderId: string | null;
  ipAddress: string;
  userAgent: string;
}

interface UnstartedDelivery extends DeliverySender {
  verdict: Exclude<DeliveryVerdict, 'accepted'>;
  reason: string;
  executionId?: string;
  /** The body as JSON text; only if its signature was valid. */
  body?: string;
}

// Of each webhook in the batch, the oldest deliveries make room for the new ones. The arrays are computed once. As
// joins, the inner query may be repeated for each row: 0.4 s of CPU time per delivery, if the table was empty when the
// server last analyzed it.
const STORE_DELIVERIES_SQL = `
  WITH fresh AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
      AS d(id, webhook_id, verdict, reason, sender_id, execution_id, ip_address, user_agent, body)
  ),
  surplus AS (
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_delivery WHERE id = ANY(ARRAY(
        SELECT o.id FROM (SELECT webhook_id, body IS NULL AS is_empty, count(*) AS number FROM fresh GROUP BY 1, 2) f
        CROSS JOIN LATERAL (
          SELECT id FROM webhook_delivery
          WHERE webhook_id = f.webhook_id AND verdict <> 'accepted' AND (body IS NULL) = f.is_empty
          ORDER BY received_at DESC, id DESC OFFSET ${MAX_REFUSED_DELIVERIES} - f.number
        ) o
      ))
      FOR UPDATE SKIP LOCKED
    ))
  )
  INSERT INTO webhook_delivery (id, webhook_id, verdict, reason, sender_id, execution_id, ip_address, user_agent, body)
  SELECT f.id, h.id, f.verdict, f.reason, f.sender_id, f.execution_id, f.ip_address, f.user_agent, f.body::json
  FROM fresh f JOIN webhook h ON h.id = f.webhook_id`;

type DeliveryColumnValues = (string | null)[];

/** Stores deliveries one batch after another: a flood of them occupies one connection, and not all of the process. */
const storeDelivery = groupCommit<DeliveryColumnValues, void>(
  async (rows) => {
    await databasePool().query(
      STORE_DELIVERIES_SQL,
      Array.from({ length: INBOX_COLUMN_COUNT }, (_, column) => rows.map((row) => row[column])),
    );
    return rows.map(() => undefined);
  },
  { maxItems: MAX_REFUSED_DELIVERIES, sizeOf: (row) => row.at(-1)?.length ?? 0 },
);

/**
 * Stores a delivery without a run in the inbox, if the webhook still exists. At the limit it replaces the oldest one.
 * During maintenance nothing is stored: the sender knows from its answer that it was refused.
 */
export async function recordUnstartedDelivery(delivery: UnstartedDelivery): Promise<void> {
  if (currentMaintenance()) return;
  const { webhookId, verdict, reason, senderId, executionId, ipAddress, userAgent, body } = delivery;
  const storedBody = body !== undefined && Buffer.byteLength(body) <= MAX_STORED_BODY_BYTES ? body : null;
  const id = generateOrderedId('dlv');
  await storeDelivery([
    id,
    webhookId,
    verdict,
    reason,
    senderId,
    executionId ?? null,
    ipAddress,
    userAgent,
    storedBody,
  ]);
}

/** When the next unread delivery of each webhook may be stored. */
const nextSampledRejections = new BoundedCache<string, { nextAt: number }>(1000);

/**
 * Stores a delivery that was rejected unread: one per webhook and ten seconds in each process, because storing a flood
 * would cost more than refusing it.
 */
export async function recordSampledRejection(arrival: DeliverySender, reason: string): Promise<void> {
  const turn = nextSampledRejections.get(arrival.webhookId, () => ({ nextAt: 0 }));
  if (Date.now() < turn.nextAt) return;
  turn.nextAt = Date.now() + REJECTION_SAMPLE_MS;
  await recordUnstartedDelivery({ ...arrival, verdict: 'refused', reason });
}

/** Finds the run of a delivery with this sender's id in the last day. */
export async function findEarlierRun(db: DatabaseClient, webhookId: string, uniqueId: string): Promise<string | null> {
  const first = await db.webhookDelivery.findUnique({
    where: { webhookId_uniqueId: { webhookId, uniqueId } },
    select: { id: true, receivedAt: true, executionId: true },
  });
  if (!first) return null;
  if (first.receivedAt.getTime() > Date.now() - SENDER_ID_LIFETIME_MS) return first.executionId;
  await db.webhookDelivery.updateMany({ where: { id: first.id, uniqueId }, data: { uniqueId: null } });
  return null;
}

/** The body of a delivery as JSON text; null if it is not, or no longer, stored. */
export async function readDeliveryBody(
  db: DatabaseClient,
  { id, verdict, executionId }: WebhookDelivery,
): Promise<string | null> {
  const [row] =
    verdict === 'accepted'
      ? await db.$queryRaw<{ body: string }[]>`SELECT input::text AS body FROM execution WHERE id = ${executionId}`
      : await db.$queryRaw<{ body: string | null }[]>`SELECT body::text FROM webhook_delivery WHERE id = ${id}`;
  return row?.body ?? null;
}

type ListedDeliveryRow = Omit<WebhookDelivery, 'body'> & { hasBody: boolean };

export const toDeliverySummary = (row: ListedDeliveryRow): RecordedDelivery => ({
  id: row.id,
  webhookId: row.webhookId,
  receivedAt: row.receivedAt.toISOString(),
  verdict: row.verdict as DeliveryVerdict,
  reason: row.reason,
  senderId: row.senderId,
  executionId: row.executionId,
  replayOf: row.replayOf,
  canReplay: row.verdict === 'accepted' || row.hasBody,
  ipAddress: row.ipAddress,
  userAgent: row.userAgent,
});
