import path from 'node:path';
import { pino } from 'pino';
import { announce } from './boot/announce';
import { openDatabase } from './boot/database';
import { madeKeys } from './boot/keys';
import { Lifetime } from './boot/lifetime';
import { claimPort, openWeb } from './boot/web';
import { startAuditKeeper } from './auth/audit-keeper';
import { ensureFirstOwner } from './auth/first-owner';
import { settleRenewals } from './connectors/renewal';
import { connect } from './db/client';
import { startRetention } from './engine/retention';
import { startScheduler } from './engine/scheduler';
import { startTally } from './engine/tally';
import { startWorker } from './engine/worker';
import { ConfigurationError, readEnv, tellNextAuth } from './env';
import { closeOutbound } from './outbound';
import { runtime, setRuntime } from './runtime';

/** The repository, seen from `server/main.ts` as well as from `dist/server.mjs`. */
const root = path.resolve(import.meta.dirname, '..');

const lifetime = new Lifetime();

/** From the environment to a process that serves. What it opens is closed in reverse order. */
async function main(): Promise<void> {
  const warnings: string[] = [];
  const env = readEnv(undefined, (dataDir) => madeKeys(dataDir, (message) => warnings.push(message)));
  const log = pino({ name: 'weft', level: env.logLevel });
  for (const warning of warnings) log.warn(warning);
  const isWeb = env.role !== 'worker';
  const isWorker = env.role !== 'web';
  if (isWeb) await claimPort(env);

  const database = await openDatabase(env, root, log);
  lifetime.add('database', () => database.stop());
  const { pool, prisma } = connect(database.url);
  lifetime.add('connections', async () => {
    // Tokens that a provider has just handed out must not get lost.
    await settleRenewals();
    await closeOutbound();
    await prisma.$disconnect();
    await pool.end();
  });
  setRuntime({ env: { ...env, databaseUrl: database.url }, pool, prisma });
  if (env.redisUrl) {
    // Loaded where it is wanted: its libraries take more memory than anything else of the worker.
    const { redisDispatcher } = await import('./dispatch/redis');
    const dispatcher = redisDispatcher(env.redisUrl);
    lifetime.add('dispatcher', () => dispatcher.close());
    setRuntime({ ...runtime(), dispatcher });
  }
  tellNextAuth(env.apiBaseUrl);
  const ownership = await ensureFirstOwner();

  const auditKeeper = startAuditKeeper();
  lifetime.add('audit log', () => auditKeeper.stop());

  // First the web: a backlog must not keep it from opening. It is added last, and so closed first.
  const web = isWeb ? await openWeb(env, root, log) : undefined;
  if (isWorker) {
    const scheduler = await startScheduler();
    lifetime.add('scheduler', () => scheduler.stop());
    const tally = startTally();
    lifetime.add('tally', () => tally.stop());
    const retention = startRetention();
    lifetime.add('retention', () => retention.stop());
    // The last of these: at the end it is told first, and begins nothing more.
    const worker = await startWorker({ concurrency: env.workerConcurrency });
    lifetime.add('worker', () => worker.stop());
  }
  if (web) lifetime.add('web', () => web.close());
  announce({ env, ownership, isWeb, isWorker, databasePid: database.pid });
}

/** What the operator can put right needs no stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigurationError || 'syscall' in error ? error.message : (error.stack ?? error.message);
}

lifetime.endOnSignals();
try {
  await main();
} catch (error) {
  // What fails because the end has begun is no failure.
  if (!lifetime.isEnding) {
    process.stderr.write(`${describe(error)}\n`);
    await lifetime.end(1);
  }
}
