import path from 'node:path';
import { destination, pino } from 'pino';
import { openDatabase } from '../boot/database';
import { madeKeys } from '../boot/keys';
import { connect } from '../db/client';
import { readEnv } from '../env';
import { setRuntime } from '../runtime';

/**
 * Runs an operator's command beside the service, or without it: same environment, same database. `work` answers the
 * exit code; what it has to say goes to standard output, warnings to standard error.
 */
export async function command(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await inService(work);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function inService(work: () => Promise<number>): Promise<number> {
  const log = pino({ name: 'weft', level: 'warn' }, destination(2));
  const env = readEnv(undefined, (dataDir) => madeKeys(dataDir, (message) => log.warn(message)));
  const database = await openDatabase(env, path.resolve(import.meta.dirname, '../..'), log);
  try {
    const { pool, prisma } = connect(database.url);
    setRuntime({ env: { ...env, databaseUrl: database.url }, pool, prisma });
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
