import { databasePool } from '@/server/platform/db/client';
import { CallSemaphore } from '@/server/platform/db/semaphore';
import { LIMIT_STATEMENTS_SQL } from './table-errors';
import { createPgSql, type SqlClient } from './sql';

/** Runs `work` in a transaction on a connection of the pool, with limited statements. */
async function runInTableTransaction<Result>(
  begin: string,
  work: (sql: SqlClient) => Promise<Result>,
): Promise<Result> {
  const client = await databasePool().connect();
  try {
    await client.query(`${begin}; ${LIMIT_STATEMENTS_SQL}`);
    const result = await work(createPgSql(client));
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
const MAX_TABLE_TRANSACTIONS = 3;
const TRANSACTION_WAIT_MS = 10_000;

interface KeyedSemaphore {
  semaphore: CallSemaphore;
  users: number;
}

const semaphoresByKey = new Map<string, KeyedSemaphore>();

/** Runs `work` when fewer than `most` of this key are under way in this process. Throws 503 after ten seconds. */
export async function runWithinLimit<Result>(key: string, most: number, work: () => Promise<Result>): Promise<Result> {
  const own = semaphoresByKey.get(key) ?? { semaphore: new CallSemaphore(most, TRANSACTION_WAIT_MS), users: 0 };
  semaphoresByKey.set(key, own);
  own.users += 1;
  try {
    return await own.semaphore.run(work);
  } finally {
    own.users -= 1;
    if (own.users === 0) semaphoresByKey.delete(key);
  }
}

/** One snapshot for all that `work` reads. */
export const readTables = <Result>(workspaceId: string, work: (sql: SqlClient) => Promise<Result>): Promise<Result> =>
  runWithinLimit(workspaceId, MAX_TABLE_TRANSACTIONS, () =>
    runInTableTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
  );

/** A transaction beside that of the call: one that may take long. */
export const writeTables = <Result>(workspaceId: string, work: (sql: SqlClient) => Promise<Result>): Promise<Result> =>
  runWithinLimit(workspaceId, MAX_TABLE_TRANSACTIONS, () => runInTableTransaction('BEGIN', work));
