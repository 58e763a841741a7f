import { pino, type Logger } from 'pino';
import { ALONE, beAlone, startAloneProcesses } from '@/server/boot/alone';
import { announce } from '@/server/boot/announce';
import { openDatabase } from '@/server/boot/database';
import { madeKeys } from '@/server/boot/keys';
import { BackgroundWork, type AddPart } from '@/server/boot/background-work';
import { beginDraining } from '@/server/http/draining';
import { requireWritableFolders } from '@/server/boot/folders';
import { writeJsonOnly } from '@/server/boot/json-output';
import { Lifetime } from '@/server/boot/lifetime';
import { watchMaintenance } from '@/server/boot/maintenance-watch';
import { Supervision } from '@/server/boot/supervision';
import { startAlerts } from '@/server/alerts/alerts';
import { startAuditMaintenance } from '@/server/audit/maintenance';
import { sweepSignIns } from '@/server/auth/sweep';
import { ensureFirstOwner } from '@/server/accounts/first-owner';
import { settleRefreshes } from '@/server/connectors/authorization/refresh';
import { connect } from '@/server/db/client';
import { closeEvaluation } from '@/server/evaluation/evaluation';
import { newId } from '@/server/db/ids';
import { storeSessionLimits } from '@/server/db/pooler';
import { removeWorker } from '@/server/engine/queue/lease';
import { startHeldDeliveries } from '@/server/engine/queue/held-deliveries';
import { startEndings } from '@/server/engine/endings/endings';
import { startPoller } from '@/server/engine/polls/poller';
import { startRetention } from '@/server/engine/store/retention';
import { startScheduler } from '@/server/engine/queue/scheduler';
import { startTally } from '@/server/engine/store/tally';
import { startWorker } from '@/server/engine/worker';
import { requireKnownConnectors } from '@/server/connectors/known-settings';
import { ConfigurationError, readEnv, configureNextAuth, type Env } from '@/server/env/env';
import { startFileKeeper } from '@/server/files/keeper';
import { startMemoryKeeper } from '@/server/remember/keeper';
import { startTableKeeper } from '@/server/tables/keeper';
import { closeOutbound } from '@/server/outbound/connections';
import { claimPort, listen } from '@/server/boot/listen';
import { startMemoryReturn } from '@/server/boot/memory-return';
import { createProbeServer } from '@/server/http/probes';
import { say } from '@/server/boot/say';
import { maintenance } from './maintenance';
import { root } from './root';
import { log } from './log';
import { runtime, setRuntime } from './runtime';

writeJsonOnly();

/** A run that may crash its process runs in a separate one: this program with an argument. */
const isAlone = process.argv[2] === ALONE;
/** One run needs few connections to the database. */
const ALONE_CONNECTIONS = 4;
const supervision = Supervision.find();
const lifetime = new Lifetime({ isQuiet: isAlone || supervision !== undefined });

/** Settings that every process reads first. */
function configure(): { env: Env; log: Logger } {
  const warnings: string[] = [];
  const env = readEnv(undefined, (dataDir) => madeKeys(dataDir, (message) => warnings.push(message)));
  requireKnownConnectors(env);
  const log = pino({ name: 'weft', level: env.logLevel });
  for (const warning of warnings) log.warn(warning);
  return { env, log };
}

/** Services that every process starts after it knows its database. */
async function open(env: Env, databaseUrl: string, max?: number): Promise<void> {
  const { pool, aside, prisma } = connect(databaseUrl, { max, directUrl: env.databaseDirectUrl });
  lifetime.add('connections', async () => {
    // Tokens that a provider has just issued must not get lost.
    await settleRefreshes();
    closeEvaluation();
    await closeOutbound();
    await prisma.$disconnect();
    await pool.end();
  });
  setRuntime({ env: { ...env, databaseUrl }, pool, aside, prisma });
  if (env.otlpEndpoint) {
    const { openTracing } = await import('@/server/tracing/opentelemetry');
    const tracing = openTracing((message) => log().warn(message));
    lifetime.add('traces', () => tracing.close());
    setRuntime({ ...runtime(), tracing });
  }
  if (!env.redisUrl) return;
  // Loaded on demand: its libraries take more memory than the rest of the worker.
  const { redisDispatcher } = await import('@/server/dispatch/redis');
  const dispatcher = redisDispatcher(env.redisUrl);
  lifetime.add('dispatcher', () => dispatcher.close());
  setRuntime({ ...runtime(), dispatcher });
}

