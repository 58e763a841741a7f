import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openSession } from '@/server/db/session';
import { BackupFault } from './fault';
import { quoted } from './catalogue';

/** Timeouts in milliseconds. */
export interface Patience {
  /** For processes to notice: each looks once a second. */
  noticeMs: number;
  /** For workers to finish the nodes that they execute, and to release their runs. */
  workersMs: number;
}

export const PATIENCE: Patience = { noticeMs: 3000, workersMs: 60_000 };
const LOOK_MS = 100;
const UNDEFINED_TABLE = '42P01';

export interface MaintenanceStatus {
  reason: string;
  since: Date;
}

/** A connection whose transactions may write during maintenance. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = await openSession(url, 'command');
  await client.query('SET default_transaction_read_only = off');
  return client;
}

/**
 * Puts the service into maintenance: processes refuse changes and hold deliveries, workers release their runs, and then the database
 * itself refuses writes. Throws a BackupFault, and maintenance is over, if workers do not stop in time.
 */
export async function beginMaintenance(client: pg.Client, reason: string, patience = PATIENCE): Promise<void> {
  await client
    .query('INSERT INTO maintenance (reason) VALUES ($1) ON CONFLICT (id) DO UPDATE SET reason = excluded.reason', [
      reason,
    ])
    .catch((error: pg.DatabaseError) => {
      if (error.code !== UNDEFINED_TABLE) throw error;
      throw new BackupFault('The database has the schema of an earlier version. Run `npm run migrate` first.');
    });
  try {
    await pause(patience.noticeMs);
    for (const deadline = Date.now() + patience.workersMs; ; await pause(LOOK_MS)) {
      const workers = await liveWorkers(client);
      if (workers === 0) break;
      if (Date.now() < deadline) continue;
      throw new BackupFault(
        `Worker processes that have not stopped: ${workers}. They belong to a version without maintenance, or wait for long nodes: stop them and try again.`,
      );
    }
    await setReadOnly(client, 'on');
  } catch (error) {
    await endMaintenance(client);
    throw error;
  }
}

/** Ends maintenance: the database accepts writes, workers start, and held deliveries are submitted. */
export async function endMaintenance(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM maintenance');
  await setReadOnly(client, 'off');
}

export async function maintenanceStatus(
  client: pg.Client,
): Promise<{ maintenance: MaintenanceStatus | null; held: number }> {
  const { rows } = await client.query<MaintenanceStatus>('SELECT reason, since FROM maintenance');
  const held = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM held_delivery');
  return { maintenance: rows[0] ?? null, held: held.rows[0]?.count ?? 0 };
}

async function liveWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM worker WHERE lease_until > now()',
  );
  return rows[0]?.count ?? 0;
}

/** Sets what new connections may do, and closes the others: programs of the service open them again. */
async function setReadOnly(client: pg.Client, value: 'on' | 'off'): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = quoted(rows[0]?.name ?? '');
  const change = value === 'on' ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
  await client.query(`ALTER DATABASE ${database} ${change}`);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
  );
}

/** The number of other connections to the database of a client. */
export async function connectionsOf(client: pg.Client): Promise<number> {
  // Roles without the right to see the kind of a process see null.
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::int AS others FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
       AND coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows[0]?.others ?? 0;
}
