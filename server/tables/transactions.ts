import { pool } from '@/server/db/client';
import { Semaphore } from '@/server/db/semaphore';
import { LIMIT_STATEMENTS } from './faults';
import { sqlOfPg, type Sql } from './sql';

/** Runs `work` in a transaction on a connection of the pool, with limited statements. */
async function within<Result>(begin: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool().connect();
  try {
    await client.query(`${begin}; ${LIMIT_STATEMENTS}`);
    const result = await work(sqlOfPg(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Transactions of one workspace at a time in one process: slow filters of one must not take all connections. */
const AT_A_TIME = 3;
const WAIT_MS = 10_000;

interface Turns {
  semaphore: Semaphore;
  users: number;
}

const turns = new Map<string, Turns>();

/** Runs `work` when fewer than `most` of this key are under way in this process. Throws 503 after ten seconds. */
export async function inTurn<Result>(key: string, most: number, work: () => Promise<Result>): Promise<Result> {
  const own = turns.get(key) ?? { semaphore: new Semaphore(most, WAIT_MS), users: 0 };
  turns.set(key, own);
  own.users += 1;
  try {
    return await own.semaphore.run(work);
  } finally {
    own.users -= 1;
    if (own.users === 0) turns.delete(key);
  }
}

/** One snapshot for all that `work` reads. */
export const readingTables = <Result>(workspaceId: string, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
  inTurn(workspaceId, AT_A_TIME, () => within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work));

/** A transaction beside that of the call: one that may take long. */
export const writingTables = <Result>(workspaceId: string, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
  inTurn(workspaceId, AT_A_TIME, () => within('BEGIN', work));
