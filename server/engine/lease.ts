import { pool } from '../db/client';
import { newId } from '../db/ids';
import { CHANNELS } from './channels';

/** A worker's row: it lives as long as it is renewed, and its id is the token without which nothing is written. */
export async function register(leaseMs: number, id = newId('wrk')): Promise<string> {
  await pool().query(`INSERT INTO worker (id, lease_until) VALUES ($1, now() + $2 * interval '1 millisecond')`, [
    id,
    leaseMs,
  ]);
  return id;
}

/** False: the row is gone, and with it everything the worker had. */
export async function renew(id: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await pool().query({
    name: 'engine.renew',
    text: `UPDATE worker SET lease_until = now() + $2 * interval '1 millisecond' WHERE id = $1`,
    values: [id, leaseMs],
  });
  return rowCount === 1;
}

/** Seconds that a run whose workers keep dying is put off by at most. */
const MAX_PUT_OFF = 10;

/**
 * When a freed run may be taken again: at once after its first loss. After further ones a while passes, and for each run
 * another: the one that kills its workers and those that were only there when it did part company.
 */
const PUT_OFF = `now() + (CASE WHEN claims > 1 THEN random() * least(power(2, claims - 1), ${MAX_PUT_OFF}) ELSE 0 END) * interval '1 second'`;

/**
 * Takes the rows of workers whose lease has run out, and frees what they had. Waits for what such a worker is writing
 * at this moment. Two statements, so that the second one sees what the first one waited for. Answers how many runs
 * became free.
 */
export async function sweep(): Promise<number> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query({ name: 'engine.bury', text: 'DELETE FROM worker WHERE lease_until < now()' });
    const { rowCount } = await client.query({
      name: 'engine.free',
      text: `UPDATE execution SET worker_id = NULL, available_at = ${PUT_OFF} WHERE worker_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM worker WHERE worker.id = execution.worker_id)`,
    });
    await client.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Ends a worker in order: what it still has is free at once, and the others hear of it. */
export async function resign(id: string): Promise<void> {
  await pool().query('DELETE FROM worker WHERE id = $1', [id]);
  await pool().query('UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1', [id]);
  await pool().query(`SELECT pg_notify('${CHANNELS.work}', '')`);
}

export interface Owned {
  id: string;
  /** Somebody cancelled it or decided at one of its approvals. */
  isWished: boolean;
}

/** What the database says that a worker has. */
export async function owned(id: string): Promise<Owned[]> {
  const { rows } = await pool().query<{ id: string; is_wished: boolean }>({
    name: 'engine.owned',
    text: 'SELECT id, available_at IS NOT NULL AS is_wished FROM execution WHERE worker_id = $1',
    values: [id],
  });
  return rows.map((row) => ({ id: row.id, isWished: row.is_wished }));
}

/** Lets go of runs that the worker has without knowing: the answer to their claim was lost. */
export async function release(id: string, executionIds: string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await pool().query(
    'UPDATE execution SET worker_id = NULL, available_at = now() WHERE worker_id = $1 AND id = ANY($2)',
    [id, executionIds],
  );
}
