import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createBackup, type BackupSource } from './backup';
import { listTableNames } from './catalogue';
import { BackupFault } from './fault';
import {
  beginMaintenance,
  countOtherConnections,
  endMaintenance,
  openWritableClient,
  MAINTENANCE_TIMEOUTS,
} from './maintenance';
import type { BackupTotals } from './records';
import { requireEmptyTables, restoreBackup, type RestoreTarget } from './restore';

/** How often held deliveries are forwarded. */
const FORWARD_INTERVAL_MS = 250;
/** No process uses the old database any more if it had no other connection for this long. */
const QUIET_PERIOD_MS = 3000;
/** The number of held deliveries that one transaction forwards. */
const FORWARD_BATCH_SIZE = 100;

export type MoveSource = Omit<BackupSource, 'files'>;

/**
 * Puts the service into maintenance and copies all rows of its database into an empty one, by a backup in the folder
 * `temporary`, which needs the room for it. The bytes of files stay where they are. The old database stays in
 * maintenance. If the copy fails, maintenance is over. Throws a BackupFault if the target is not an empty PostgreSQL
 * database, or workers do not stop.
 */
export async function moveDatabase(
  source: MoveSource,
  target: RestoreTarget,
  patience = MAINTENANCE_TIMEOUTS,
): Promise<BackupTotals> {
  requireDatabaseUrl(target.url);
  await withWritableClient(target.url, async (client) => requireEmptyTables(client, await listTableNames(client)));
  return withWritableClient(source.url, async (old) => {
    await beginMaintenance(old, 'The data moves to another database.', patience);
    try {
      return await copyByBackup(source, target);
    } catch (error) {
      await endMaintenance(old);
      throw error;
    }
  });
}

async function copyByBackup(source: MoveSource, target: RestoreTarget): Promise<BackupTotals> {
  const file = path.join(target.temporary, `move-${randomBytes(6).toString('hex')}.backup`);
  try {
    await createBackup(file, { ...source, files: null });
    return await restoreBackup(file, target);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Forwards the deliveries that the processes of the old database hold, until no process uses it any more. `reopen`
 * starts the old database if it has stopped with the service, and returns its address. Returns the number of forwarded
 * deliveries.
 */
export async function forwardHeldDeliveries(
  reopen: () => Promise<string>,
  targetUrl: string,
  { quietMs = QUIET_PERIOD_MS }: { quietMs?: number } = {},
): Promise<number> {
  let forwarded = 0;
  let quietSince = Date.now();
  let old: pg.Client | undefined;
  const target = await openWritableClient(targetUrl);
  try {
    do {
      try {
        old ??= await openWritableClient(await reopen());
        forwarded += await forwardHeldBatch(old, target);
        if ((await countOtherConnections(old)) > 0) quietSince = Date.now();
      } catch (error) {
        if (!isDatabaseClosedError(error)) throw error;
        await old?.end().catch(() => undefined);
        old = undefined;
        quietSince = Date.now();
      }
      await pause(FORWARD_INTERVAL_MS);
    } while (Date.now() - quietSince < quietMs);
    return forwarded;
  } finally {
    await Promise.all([old?.end(), target.end()]);
  }
}

/** Forwards what is held now. A delivery that a failure forwards twice is stored once. */
async function forwardHeldBatch(old: pg.Client, target: pg.Client): Promise<number> {
  for (let forwarded = 0; ;) {
    const { rows } = await old.query<{ id: string; row: string }>(
      `SELECT execution_id AS id, row_to_json(held_delivery)::text AS row FROM held_delivery ORDER BY execution_id LIMIT ${FORWARD_BATCH_SIZE}`,
    );
    if (rows.length === 0) return forwarded;
    await target.query(
      `INSERT INTO held_delivery SELECT given.* FROM unnest($1::json[]) row, json_populate_record(NULL::held_delivery, row) given
       ON CONFLICT DO NOTHING`,
      [rows.map(({ row }) => row)],
    );
    await old.query('DELETE FROM held_delivery WHERE execution_id = ANY($1)', [rows.map(({ id }) => id)]);
    forwarded += rows.length;
  }
}

/** Whether the database has stopped, is stopping or is starting. */
const isDatabaseClosedError = (error: unknown) =>
  error instanceof Error &&
  (/^(?:08|57P)/.test((error as pg.DatabaseError).code ?? '') ||
    /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|Client has encountered/.test(error.message));

async function withWritableClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await openWritableClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function requireDatabaseUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new BackupFault('The new database needs an address such as postgres://user:password@host/name.');
}
