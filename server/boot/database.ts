import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { startEmbedded } from '../db/embedded';
import { migrate } from '../db/migrate';
import { ConfigurationError, type Env } from '../env';

/** The database this process works on, migrated. */
export interface Database {
  url: string;
  /** The embedded server's process; null for an outside database. */
  pid: number | null;
  /** Ends the embedded server if this process runs it. */
  stop(): Promise<void>;
}

const NOTEWORTHY = / (FATAL|PANIC): |unexpectedly|could not/;
/** Of every connection that is still open when the server is stopped. */
const AT_ITS_END = 'due to administrator command';

const PATIENCE_MS = 60_000;

/** Opens the outside PostgreSQL, which may itself just be starting, or the embedded one. */
export async function openDatabase(env: Env, root: string, log: Logger): Promise<Database> {
  const database = env.databaseUrl ? await outside(env.databaseUrl, log) : await embedded(env.dataDir, log);
  try {
    const applied = await migrate(database.url, path.join(root, 'prisma/migrations'));
    if (applied.length > 0) log.info({ migrations: applied }, 'the database was brought up to date');
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

function embedded(dataDir: string, log: Logger) {
  return startEmbedded({
    dataDir,
    log: (line) => (NOTEWORTHY.test(line) && !line.includes(AT_ITS_END) ? log.warn(line) : log.debug(line)),
  });
}

async function outside(url: string, log: Logger): Promise<Database> {
  const { host } = new URL(url);
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(1000)) {
    const failure = await probe(url);
    if (!failure) return { url, pid: null, stop: async () => undefined };
    if (Date.now() > deadline || !isPassing(failure)) {
      throw new ConfigurationError([`DATABASE_URL at ${host} can't be used: ${failure.message || failure.code}`]);
    }
    log.warn(`waiting for the database at ${host}: ${failure.message || failure.code}`);
  }
}

async function probe(url: string): Promise<NodeJS.ErrnoException | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // What goes wrong is reported by the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A wrong password or an unknown database stays wrong; a server that isn't up yet (57P03, or no answer) comes. */
const isPassing = ({ code, message }: NodeJS.ErrnoException) =>
  code === '57P03' || (code?.length !== 5 && !/password|authentication|SSL|certificate/i.test(message));
