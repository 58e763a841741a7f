import { pool, prisma } from '@/server/db/client';
import { anyWaiting } from '@/server/db/fair-queue';
import { isOrphan } from '@/server/db/failures/sql-state';
import { log } from '@/server/log';
import { inMaintenance, type Maintenance } from '@/server/maintenance';
import { repeat } from '@/server/repeat';
import { enqueueWithin } from './enqueue';
import type { NewDelivery, NewRun, Submission, Submitted } from './submission';
import type { AuditRow } from '@/server/audit/entry';

/** Held deliveries per workspace. */
const MAX_HELD = 10_000;
/** Their inputs together, in bytes. */
const MAX_HELD_BYTES = 100 * 1024 * 1024;
/** How often workers look for held deliveries. */
const POLL_INTERVAL_MS = 2000;

/** A submission as it is stored, without its input and its ids. */
interface Held {
  run: Omit<NewRun, 'input'>;
  delivery: NewDelivery;
  audit?: AuditRow;
  traceParent: string | null;
  startedAt: string;
}

const HOLD = `
WITH earlier AS (
  SELECT execution_id FROM webhook_delivery WHERE webhook_id = $3 AND unique_id = $4 AND execution_id IS NOT NULL
  UNION ALL SELECT execution_id FROM held_delivery WHERE webhook_id = $3 AND sender_id = $4
  LIMIT 1
),
room AS (
  SELECT count(*) < ${MAX_HELD} AND coalesce(sum(bytes), 0) + $7::int <= ${MAX_HELD_BYTES} AS is_free
  FROM held_delivery WHERE workspace_id = $2
),
held AS (
  INSERT INTO held_delivery (execution_id, workspace_id, webhook_id, sender_id, submission, input, bytes)
  SELECT $1, $2, $3, $4, $5::json, $6::json, $7::int FROM room WHERE is_free AND NOT EXISTS (SELECT FROM earlier)
  ON CONFLICT DO NOTHING
  RETURNING execution_id
)
SELECT execution_id AS "executionId" FROM earlier UNION ALL SELECT execution_id FROM held`;

/**
 * Stores a delivery that arrives during maintenance, in a database that accepts no other writes. Its run is submitted when maintenance is
 * over, also by a service that has moved to another database. Returns the run of an earlier delivery with the same sender's id, if there is
 * one. Throws 503 if the workspace has too many held deliveries.
 */
export async function holdDelivery(
  { run: { input: _, ...run }, inputJson, delivery, audit, traceParent, executionId, startedAt }: Submission,
  current: Maintenance,
): Promise<Submitted> {
  if (!delivery) throw inMaintenance(current);
  // The webhook can't change during maintenance, and afterwards the sender keeps what it was promised.
  const held: Held = { run, delivery: { ...delivery, webhookVersion: null }, audit, traceParent, startedAt };
  const { webhookId, senderId } = delivery;
  const bytes = Buffer.byteLength(inputJson);
  const values = [executionId, run.workspaceId, webhookId, senderId, JSON.stringify(held), inputJson, bytes];
  const client = await pool().connect();
  try {
    await client.query('BEGIN READ WRITE');
    const { rows } = await client.query<{ executionId: string }>(HOLD, values);
    await client.query('COMMIT');
    const [row] = rows;
    if (!row) throw inMaintenance(current);
    return { executionId: row.executionId, startedAt };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

interface HeldRow {
  executionId: string;
  submission: Held;
  input: string;
}

/**
 * Submits the oldest held delivery after the id `after`, and forgets it, in one transaction. Returns its id, null if there is none. A
 * delivery whose webhook or workflow was deleted is forgotten.
 */
async function submitNext(after: string): Promise<string | null> {
  let executionId: string | null = null;
  try {
    await prisma().$transaction(async (db) => {
      const [row] = await db.$queryRaw<HeldRow[]>`
        SELECT execution_id AS "executionId", submission, input::text AS input FROM held_delivery
        WHERE execution_id > ${after} ORDER BY execution_id LIMIT 1 FOR UPDATE SKIP LOCKED`;
      if (!row) return;
      ({ executionId } = row);
      const { run, ...held } = row.submission;
      const submission = {
        ...held,
        run: { ...run, input: null },
        inputJson: row.input,
        executionId,
        audit: held.audit,
      };
      await enqueueWithin(db, submission);
      await db.heldDelivery.delete({ where: { executionId } });
    });
  } catch (error) {
    if (executionId === null) throw error;
    log().error({ err: error, execution: executionId }, 'a held delivery could not be submitted');
    if (isOrphan(error)) await prisma().heldDelivery.deleteMany({ where: { executionId } });
  }
  return executionId;
}

const IS_ANY = { name: 'engine.any-held', text: anyWaiting({ table: 'held_delivery' }) };

/** Submits all held deliveries, in the order of their arrival. What fails stays for the next time. */
export async function submitHeld(): Promise<void> {
  if ((await pool().query(IS_ANY)).rowCount === 0) return;
  for (let last: string | null = ''; last !== null;) last = await submitNext(last);
}

/** Submits held deliveries, those of a maintenance that is over. Several processes share the work. */
export function startHeldDeliveries(): { stop(): Promise<void> } {
  const submitting = repeat(submitHeld, POLL_INTERVAL_MS, (error) =>
    log().error({ err: error }, 'held deliveries could not be submitted'),
  );
  submitting.now();
  return { stop: () => submitting.stop() };
}
