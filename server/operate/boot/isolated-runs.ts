import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { generateId } from '@/server/platform/db/ids';
import { runIsolatedWorker } from '@/server/engine/isolated-worker';
import type { NodeTypeRegistry } from '@/server/workflow/definition/graph';
import { removeDeadWorker } from '@/server/engine/queue/lease';
import { repeatAction } from '@/server/platform/timers/repeat';
import { isIsolatedRunDue } from '@/server/engine/queue/quarantine';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';

/** The argument that starts this program as a process for isolated runs. */
export const ISOLATED_RUN_ARGUMENT = 'alone';

/**
 * The first message of the parent. Not sent in the environment or arguments, because the address contains a password.
 */
const IsolatedRunOrders = z.object({ workerId: z.string(), databaseUrl: z.string() });
type IsolatedRunOrders = z.infer<typeof IsolatedRunOrders>;
/** The message of the child when its run takes long. */
const LONG_RUN_MESSAGE = 'long';

const ISOLATED_POLL_INTERVAL_MS = 500;
/** There is more than one process only while runs take long. */
const MAX_ISOLATED_PROCESSES = 4;
/** Delay before the restart after a crash; doubles with each crash. */
const ISOLATED_BACKOFF_MS = 500;
const MAX_ISOLATED_BACKOFF_MS = 5000;

interface IsolatedProcess {
  child: ChildProcess;
  isLong: boolean;
  exit: Promise<void>;
}

/**
 * Keeps a child process while there are runs that must be isolated. A run that crashes the child is identified by that;
 * this process and all other runs are not affected. `program`: the file of this program, which accepts
 * `ISOLATED_RUN_ARGUMENT`.
 */
export function startIsolatedProcesses(
  program: string,
  { maxBackoffMs = MAX_ISOLATED_BACKOFF_MS } = {},
): { stop(): Promise<void> } {
  const execution = tiedProcessCommand();
  const processes = new Set<IsolatedProcess>();
  let isStopping = false;
  let deaths = 0;
  let notBefore = 0;

  async function look(): Promise<void> {
    const isWanted = processes.size < MAX_ISOLATED_PROCESSES && [...processes].every(({ isLong }) => isLong);
    if (isWanted && performance.now() >= notBefore && (await isIsolatedRunDue()) && !isStopping) start();
  }

  function start(): void {
    const orders: IsolatedRunOrders = { workerId: generateId('wrk'), databaseUrl: getRuntime().env.databaseUrl ?? '' };
    const child = fork(program, [ISOLATED_RUN_ARGUMENT], execution);
    const started = { child, isLong: false, exit: untilEnd(child, orders.workerId) };
    processes.add(started);
    void started.exit.then(() => processes.delete(started));
    serviceLog().info({ pid: child.pid }, 'a process for isolated runs was started');
    child.on('message', (message) => (started.isLong ||= message === LONG_RUN_MESSAGE));
    // If the child is gone already, its exit event reports that.
    child.send(orders, () => undefined);
  }

  /** Releases the run of a crashed process; never rejects. */
  async function untilEnd(child: ChildProcess, workerId: string): Promise<void> {
    const exit = await once(child, 'exit').catch((error: unknown) => [error]);
    if (exit[0] === 0) return void (deaths = 0);
    notBefore = performance.now() + Math.min(ISOLATED_BACKOFF_MS * 2 ** deaths, maxBackoffMs);
    deaths += 1;
    serviceLog().error({ worker: workerId, pid: child.pid, exit }, 'the process of an isolated run died');
    // If the database is unavailable, the lease expires.
    await removeDeadWorker(workerId).catch((error: unknown) =>
      serviceLog().warn({ err: error }, 'its run could not be released and is released when its lease expires'),
    );
  }

  const looking = repeatAction(look, ISOLATED_POLL_INTERVAL_MS, (error) =>
    serviceLog().error({ err: error }, 'the search for isolated runs failed'),
  );
  looking.wake();
  return {
    async stop() {
      isStopping = true;
      await looking.stop();
      for (const { child } of processes) child.kill('SIGTERM');
      await Promise.all([...processes].map(({ exit }) => exit));
    },
  };
}

/**
 * How to start a process that ends with this one: by the kernel (setpriv) if possible, else by `runIsolatedProcess`.
 */
function tiedProcessCommand() {
  const { execPath, execArgv } = process;
  const hasSetpriv = process.platform === 'linux' && spawnSync('setpriv', ['--version']).status === 0;
  if (!hasSetpriv) return { execPath, execArgv };
  return { execPath: 'setpriv', execArgv: ['--pdeathsig', 'KILL', execPath, ...execArgv] };
}

/**
 * The child's side: resolves when there is nothing more to run, or after a stop signal. `open` opens the database at
 * this address.
 */
export async function runIsolatedProcess(
  open: (databaseUrl: string) => Promise<void>,
  kinds?: NodeTypeRegistry,
): Promise<void> {
  const stopping = new AbortController();
  // Sent by the parent and possibly to the whole process group: a second signal has no effect.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  process.once('disconnect', () => process.exit(1));
  const [orders] = (await once(process, 'message')) as [unknown];
  const { workerId, databaseUrl } = IsolatedRunOrders.parse(orders);
  await open(databaseUrl);
  await runIsolatedWorker({
    id: workerId,
    signal: stopping.signal,
    kinds,
    onLongRun: () => void process.send?.(LONG_RUN_MESSAGE),
  });
}
