import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findPostgresBinaries } from '@/server/platform/db/postgres/postgres-binaries';
import type { Cluster } from './cluster';
import { freePort } from './listen';
import { endServer } from './servers/server-process';
import { until } from './runs';

/** A file of a server, which is its own. */
function writeOwn(folder: string, name: string, text: string): void {
  const file = path.join(folder, 'postgres', name);
  writeFileSync(file, text, { mode: 0o600 });
  const { owner } = findPostgresBinaries(folder);
  if (owner) chownSync(file, owner.uid, owner.gid);
}

/**
 * A base backup of a server that works, by the procedure of PostgreSQL: the files are copied between two statements of
 * one session.
 *
 * @returns a folder as `DATA_DIR` would be
 */
export async function copyServer({ url, dataDir }: Pick<Cluster, 'url' | 'dataDir'>): Promise<string> {
  const folder = mkdtempSync(path.join(path.dirname(dataDir), 'weft-copy-'));
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  try {
    await session.query(`SELECT pg_backup_start('weft', true)`);
    // Files may vanish meanwhile: its exit code says nothing.
    spawnSync('cp', ['-a', `${dataDir}/.`, folder]);
    const { rows } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    rmSync(path.join(folder, 'postgres/postmaster.pid'), { force: true });
    spawnSync('find', [path.join(folder, 'postgres/pg_wal'), '-type', 'f', '-delete']);
    writeOwn(folder, 'backup_label', rows[0]?.labelfile ?? '');
    return folder;
  } finally {
    await session.end();
  }
}

/** Makes a copy one that recovers when it starts, with these settings, until `recovery.signal` is gone. */
export function setRecovery(folder: string, settings: string): void {
  appendFileSync(path.join(folder, 'postgres/postgresql.conf'), `\n${settings}\n`);
  writeOwn(folder, 'recovery.signal', '');
}

/** A server that follows another one. */
export interface Standby {
  url: string;
  /** It takes changes from then on. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a standby of a server, which then waits for it with each commit. */
export async function startStandby(primary: Cluster): Promise<Standby> {
  const folder = await copyServer(primary);
  const { hostname, port: primaryPort, username, password, pathname } = new URL(primary.url);
  writeOwn(folder, 'standby.signal', '');
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    primary_conninfo: `host=${hostname} port=${primaryPort} user=${username} password=${password}`,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const cluster = path.join(folder, 'postgres');
  const { command, args, options } = findPostgresBinaries(cluster).launch('postgres', [
    '-D',
    cluster,
    '-p',
    String(port),
    ...parameters,
  ]);
  const server = spawn(command, args, { ...options, stdio: 'ignore' });
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  await until(
    () =>
      ask(url, 'SELECT 1')
        .then(() => true)
        .catch(() => false),
    'the standby to start',
  );
  await ask(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await ask(primary.url, 'SELECT pg_reload_conf()');
  await until(
    async () => (await ask(primary.url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)) > 0,
    'the standby to be synchronous',
  );
  return {
    url,
    async promote() {
      await ask(url, 'SELECT pg_promote()');
    },
    async remove() {
      await endServer(server, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Executes one statement; the number of rows. */
async function ask(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
