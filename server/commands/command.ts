import { destination, pino } from 'pino';
import { openDatabase } from '@/server/boot/database';
import { madeKeys } from '@/server/boot/keys';
import { connect } from '@/server/db/client';
import { readEnv } from '@/server/env/env';
import { root } from '@/server/root';
import { setRuntime } from '@/server/runtime';

/**
 * Runs an operator's command while the service runs, or without it: same environment, same database. `work` returns the
 * exit code. Output goes to standard output, warnings to standard error.
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
  const database = await openDatabase(env, root, log);
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
