import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { classifyDatabaseFailure } from './failures/verdict';

/** For how long a transaction waits for a lock, because every other statement on the table waits behind it. */
const TABLE_LOCK_TIMEOUT_MS = 2000;
const MAX_LOCK_PAUSE_MS = 10_000;

/**
 * Runs a transaction that locks tables for a moment, while the service works. Other transactions may hold the tables
 * for too long, or wait for what this one has locked: then it is rolled back, and tried again after a pause, `attempts`
 * times in all.
 */
export async function lockTablesBriefly<Value>(
  client: pg.Client,
  work: () => Promise<Value>,
  attempts = 5,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runLockingTransaction(client, work);
    } catch (error) {
      if (attempt === attempts || classifyDatabaseFailure(error) !== 'collision') throw error;
      await pause(Math.min(TABLE_LOCK_TIMEOUT_MS * attempt, MAX_LOCK_PAUSE_MS));
    }
  }
}

async function runLockingTransaction<Value>(client: pg.Client, work: () => Promise<Value>): Promise<Value> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // Without a connection there is nothing to roll back, and the error says so.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
