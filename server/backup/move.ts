import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { backup, type BackupSource } from './backup';
import { BackupFault } from './fault';
import type { Totals } from './records';
import { restore, type RestoreTarget } from './restore';

/** How long a server may take to forget connections that are closed. */
const PATIENCE_MS = 10_000;

/**
 * Copies all rows of a database that nobody uses into an empty one, by a backup in the folder `temporary`, which needs the room for it. The
 * bytes of files stay where they are. Throws a BackupFault if another program is connected to the source, before or after the copy.
 */
export async function move(
  source: Omit<BackupSource, 'files'>,
  target: RestoreTarget,
  patienceMs = PATIENCE_MS,
): Promise<Totals> {
  requireAddress(target.url);
  await requireUnused(source.url, patienceMs, 'Nothing was moved.');
  const file = path.join(target.temporary, `move-${randomBytes(6).toString('hex')}.backup`);
  try {
    await backup(file, { ...source, files: null });
    const totals = await restore(file, target);
    // Whoever came meanwhile may have written what the copy lacks.
    await requireUnused(
      source.url,
      patienceMs,
      'The copy may lack what they wrote: empty the new database and move again.',
    );
    return totals;
  } finally {
    await rm(file, { force: true });
  }
}

function requireAddress(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new BackupFault('The new database needs an address such as postgres://user:password@host/name.');
}

async function requireUnused(url: string, patienceMs: number, consequence: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The current query reports a broken connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const deadline = Date.now() + patienceMs; ; await pause(50)) {
      const others = await connectionsOf(client);
      if (others === 0) return;
      if (Date.now() >= deadline)
        throw new BackupFault(
          `The database is in use, open connections: ${others}. Stop all processes of the service first. ${consequence}`,
        );
    }
  } finally {
    await client.end();
  }
}

/** The number of other connections to the database of a client. */
async function connectionsOf(client: pg.Client): Promise<number> {
  // Roles without the right to see the kind of a process see null.
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::int AS others FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
       AND coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows[0]?.others ?? 0;
}
