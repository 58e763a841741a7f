import { pino, type Logger } from 'pino';
import { ISOLATED_RUN_ARGUMENT, runIsolatedProcess, startIsolatedProcesses } from '@/server/operate/boot/isolated-runs';
import { announceStart } from '@/server/operate/boot/announce';
import { openMigratedDatabase } from '@/server/operate/boot/database';
import { readOrCreateKeys } from '@/server/operate/boot/keys';
import { BackgroundWork, type AddBackgroundPart } from '@/server/operate/boot/background-work';
import { beginDraining } from '@/server/api/http/draining';
import { requireWritableFolders } from '@/server/operate/boot/folders';
import { redirectOutputToJson } from '@/server/operate/boot/json-output';
import { ProcessLifetime } from '@/server/operate/boot/lifetime';
import { watchMaintenance } from '@/server/operate/boot/maintenance-watch';
import { SupervisorLink } from '@/server/operate/boot/supervision';
import { startAlertLoop } from '@/server/network/alerts/alerts';
import { startAuditMaintenance } from '@/server/people/audit/maintenance';
import { sweepExpiredSignIns } from '@/server/people/auth/sweep';
import { ensureFirstOwner } from '@/server/people/accounts/first-owner';
import { waitForRefreshes } from '@/server/connectors/authorization/refresh';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { closeEvaluation } from '@/server/evaluation/evaluator/evaluation';
import { generateId } from '@/server/platform/db/ids';
import { storeRoleSettings } from '@/server/platform/db/pooler';
import { removeDeadWorker } from '@/server/engine/queue/lease';
import { startHeldDeliveryLoop } from '@/server/engine/queue/held-deliveries';
import { startRunEndingLoop } from '@/server/engine/endings/endings';
import { startPollLoop } from '@/server/triggers/polls/poller';
import { startSubscriptionLoop } from '@/server/triggers/subscriptions/loop';
import { startDailyCleanUp } from '@/server/engine/store/retention';
import { startScheduleLoop } from '@/server/triggers/schedules/scheduler';
import { startTallyTimer } from '@/server/engine/store/tally';
import { startWorker } from '@/server/engine/worker';
import { requireKnownConnectors } from '@/server/connectors/known-settings';
import { ConfigurationError, readServiceEnv, configureNextAuth, type ServiceEnv } from '@/server/platform/env/env';
import { startFileKeeper } from '@/server/data/files/keeper';
import { startMemoryKeeper } from '@/server/data/remember/keeper';
import { startTableKeeper } from '@/server/data/tables/keeper';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { requireFreePort, listenOnPort } from '@/server/operate/boot/listen';
import { startMemoryReturn } from '@/server/operate/boot/memory-return';
import { createProbeServer } from '@/server/api/http/probes';
import { printMessage } from '@/server/operate/boot/print-message';
import { currentMaintenance } from '@/server/platform/maintenance';
import { repositoryRoot } from '@/server/platform/root';
import { serviceLog } from '@/server/platform/log';
import { getRuntime, setRuntime } from '@/server/platform/runtime';

redirectOutputToJson();

/** A run that may crash its process runs in a separate one: this program with an argument. */
const isIsolatedProcess = process.argv[2] === ISOLATED_RUN_ARGUMENT;
/** One run needs few connections to the database. */
const ISOLATED_RUN_CONNECTIONS = 4;
const supervisorLink = SupervisorLink.find();
const processLifetime = new ProcessLifetime({ isQuiet: isIsolatedProcess || supervisorLink !== undefined });

/** Settings that every process reads first. */
function readConfiguration(): { env: ServiceEnv; log: Logger } {
  const warnings: string[] = [];
  const env = readServiceEnv(undefined, (dataDir) => readOrCreateKeys(dataDir, (message) => warnings.push(message)));
  requireKnownConnectors(env);
  const log = pino({ name: 'weft', level: env.logLevel });
  for (const warning of warnings) log.warn(warning);
  return { env, log };
}

/** Services that every process starts after it knows its database. */
async function openServices(env: ServiceEnv, databaseUrl: string, max?: number): Promise<void> {
  const { pool, aside, prisma } = openDatabaseConnections(databaseUrl, { max, directUrl: env.databaseDirectUrl });
  processLifetime.add('connections', async () => {
    // Tokens that a provider has just issued must not get lost.
    await waitForRefreshes();
    closeEvaluation();
    await closeOutboundConnections();
    await prisma.$disconnect();
    await pool.end();
  });
  setRuntime({ env: { ...env, databaseUrl }, pool, aside, prisma });
  if (env.otlpEndpoint) {
    const { openTraceExport: openTracing } = await import('@/server/platform/tracing/opentelemetry');
    const tracing = openTracing((message) => serviceLog().warn(message));
    processLifetime.add('traces', () => tracing.close());
    setRuntime({ ...getRuntime(), tracing });
  }
  if (!env.redisUrl) return;
  // Loaded on demand: its libraries take more memory than the rest of the worker.
  const { createRedisDispatcher: redisDispatcher } = await import('@/server/platform/dispatch/redis');
  const dispatcher = redisDispatcher(env.redisUrl);
  processLifetime.add('dispatcher', () => dispatcher.close());
  setRuntime({ ...getRuntime(), dispatcher });
}