/** Starts the process from the environment. Resources close in reverse order of opening. */
async function main(): Promise<void> {
  const { env, log } = configure();
  await requireWritableFolders(env);
  const isWeb = env.role !== 'worker';
  const isWorker = env.role !== 'web';
  if (isWeb) await claimPort(env);
  const [database, webHalf] = await Promise.all([
    openDatabase(env, root, log, supervision && ((own) => supervision.openDatabase(own))).then((opened) => {
      lifetime.add('database', () => opened.stop());
      return opened;
    }),
    // Loaded on demand, like Redis: a worker needs no pages. PostgreSQL starts meanwhile.
    isWeb ? import('@/server/boot/web') : undefined,
  ]);
  await open(env, database.url);
  if (env.databaseDirectUrl) await storeSessionLimits(runtime().pool);
  configureNextAuth(env.apiBaseUrl);
  const ownership = await ensureFirstOwner();
  // Metrics and signs of life come before the rest; readiness only when requests are taken.
  let isStarted = false;
  if (env.probePort !== undefined) {
    const probes = createProbeServer(() => isStarted);
    await listen(probes, 'PROBE_PORT', { port: env.probePort, host: env.host });
    lifetime.add('probes', async () => {
      const closed = new Promise((resolve) => probes.close(resolve));
      probes.closeAllConnections();
      await closed;
    });
  }

  const background = new BackgroundWork((add) => work(env, add));
  lifetime.add('background work', () => {
    beginDraining();
    return background.end();
  });
  const watch = await watchMaintenance((isOn) => (isOn ? background.stop() : background.start()));
  lifetime.add('maintenance watch', () => watch.stop());

  // The web starts first: a backlog must not delay it. It is registered last, and so closes first.
  const web = await webHalf?.openWeb(env, root, log);
  if (!maintenance()) await background.start();
  if (web) lifetime.add('web', () => web.close());
  isStarted = true;
  lifetime.add('memory return', startMemoryReturn());
  announce({ env, ownership, isWeb, isWorker, databasePid: database.pid });
  supervision?.report({ kind: 'ready' });
}

/** Starts all background work of this process. */
async function work(env: Env, add: AddPart): Promise<void> {
  add('audit log', startAuditMaintenance(sweepSignIns));
  add('files', startFileKeeper());
  if (env.role === 'web') return;
  add('scheduler', await startScheduler());
  add('poller', startPoller());
  add('tally', startTally());
  add('tables', startTableKeeper());
  add('endings', startEndings());
  add('alerts', startAlerts());
  add('remembered values', startMemoryKeeper());
  add('retention', startRetention());
  add('held deliveries', startHeldDeliveries());
  // The supervisor has seen the worker die: its runs need not wait for their lease to expire.
  const predecessor = supervision?.predecessor;
  if (predecessor) await removeWorker(predecessor);
  const aloneProcesses = startAloneProcesses(import.meta.filename);
  const id = newId('wrk');
  supervision?.report({ kind: 'worker', id });
  const worker = await startWorker({ concurrency: env.workerConcurrency, id, isAfterCrash: predecessor !== undefined });
  // Added last: it is stopped first and claims no further runs.
  add('worker', { stop: async () => void (await Promise.all([worker.stop(), aloneProcesses.stop()])) });
}

/** Executes one run after the other, and nothing else. */
async function alone(): Promise<void> {
  await beAlone((databaseUrl) => open(configure().env, databaseUrl, ALONE_CONNECTIONS));
  await lifetime.end(0);
}

/** Configuration errors need no stack trace. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigurationError || 'syscall' in error ? error.message : (error.stack ?? error.message);
}

if (!isAlone) lifetime.endOnSignals();
supervision?.follow(lifetime);
try {
  await (isAlone ? alone() : main());
} catch (error) {
  // Errors caused by the shutdown are not failures.
  if (!lifetime.isEnding) {
    say(describe(error), { isError: true });
    await lifetime.end(1);
  }
}
