import type pg from 'pg';
import { databasePool, leaseRenewalPool } from '@/server/platform/db/client';
import { retryCollision } from '@/server/platform/db/failures/retry-collision';
import { generateId } from '@/server/platform/db/ids';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { BEGIN_BRIEF_TRANSACTION } from '@/server/platform/db/session';
import { KNOWN_ABILITIES } from '@/server/workflow/definition/abilities';

export interface WorkerIdentity {
  /** Generated if absent. */
  id?: string;
  /** Bit mask of the abilities of its process: the worker claims only runs that require no others. */
  abilities?: number;
}

/** Inserts a worker's row with a lease. Its id is the fencing token: without the row nothing is written. */
export async function registerWorker(
  leaseMs: number,
  { id = generateId('wrk'), abilities = KNOWN_ABILITIES }: WorkerIdentity = {},
): Promise<string> {
  await databasePool().query(
    `INSERT INTO worker (id, lease_until, abilities) VALUES ($1, now() + $2 * interval '1 millisecond', $3)`,
    [id, leaseMs, abilities],
  );
  return id;
}

/** Extends the lease. False: the row is deleted, and the worker owns no runs any more. */
export async function renewWorkerLease(id: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await leaseRenewalPool().query({
    name: 'engine.renew',
    text: `UPDATE worker SET lease_until = now() + $2 * interval '1 millisecond' WHERE id = $1`,
    values: [id, leaseMs],
  });
  return rowCount === 1;
}

/** A run that has crashed this many processes is not attempted again. */
export const MAX_RUN_CRASHES = 3;

const CRASH_MESSAGE_SQL = `CASE WHEN is_alone
  THEN format('The process that ran this died or stopped responding (try %s of at most ${MAX_RUN_CRASHES}). The next try runs alone.', deaths)
  ELSE 'The process that ran this died or stopped responding. The run is not tried again.' END`;

/**
 * Releases the runs of workers whose rows are deleted and counts a crash for each. Such a run continues isolated. Once
 * it has used up its attempts it only has to be ended, which any process can do. Runs that a transaction locks are left
 * to the next sweep, because a transaction that a vanished process has left open must not block all others. Returns the
 * number of runs.
 */
const RELEASE_CRASHED_RUNS = {
  name: 'engine.free',
  text: `WITH freed AS (
      UPDATE execution SET worker_id = NULL, available_at = now(), deaths = deaths + 1, died_at = now(), is_alone = deaths + 1 < ${MAX_RUN_CRASHES}
      WHERE id IN (
        SELECT id FROM execution
        WHERE worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM worker WHERE worker.id = execution.worker_id)
        FOR UPDATE SKIP LOCKED)
      RETURNING id, deaths, is_alone
    ),
    logged AS (
      INSERT INTO log_entry (execution_id, level, message, timestamp) SELECT id, 'warn', ${CRASH_MESSAGE_SQL}, now() FROM freed
    )
    SELECT count(*)::int AS count FROM freed`,
};

const HAND_BACK_RUNS = {
  name: 'engine.hand-back',
  text: 'UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1',
};

/**
 * Removes workers, then executes `then` for their runs. Two statements, because the second one must see what
 * checkpoints have written until the first one removed their worker. One transaction, so that the runs of a worker that
 * shuts down gracefully never count as those of a dead worker.
 */
async function removeWorkers(removal: pg.QueryConfig, then: pg.QueryConfig): Promise<number> {
  const client = await databasePool().connect();
  let failure: Error | undefined;
  try {
    await client.query(BEGIN_BRIEF_TRANSACTION);
    await client.query(removal);
    const { rows } = await client.query<{ count: number }>(then);
    await client.query('COMMIT');
    return rows[0]?.count ?? 0;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(failure);
  }
}

const removeWorkerQuery = (id: string) => ({
  name: 'engine.remove',
  text: 'DELETE FROM worker WHERE id = $1',
  values: [id],
});

/**
 * Removes workers with expired leases and releases their runs. A worker whose row is locked is left to the next sweep:
 * a checkpoint is being written, or its process has vanished and the server has not ended its transaction yet. Returns
 * the number of released runs.
 */
export const sweepExpiredWorkers = (): Promise<number> =>
  removeWorkers(
    {
      name: 'engine.removeWorker',
      text: 'DELETE FROM worker WHERE id IN (SELECT id FROM worker WHERE lease_until < now() FOR UPDATE SKIP LOCKED)',
    },
    RELEASE_CRASHED_RUNS,
  );

/** Removes a worker whose process is known to be dead and releases its runs. */
export const removeDeadWorker = (id: string): Promise<number> =>
  removeWorkers(removeWorkerQuery(id), RELEASE_CRASHED_RUNS);

/** Graceful shutdown of a worker: releases its runs without counting a crash, and wakes the other workers. */
export async function unregisterWorker(id: string): Promise<void> {
  await retryCollision(() => removeWorkers(removeWorkerQuery(id), { ...HAND_BACK_RUNS, values: [id] }));
  await databasePool().query(`SELECT pg_notify('${NOTIFY_CHANNELS.work}', '')`);
}

export interface OwnedRun {
  id: string;
  /** A cancellation or a decision has arrived. */
  hasSignal: boolean;
}

/** Returns the runs that the database assigns to a worker. */
export async function readOwnedRuns(id: string): Promise<OwnedRun[]> {
  const { rows } = await databasePool().query<{ id: string; has_signal: boolean }>({
    name: 'engine.owned',
    text: 'SELECT id, available_at IS NOT NULL AS has_signal FROM execution WHERE worker_id = $1',
    values: [id],
  });
  return rows.map((row) => ({ id: row.id, hasSignal: row.has_signal }));
}

/** Releases runs that have to be isolated. */
export async function isolateOwnedRuns(id: string, executionIds: string[]): Promise<void> {
  await databasePool().query(
    'UPDATE execution SET worker_id = NULL, available_at = now(), is_alone = true WHERE worker_id = $1 AND id = ANY($2)',
    [id, executionIds],
  );
}

/** Releases runs that the worker never received because their claim response was lost. */
export async function releaseOwnedRuns(id: string, executionIds: string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await databasePool().query(
    'UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1 AND id = ANY($2)',
    [id, executionIds],
  );
}
