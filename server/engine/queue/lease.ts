import type pg from 'pg';
import { pool, poolForLeases } from '@/server/db/client';
import { retryCollision } from '@/server/db/failures/retry-collision';
import { newId } from '@/server/db/ids';
import { CHANNELS } from '@/server/db/notify-channels';
import { BEGIN_BRIEFLY } from '@/server/db/session';
import { KNOWN_ABILITIES } from '@/server/workflow/abilities';

export interface WorkerIdentity {
  /** Generated if absent. */
  id?: string;
  /** What its process knows: it claims only runs that require no more. */
  abilities?: number;
}

/** Inserts a worker's row with a lease. Its id is the fencing token: without the row nothing is written. */
export async function register(
  leaseMs: number,
  { id = newId('wrk'), abilities = KNOWN_ABILITIES }: WorkerIdentity = {},
): Promise<string> {
  await pool().query(
    `INSERT INTO worker (id, lease_until, abilities) VALUES ($1, now() + $2 * interval '1 millisecond', $3)`,
    [id, leaseMs, abilities],
  );
  return id;
}

/** Extends the lease. False: the row is deleted, and the worker owns no runs any more. */
export async function renew(id: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await poolForLeases().query({
    name: 'engine.renew',
    text: `UPDATE worker SET lease_until = now() + $2 * interval '1 millisecond' WHERE id = $1`,
    values: [id, leaseMs],
  });
  return rowCount === 1;
}

/** SQL: the log line of a run whose process died. */
/** After so many crashes of processes that ran it, a run is not attempted again. */
export const MAX_CRASHES = 3;

const CRASH = `CASE WHEN is_alone
  THEN format('The process that ran this died or stopped responding (try %s of at most ${MAX_CRASHES}). The next try runs alone.', deaths)
  ELSE 'The process that ran this died or stopped responding. The run is not tried again.' END`;

/**
 * Releases the runs of workers whose rows are deleted and counts a crash for each. Such a run continues isolated. Once it
 * has used up its attempts it only has to be ended, which any process can do. Runs that a transaction holds are left to the next sweep: one that
 * a vanished process has left open must not keep all others waiting. Returns the number of runs.
 */
const FREE = {
  name: 'engine.free',
  text: `WITH freed AS (
      UPDATE execution SET worker_id = NULL, available_at = now(), deaths = deaths + 1, died_at = now(), is_alone = deaths + 1 < ${MAX_CRASHES}
      WHERE id IN (
        SELECT id FROM execution
        WHERE worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM worker WHERE worker.id = execution.worker_id)
        FOR UPDATE SKIP LOCKED)
      RETURNING id, deaths, is_alone
    ),
    logged AS (
      INSERT INTO log_entry (execution_id, level, message, timestamp) SELECT id, 'warn', ${CRASH}, now() FROM freed
    )
    SELECT count(*)::int AS count FROM freed`,
};

const HAND_BACK = {
  name: 'engine.hand-back',
  text: 'UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1',
};

/**
 * Removes workers, then executes `then` for their runs. Two statements, because the second one must see what checkpoints have written until
 * the first one removed their worker. One transaction, so that the runs of a worker that shuts down gracefully
 * never count as those of a dead worker.
 */
async function removeWorkers(removal: pg.QueryConfig, then: pg.QueryConfig): Promise<number> {
  const client = await pool().connect();
  let failure: Error | undefined;
  try {
    await client.query(BEGIN_BRIEFLY);
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

const removalOf = (id: string) => ({ name: 'engine.remove', text: 'DELETE FROM worker WHERE id = $1', values: [id] });

/**
 * Removes workers with expired leases and releases their runs. A worker whose row is locked is left to the next sweep: a checkpoint is being
 * written, or its process has vanished and the server has not ended its transaction yet. Returns the number of released runs.
 */
export const sweep = (): Promise<number> =>
  removeWorkers(
    {
      name: 'engine.removeWorker',
      text: 'DELETE FROM worker WHERE id IN (SELECT id FROM worker WHERE lease_until < now() FOR UPDATE SKIP LOCKED)',
    },
    FREE,
  );

/** Removes a worker whose process is known to be dead and releases its runs. */
export const removeWorker = (id: string): Promise<number> => removeWorkers(removalOf(id), FREE);

/** Graceful shutdown of a worker: releases its runs without counting a crash, and wakes the other workers. */
export async function unregisterWorker(id: string): Promise<void> {
  await retryCollision(() => removeWorkers(removalOf(id), { ...HAND_BACK, values: [id] }));
  await pool().query(`SELECT pg_notify('${CHANNELS.work}', '')`);
}

export interface Owned {
  id: string;
  /** A cancellation or a decision has arrived. */
  hasSignal: boolean;
}

/** The runs that the database assigns to a worker. */
export async function owned(id: string): Promise<Owned[]> {
  const { rows } = await pool().query<{ id: string; has_signal: boolean }>({
    name: 'engine.owned',
    text: 'SELECT id, available_at IS NOT NULL AS has_signal FROM execution WHERE worker_id = $1',
    values: [id],
  });
  return rows.map((row) => ({ id: row.id, hasSignal: row.has_signal }));
}

/** Releases runs that have to be isolated. */
export async function isolateRuns(id: string, executionIds: string[]): Promise<void> {
  await pool().query(
    'UPDATE execution SET worker_id = NULL, available_at = now(), is_alone = true WHERE worker_id = $1 AND id = ANY($2)',
    [id, executionIds],
  );
}

/** Releases runs that the worker never received because their claim response was lost. */
export async function release(id: string, executionIds: string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await pool().query(
    'UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1 AND id = ANY($2)',
    [id, executionIds],
  );
}
