import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** For how long a transaction waits for a lock, because every other statement on the table waits behind it. */
const LOCK_MS = 2000;
const MAX_PAUSE_MS = 10_000;

/** SQLSTATEs: a lock was not free in time, or a deadlock was broken. Here, because migrations do without Prisma's client, which `isCollision` needs. */
const BUSY = ['55P03', '40P01'];
const isBusy = (error: unknown) => error instanceof pg.DatabaseError && BUSY.includes(error.code ?? '');

/**
 * Runs a transaction that locks tables for a moment, while the service works. Other transactions may hold the tables for too long, or wait
 * for what this one has locked: then it is rolled back, and tried again after a pause, `attempts` times in all.
 */
export async function lockBriefly<Value>(client: pg.Client, work: () => Promise<Value>, attempts = 5): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(client, work);
    } catch (error) {
      if (attempt === attempts || !isBusy(error)) throw error;
      await pause(Math.min(LOCK_MS * attempt, MAX_PAUSE_MS));
    }
  }
}

async function transaction<Value>(client: pg.Client, work: () => Promise<Value>): Promise<Value> {
  await client.query('BEGIN');
  try {
    await client.query(
      `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
      [String(LOCK_MS)],
    );
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // Without a connection there is nothing to roll back, and the error says so.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
