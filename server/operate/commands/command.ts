import { destination, pino } from 'pino';
import { openMigratedDatabase, type OpenedDatabase } from '@/server/operate/boot/database';
import { readOrCreateKeys } from '@/server/operate/boot/keys';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { isReadOnlyFailure } from '@/server/platform/db/failures/sql-state';
import { startEmbeddedDatabase } from '@/server/platform/db/postgres/embedded';
import { readServiceEnv, type ServiceEnv } from '@/server/platform/env/env';
import { repositoryRoot } from '@/server/platform/root';
import { getRuntime, setRuntime } from '@/server/platform/runtime';

type CommandWork = () => Promise<number>;

const READ_ONLY_MESSAGE =
  'The database takes no changes: the service is in maintenance (`npm run maintenance -- status`), or the database is read-only. Nothing was changed.';

/** Whether the operator asks what a command does. */
export const isHelpWanted = (): boolean => process.argv.slice(2).some((one) => one === '--help' || one === '-h');

interface CommandDatabase extends Pick<OpenedDatabase, 'url' | 'stop'> {
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
export async function runOperatorCommand(
  work: CommandWork,
  { usage, isMigrating = true }: CommandOptions,
): Promise<void> {
  if (isHelpWanted()) return void process.stdout.write(usage);
  try {
    process.exitCode = await runWithRuntime(work, isMigrating);
  } catch (error) {
    process.stderr.write(
      `${isReadOnlyFailure(error) ? READ_ONLY_MESSAGE : error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

async function runWithRuntime(work: CommandWork, isMigrating: boolean): Promise<number> {
  const log = pino({ name: 'weft', level: 'warn' }, destination(2));
  const { databaseDirectUrl, ...rest } = readServiceEnv(undefined, (dataDir) =>
    readOrCreateKeys(dataDir, (message) => log.warn(message)),
  );
  // Commands need sessions of their own, and are few: they pass by a pooler.
  const env: ServiceEnv = { ...rest, databaseUrl: databaseDirectUrl ?? rest.databaseUrl, databaseDirectUrl: undefined };
  let database: CommandDatabase = await (isMigrating
    ? openMigratedDatabase(env, repositoryRoot, log)
    : openExistingDatabase(env));
  reopenCurrentDatabase = async () => {
    if (!database.isOwner) database = await openExistingDatabase(env);
    return database.url;
  };
  try {
    const { pool, aside, prisma } = openDatabaseConnections(database.url);
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
async function openExistingDatabase({ databaseUrl, dataDir }: ServiceEnv): Promise<CommandDatabase> {
  return databaseUrl ? { url: databaseUrl, stop: async () => undefined } : startEmbeddedDatabase({ dataDir });
}

let reopenCurrentDatabase: (() => Promise<string>) | undefined;

/** The address of the database of a command. An embedded database that has stopped with the service is started. */
export async function reopenCommandDatabase(): Promise<string> {
  if (!reopenCurrentDatabase) throw new Error('no command is running');
  return reopenCurrentDatabase();
}

/** The address of the database of a command. */
export function commandDatabaseUrl(): string {
  const { databaseUrl: url } = getRuntime().env;
  if (!url) throw new Error('no command is running');
  return url;
}
