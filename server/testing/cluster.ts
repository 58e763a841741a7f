import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbedded, type EmbeddedDatabase } from '../db/embedded';

/** What a test server may do without: it need not outlive the machine. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

/** A PostgreSQL of its own in a temporary folder, for tests that stop, kill or restart it. */
export interface Cluster {
  /** Its folder, as `DATA_DIR` would be. */
  dataDir: string;
  readonly url: string;
  readonly pid: number;
  /** Ends the server and starts it again on the same port. `kill`: as a crash. */
  restart(how?: 'stop' | 'kill'): Promise<void>;
  /** Ends it for a while; `restart` brings it back. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-cluster-'));
  const start = () => startEmbedded({ dataDir, settings: { ...FAST, ...settings } });
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
      // A killed server is started again by its keeper as well; stopping that first leaves one who does it.
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

/** The same server's address with another database in it. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** A copy of the database `template` of the server at `url`; nobody may be connected to it. */
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
