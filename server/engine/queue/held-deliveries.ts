import { databasePool, prismaClient } from '@/server/platform/db/client';
import { anyWaitingSql } from '@/server/platform/db/fair-queue';
import { isForeignKeyViolation } from '@/server/platform/db/failures/sql-state';
import { serviceLog } from '@/server/platform/log';
import { maintenanceProblem, type MaintenanceState } from '@/server/platform/maintenance';
import { repeatAction } from '@/server/platform/timers/repeat';
import { enqueueInTransaction } from './enqueue';
import type { AcceptedDelivery, RunRequest, RunSubmission, SubmittedRun } from './submission';
import type { AuditRow } from '@/server/people/audit/entry';

/** Limit of held deliveries per workspace. */
const MAX_HELD_DELIVERIES = 10_000;
/** Limit of the inputs of held deliveries per workspace, in bytes. */
const MAX_HELD_INPUT_BYTES = 100 * 1024 * 1024;
/** How often workers look for held deliveries. */
const HELD_DELIVERY_POLL_MS = 2000;

/** A submission as it is stored, without its input and its ids. */
interface HeldSubmission {
  run: Omit<RunRequest, 'input'>;
  delivery: AcceptedDelivery;
  audit?: AuditRow;
  traceParent: string | null;
  startedAt: string;
}

const HOLD_DELIVERY_SQL = `
WITH earlier AS (
  SELECT execution_id FROM webhook_delivery WHERE webhook_id = $3 AND unique_id = $4 AND execution_id IS NOT NULL
  UNION ALL SELECT execution_id FROM held_delivery WHERE webhook_id = $3 AND sender_id = $4
  LIMIT 1
),
room AS (
  SELECT count(*) < ${MAX_HELD_DELIVERIES} AND coalesce(sum(bytes), 0) + $7::int <= ${MAX_HELD_INPUT_BYTES} AS is_free
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
 * Stores a delivery that arrives during maintenance, in a database that accepts no other writes. Its run is submitted
 * when maintenance is over, also by a service that has moved to another database. Returns the run of an earlier
 * delivery with the same sender's id, if there is one. Throws 503 if the workspace has too many held deliveries.
 */
export async function holdDelivery(
  { run: { input: _, ...run }, inputJson, delivery, audit, traceParent, executionId, startedAt }: RunSubmission,
  current: MaintenanceState,
): Promise<SubmittedRun> {
  if (!delivery) throw maintenanceProblem(current);
  // The webhook can't change during maintenance, and afterwards the sender keeps what it was promised.
  const held: HeldSubmission = { run, delivery: { ...delivery, webhookVersion: null }, audit, traceParent, startedAt };
  const { webhookId, senderId } = delivery;
  const bytes = Buffer.byteLength(inputJson);
  const values = [executionId, run.workspaceId, webhookId, senderId, JSON.stringify(held), inputJson, bytes];
  const client = await databasePool().connect();
  try {
    await client.query('BEGIN READ WRITE');
    const { rows } = await client.query<{ executionId: string }>(HOLD_DELIVERY_SQL, values);
    await client.query('COMMIT');
    const [row] = rows;
    if (!row) throw maintenanceProblem(current);
    return { executionId: row.executionId, startedAt };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

interface HeldDeliveryRow {
  executionId: string;
  submission: HeldSubmission;
  input: string;
}

/**
 * Submits the oldest held delivery after the id `after`, and forgets it, in one transaction. Returns its id, null if
 * there is none. A delivery whose webhook or workflow was deleted is forgotten.
 */
async function submitNextHeld(after: string): Promise<string | null> {
  let executionId: string | null = null;
  try {
    await prismaClient().$transaction(async (db) => {
      const [row] = await db.$queryRaw<HeldDeliveryRow[]>`
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
      await enqueueInTransaction(db, submission);
      await db.heldDelivery.delete({ where: { executionId } });
    });
  } catch (error) {
    if (executionId === null) throw error;
    serviceLog().error({ err: error, execution: executionId }, 'a held delivery could not be submitted');
    if (isForeignKeyViolation(error)) await prismaClient().heldDelivery.deleteMany({ where: { executionId } });
  }
  return executionId;
}

const ANY_HELD_QUERY = { name: 'engine.any-held', text: anyWaitingSql({ table: 'held_delivery' }) };

/** Submits all held deliveries, in the order of their arrival. A delivery that fails is submitted again later. */
export async function submitHeldDeliveries(): Promise<void> {
  if ((await databasePool().query(ANY_HELD_QUERY)).rowCount === 0) return;
  for (let last: string | null = ''; last !== null;) last = await submitNextHeld(last);
}

/** Starts the loop that submits held deliveries after maintenance. Several processes share the work. */
export function startHeldDeliveryLoop(): { stop(): Promise<void> } {
  const submitting = repeatAction(submitHeldDeliveries, HELD_DELIVERY_POLL_MS, (error) =>
    serviceLog().error({ err: error }, 'held deliveries could not be submitted'),
  );
  submitting.wake();
  return { stop: () => submitting.stop() };
}
