import { destination, pino } from 'pino';
import { openDatabase, type Database } from '@/server/boot/database';
import { madeKeys } from '@/server/boot/keys';
import { connect } from '@/server/db/client';
import { isReadOnlyFailure } from '@/server/db/failures/sql-state';
import { startEmbedded } from '@/server/db/postgres/embedded';
import { readEnv, type Env } from '@/server/env/env';
import { root } from '@/server/root';
import { runtime, setRuntime } from '@/server/runtime';

type Work = () => Promise<number>;

const READ_ONLY =
  'The database takes no changes: the service is in maintenance (`npm run maintenance -- status`), or the database is read-only. Nothing was changed.';

/** Whether the operator asks what a command does. */
export const isHelpWanted = (): boolean => process.argv.slice(2).some((one) => one === '--help' || one === '-h');

interface Found extends Pick<Database, 'url' | 'stop'> {
  /** This process runs the embedded database. */
  isOwner?: boolean;
}

interface CommandOptions {
  /** What `--help` prints, before anything is opened or made. */
  usage: string;
  /** False: the command leaves the schema of the database as it finds it. Default: true */
  isMigrating?: boolean;
}

/**
 * Runs an operator's command while the service runs, or without it: same environment, same database. `work` returns the
 * exit code. Output goes to standard output, warnings to standard error.
 */
export async function command(work: Work, { usage, isMigrating = true }: CommandOptions): Promise<void> {
  if (isHelpWanted()) return void process.stdout.write(usage);
  try {
    process.exitCode = await inService(work, isMigrating);
  } catch (error) {
    process.stderr.write(
      `${isReadOnlyFailure(error) ? READ_ONLY : error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

async function inService(work: Work, isMigrating: boolean): Promise<number> {
  const log = pino({ name: 'weft', level: 'warn' }, destination(2));
  const { databaseDirectUrl, ...rest } = readEnv(undefined, (dataDir) =>
    madeKeys(dataDir, (message) => log.warn(message)),
  );
  // Commands need sessions of their own, and are few: they pass by a pooler.
  const env: Env = { ...rest, databaseUrl: databaseDirectUrl ?? rest.databaseUrl, databaseDirectUrl: undefined };
  let database: Found = await (isMigrating ? openDatabase(env, root, log) : findDatabase(env));
  reopen = async () => {
    if (!database.isOwner) database = await findDatabase(env);
    return database.url;
  };
  try {
    const { pool, aside, prisma } = connect(database.url);
    setRuntime({ env: { ...env, databaseUrl: database.url }, pool, aside, prisma });
    try {
      return await work();
    } finally {
      await prisma.$disconnect();
      await pool.end();
    }
  } finally {
    await database.stop();
  }
}

/** The database as it is. */
async function findDatabase({ databaseUrl, dataDir }: Env): Promise<Found> {
  return databaseUrl ? { url: databaseUrl, stop: async () => undefined } : startEmbedded({ dataDir });
}

let reopen: (() => Promise<string>) | undefined;

/** The address of the database of a command. An embedded database that has stopped with the service is started. */
export async function reopenDatabase(): Promise<string> {
  if (!reopen) throw new Error('no command is running');
  return reopen();
}

/** The address of the database of a command. */
export function databaseUrl(): string {
  const { databaseUrl: url } = runtime().env;
  if (!url) throw new Error('no command is running');
  return url;
}
