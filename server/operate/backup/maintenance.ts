import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openDatabaseSession } from '@/server/platform/db/session';
import { BackupFault } from './fault';
import { quoteSqlName } from './catalogue';

/** Timeouts in milliseconds. */
export interface MaintenanceTimeouts {
  /** The time in which every process notices the change: each one checks once a second. */
  noticeMs: number;
  /** The time in which workers finish the nodes that they execute, and release their runs. */
  workersMs: number;
}

export const MAINTENANCE_TIMEOUTS: MaintenanceTimeouts = { noticeMs: 3000, workersMs: 60_000 };
const WORKER_POLL_INTERVAL_MS = 100;
const MISSING_TABLE_SQLSTATE = '42P01';

export interface MaintenanceStatus {
  reason: string;
  since: Date;
}

/** A connection whose transactions may write during maintenance. */
export async function openWritableClient(url: string): Promise<pg.Client> {
  const client = await openDatabaseSession(url, 'command');
  await client.query('SET default_transaction_read_only = off');
  return client;
}

/**
 * Puts the service into maintenance: processes refuse changes and hold deliveries, workers release their runs, and then
 * the database itself refuses writes. Throws a BackupFault, and maintenance is over, if workers do not stop in time.
 */
export async function beginMaintenance(
  client: pg.Client,
  reason: string,
  patience = MAINTENANCE_TIMEOUTS,
): Promise<void> {
  await client
    .query('INSERT INTO maintenance (reason) VALUES ($1) ON CONFLICT (id) DO UPDATE SET reason = excluded.reason', [
      reason,
    ])
    .catch((error: pg.DatabaseError) => {
      if (error.code !== MISSING_TABLE_SQLSTATE) throw error;
      throw new BackupFault('The database has the schema of an earlier version. Run `npm run migrate` first.');
    });
  try {
    await pause(patience.noticeMs);
    for (const deadline = Date.now() + patience.workersMs; ; await pause(WORKER_POLL_INTERVAL_MS)) {
      const workers = await countLiveWorkers(client);
      if (workers === 0) break;
      if (Date.now() < deadline) continue;
      throw new BackupFault(
        `Worker processes that have not stopped: ${workers}. They belong to a version without maintenance, or wait for long nodes: stop them and try again.`,
      );
    }
    await setDatabaseReadOnly(client, 'on');
  } catch (error) {
    await endMaintenance(client);
    throw error;
  }
}

/** Ends maintenance: the database accepts writes, workers start, and held deliveries are submitted. */
export async function endMaintenance(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM maintenance');
  await setDatabaseReadOnly(client, 'off');
}

export async function maintenanceStatus(
  client: pg.Client,
): Promise<{ maintenance: MaintenanceStatus | null; held: number }> {
  const { rows } = await client.query<MaintenanceStatus>('SELECT reason, since FROM maintenance');
  const held = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM held_delivery');
  return { maintenance: rows[0] ?? null, held: held.rows[0]?.count ?? 0 };
}

async function countLiveWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM worker WHERE lease_until > now()',
  );
  return rows[0]?.count ?? 0;
}

/** Sets what new connections may do, and closes the others: programs of the service open them again. */
async function setDatabaseReadOnly(client: pg.Client, value: 'on' | 'off'): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = quoteSqlName(rows[0]?.name ?? '');
  const change = value === 'on' ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
  await client.query(`ALTER DATABASE ${database} ${change}`);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
  );
}

/** The number of other connections to the database of a client. */
export async function countOtherConnections(client: pg.Client): Promise<number> {
  // Roles without the right to see the kind of a process see null.
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::int AS others FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
       AND coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows[0]?.others ?? 0;
}
