import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOperatorLogLine, startEmbeddedDatabase } from '@/server/platform/db/postgres/embedded';
import { classifyDatabaseFailure } from '@/server/platform/db/failures/verdict';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { openDatabaseSession, type DatabaseSessionType } from '@/server/platform/db/session';
import { ConfigurationError, type ServiceEnv } from '@/server/platform/env/env';

/** The migrated database of this process. */
export interface OpenedDatabase {
  url: string;
  /** The embedded server's process; null for an outside database. */
  pid: number | null;
  /** Stops the embedded server if this process runs it. */
  stop(): Promise<void>;
}

const DATABASE_START_TIMEOUT_MS = 60_000;

/** Opens the outside PostgreSQL, which may itself just be starting, or the embedded one, by `embedded`. */
export async function openMigratedDatabase(
  env: ServiceEnv,
  root: string,
  log: Logger,
  embedded = startLocalDatabase,
): Promise<OpenedDatabase> {
  const database = env.databaseUrl
    ? await openExternalDatabase(env.databaseUrl, env.databaseDirectUrl, log)
    : await embedded(env, log);
  try {
    const applied = await migrateDatabase(env.databaseDirectUrl ?? database.url, path.join(root, 'prisma/migrations'));
    if (applied.length > 0) log.info({ migrations: applied }, 'the database schema was migrated');
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const startLocalDatabase = ({ dataDir }: ServiceEnv, log: Logger): Promise<OpenedDatabase> =>
  startEmbeddedDatabase({ dataDir, log: (line) => (isOperatorLogLine(line) ? log.warn(line) : log.debug(line)) });

async function openExternalDatabase(url: string, direct: string | undefined, log: Logger): Promise<OpenedDatabase> {
  if (direct) await waitUntilReachable('DATABASE_DIRECT_URL', direct, 'command', log);
  // What is set in a session of a pooler stays there for others: those have the limits of the service.
  await waitUntilReachable('DATABASE_URL', url, direct ? 'service' : 'command', log);
  return { url, pid: null, stop: async () => undefined };
}

async function waitUntilReachable(name: string, url: string, kind: DatabaseSessionType, log: Logger): Promise<void> {
  const { host } = new URL(url);
  for (const deadline = Date.now() + DATABASE_START_TIMEOUT_MS; ; await pause(1000)) {
    const failure = await probeDatabase(url, kind);
    if (!failure) return;
    // A server that is not ready yet is asked again; a wrong password or an unknown database is final.
    if (Date.now() > deadline || classifyDatabaseFailure(failure) !== 'away') {
      throw new ConfigurationError([`${name} at ${host} can't be used: ${failure.message || failure.code}`]);
    }
    log.warn(`waiting for the database at ${host}: ${failure.message || failure.code}`);
  }
}

async function probeDatabase(url: string, kind: DatabaseSessionType): Promise<NodeJS.ErrnoException | null> {
  try {
    await (await openDatabaseSession(url, kind)).end();
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