/** Starts the process from the environment. Resources close in reverse order of opening. */
async function startService(): Promise<void> {
  const { env, log } = readConfiguration();
  await requireWritableFolders(env);
  const isWeb = env.role !== 'worker';
  const isWorker = env.role !== 'web';
  if (isWeb) await requireFreePort(env);
  const [database, webHalf] = await Promise.all([
    openMigratedDatabase(env, repositoryRoot, log, supervisorLink && ((own) => supervisorLink.openDatabase(own))).then(
      (opened) => {
        processLifetime.add('database', () => opened.stop());
        return opened;
      },
    ),
    // Loaded on demand, like Redis: a worker needs no pages. PostgreSQL starts meanwhile.
    isWeb ? import('@/server/operate/boot/web') : undefined,
  ]);
  await openServices(env, database.url);
  if (env.databaseDirectUrl) await storeRoleSettings(getRuntime().pool);
  configureNextAuth(env.apiBaseUrl);
  const ownership = await ensureFirstOwner();
  // Metrics and signs of life come before the rest; readiness only when requests are taken.
  let isStarted = false;
  if (env.probePort !== undefined) {
    const probes = createProbeServer(() => isStarted);
    await listenOnPort(probes, 'PROBE_PORT', { port: env.probePort, host: env.host });
    processLifetime.add('probes', async () => {
      const closed = new Promise((resolve) => probes.close(resolve));
      probes.closeAllConnections();
      await closed;
    });
  }

  const background = new BackgroundWork((add) => startBackgroundWork(env, add));
  processLifetime.add('background work', () => {
    beginDraining();
    return background.end();
  });
  const watch = await watchMaintenance((isOn) => (isOn ? background.stop() : background.start()));
  processLifetime.add('maintenance watch', () => watch.stop());

  // The web starts first: a backlog must not delay it. It is registered last, and so closes first.
  const web = await webHalf?.openWebServer(env, repositoryRoot, log);
  if (!currentMaintenance()) await background.start();
  if (web) processLifetime.add('web', () => web.close());
  isStarted = true;
  processLifetime.add('memory return', startMemoryReturn());
  announceStart({ env, ownership, isWeb, isWorker, databasePid: database.pid });
  supervisorLink?.report({ kind: 'ready' });
}

/** Starts all background work of this process. */
async function startBackgroundWork(env: ServiceEnv, add: AddBackgroundPart): Promise<void> {
  add('audit log', startAuditMaintenance(sweepExpiredSignIns));
  add('files', startFileKeeper());
  if (env.role === 'web') return;
  add('scheduler', await startScheduleLoop());
  add('poller', startPollLoop());
  const subscriptions = startSubscriptionLoop();
  add('subscriptions', subscriptions);
  add('tally', startTallyTimer());
  add('tables', startTableKeeper());
  add('endings', startRunEndingLoop());
  add('alerts', startAlertLoop());
  add('remembered values', startMemoryKeeper());
  add('retention', startDailyCleanUp());
  add('held deliveries', startHeldDeliveryLoop());
  // The supervisor has seen the worker die: its runs need not wait for their lease to expire.
  const predecessor = supervisorLink?.predecessor;
  if (predecessor) await removeDeadWorker(predecessor);
  const aloneProcesses = startIsolatedProcesses(import.meta.filename);
  const id = generateId('wrk');
  supervisorLink?.report({ kind: 'worker', id });
  const worker = await startWorker({
    concurrency: env.workerConcurrency,
    id,
    isAfterCrash: predecessor !== undefined,
    onSubscriptions: subscriptions.wake,
  });
  // Added last: it is stopped first and claims no further runs.
  add('worker', { stop: async () => void (await Promise.all([worker.stop(), aloneProcesses.stop()])) });
}

/** Executes one run after the other, and nothing else. */
async function runIsolated(): Promise<void> {
  await runIsolatedProcess((databaseUrl) =>
    openServices(readConfiguration().env, databaseUrl, ISOLATED_RUN_CONNECTIONS),
  );
  await processLifetime.end(0);
}

/** Configuration errors need no stack trace. */
function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigurationError || 'syscall' in error ? error.message : (error.stack ?? error.message);
}

if (!isIsolatedProcess) processLifetime.endOnSignals();
supervisorLink?.follow(processLifetime);
try {
  await (isIsolatedProcess ? runIsolated() : startService());
} catch (error) {
  // Errors caused by the shutdown are not failures.
  if (!processLifetime.isEnding) {
    printMessage(describeStartError(error), { isError: true });
    await processLifetime.end(1);
  }
}
