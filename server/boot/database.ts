import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOperatorLine, startEmbedded } from '@/server/db/postgres/embedded';
import { classifyFailure } from '@/server/db/failures/verdict';
import { migrate } from '@/server/db/migrate';
import { openSession, type SessionKind } from '@/server/db/session';
import { ConfigurationError, type Env } from '@/server/env/env';

/** The migrated database of this process. */
export interface Database {
  url: string;
  /** The embedded server's process; null for an outside database. */
  pid: number | null;
  /** Stops the embedded server if this process runs it. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 60_000;

/** Opens the outside PostgreSQL, which may itself just be starting, or the embedded one, by `embedded`. */
export async function openDatabase(env: Env, root: string, log: Logger, embedded = startHere): Promise<Database> {
  const database = env.databaseUrl
    ? await outside(env.databaseUrl, env.databaseDirectUrl, log)
    : await embedded(env, log);
  try {
    const applied = await migrate(env.databaseDirectUrl ?? database.url, path.join(root, 'prisma/migrations'));
    if (applied.length > 0) log.info({ migrations: applied }, 'the database schema was migrated');
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const startHere = ({ dataDir }: Env, log: Logger): Promise<Database> =>
  startEmbedded({ dataDir, log: (line) => (isOperatorLine(line) ? log.warn(line) : log.debug(line)) });

async function outside(url: string, direct: string | undefined, log: Logger): Promise<Database> {
  if (direct) await untilOpen('DATABASE_DIRECT_URL', direct, 'command', log);
  // What is set in a session of a pooler stays there for others: those have the limits of the service.
  await untilOpen('DATABASE_URL', url, direct ? 'service' : 'command', log);
  return { url, pid: null, stop: async () => undefined };
}

async function untilOpen(name: string, url: string, kind: SessionKind, log: Logger): Promise<void> {
  const { host } = new URL(url);
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(1000)) {
    const failure = await probe(url, kind);
    if (!failure) return;
    // A server that is not ready yet is asked again; a wrong password or an unknown database is final.
    if (Date.now() > deadline || classifyFailure(failure) !== 'away') {
      throw new ConfigurationError([`${name} at ${host} can't be used: ${failure.message || failure.code}`]);
    }
    log.warn(`waiting for the database at ${host}: ${failure.message || failure.code}`);
  }
}

async function probe(url: string, kind: SessionKind): Promise<NodeJS.ErrnoException | null> {
  try {
    await (await openSession(url, kind)).end();
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
