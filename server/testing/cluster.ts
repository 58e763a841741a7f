import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '@/server/platform/db/postgres/embedded';

/** Settings of a test server, without durability. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  autovacuum: 'off',
};

const MEMORY = '/dev/shm';
/** A run's databases take a tenth of it. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where clusters live: in memory if the system has room there. Tests create and remove thousands of files of tables,
 * which takes more CPU time on a disk's file system than their statements do.
 */
function clusters(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A separate PostgreSQL in a temporary folder, for tests that stop, kill or restart it. */
export interface Cluster {
  /** Its folder, as `DATA_DIR` would be. */
  dataDir: string;
  readonly url: string;
  readonly pid: number;
  /** Stops the server and starts it again on the same port. `kill`: simulates a crash. */
  restart(how?: 'stop' | 'kill'): Promise<void>;
  /** Stops the server until `restart`. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** `template`: a folder like its own of a stopped server, to begin with. */
export async function startCluster(settings: Record<string, string> = {}, template?: string): Promise<Cluster> {
  const dataDir = mkdtempSync(path.join(clusters(), 'weft-cluster-'));
  if (template) copyDataDir(template, dataDir);
  const start = () => startEmbeddedDatabase({ dataDir, settings: { ...FAST, ...settings } });
  let database: EmbeddedDatabase = await start();
  return {
    dataDir,
    get url() {
      return database.url;
    },
    get pid() {
      return database.pid;
    },
    async restart(how = 'stop') {
      // The keeper also restarts a killed server: it is stopped first, so that only one restarts it.
      if (how === 'kill') process.kill(database.pid, 'SIGKILL');
      await database.stop();
      database = await start();
    },
    stop: () => database.stop(),
    async remove() {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Copies the folder of a stopped server: a copy takes a tenth of the time that a new server takes. */
export function copyDataDir(from: string, to: string): void {
  // Keeps the owner, who may be another user.
  execFileSync('cp', ['-a', `${from}/.`, to]);
  const file = path.join(to, 'database.url');
  const url = new URL(readFileSync(file, 'utf8').trim());
  // Each chooses a port of its own, as at its first start.
  url.port = '1';
  writeFileSync(file, `${url.href}\n`);
}

/** The same server's address with another database in it. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** A copy of the database `template` of the server at `url`; the template must have no connections. */
export async function cloneDatabase(url: string, template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: addressOf(url, name),
    drop: () => administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

export async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(url, 'postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
