import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { generateId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { databasePool } from '@/server/platform/db/client';
import { claimRuns, type ClaimedRun } from './queue/claim';
import type { WriteCheckpoint } from './store/checkpoint';
import type { NodeTypeRegistry } from '@/server/workflow/definition/graph';
import { readOwnedRuns } from './queue/lease';
import { repeatAction } from '@/server/platform/timers/repeat';
import { LeasedWorker } from './worker-lease';
import { createVersionLoader } from '@/server/workflow/definition/versions';
import { CrashQuarantine } from './queue/quarantine';
import { WORKER_GRACE_MS, WORKER_LEASE_MS } from './worker';

export interface IsolatedWorkerOptions {
  /** The worker's id: the parent process releases its run when this process dies. */
  id: string;
  /** Aborted for a graceful shutdown: the current run is released. */
  signal: AbortSignal;
  /** Called when a run takes long: other runs need another process. This process ends after the run. */
  onLongRun(): void;
  kinds?: NodeTypeRegistry;
  graceMs?: number;
  /** Time slice: after this time a run is released between two nodes, so that other runs get their turn. */
  turnMs?: number;
}

const MAX_RUN_TURN_MS = 30_000;
const CLAIM_POLL_INTERVAL_MS = 100;
/** Poll interval for decisions and cancellations. */
const ISOLATED_SIGNAL_POLL_MS = 250;
/** Idle timeout: without a run for this long, the process ends. */
const IDLE_TIMEOUT_MS = 3000;

/**
 * Executes the runs that have to be isolated, one after the other, in a process that does nothing else: if the process
 * dies, the current run killed it. Resolves when no such run is left.
 */
export async function runIsolatedWorker(options: IsolatedWorkerOptions): Promise<void> {
  const {
    id,
    signal,
    onLongRun,
    kinds = definitionsByNodeType,
    graceMs = WORKER_GRACE_MS,
    turnMs = MAX_RUN_TURN_MS,
  } = options;
  const leased = await LeasedWorker.register(WORKER_LEASE_MS, { id });
  const quarantine = new CrashQuarantine(false);
  const { load } = createVersionLoader(kinds);
  const logFailure = (what: string) => (error: unknown) => serviceLog().error({ err: error }, what);
  const loops = [
    repeatAction(renew, WORKER_LEASE_MS / 3, logFailure('renewing the lease failed')),
    repeatAction(readSignals, ISOLATED_SIGNAL_POLL_MS, logFailure('looking for signals failed')),
  ];
  for (const loop of loops) loop.wake();
  const ending = AbortSignal.any([signal, leased.lost]);
  const ended = once(ending, 'abort');
  // Random start, so that the first workspaces are not preferred each time a process starts.
  let cursor = generateId('ws');
  let isLong = false;

  async function renew(): Promise<void> {
    if (!(await leased.renew())) leased.lose();
  }

  async function readSignals(): Promise<void> {
    for (const run of await readOwnedRuns(id)) if (run.hasSignal) leased.runs.get(run.id)?.signal();
  }

  /**
   * Wraps the checkpoint writer of a run. The first checkpoint only repeats the stored state. A later one with results
   * shows that the run has passed the node at which its process died: the run then returns to the shared workers,
   * unless runs of its version kill processes.
   */
  function returningWriter(run: ClaimedRun): WriteCheckpoint {
    let isFirst = true;
    return async (step) => {
      const written = await leased.checkpoint(step);
      const hasPassed = !isFirst && step.nodes.some(({ state }) => state.status !== 'running');
      isFirst = false;
      if (written === 'written' && hasPassed && !step.final) await returnToShared(run);
      return written;
    };
  }

  /** Hands the run back to the shared workers. If that fails, the run stays isolated until its next checkpoint. */
  async function returnToShared(run: ClaimedRun): Promise<void> {
    try {
      await databasePool().query('UPDATE execution SET deaths = 0 WHERE id = $1 AND worker_id = $2', [run.id, id]);
      await quarantine.refresh();
      if (quarantine.includes(run)) return;
      await databasePool().query('UPDATE execution SET is_alone = false WHERE id = $1 AND worker_id = $2', [
        run.id,
        id,
      ]);
      leased.stopRuns();
    } catch (error) {
      logFailure('a run could not return to the others')(error);
    }
  }

  async function runNext(): Promise<boolean> {
    // The response to an earlier claim may have been lost.
    await leased.release((await readOwnedRuns(id)).map((run) => run.id));
    const found = await claimRuns(id, 1, cursor, 'isolated');
    cursor = found.cursor;
    const [run] = found.runs;
    if (!run) return false;
    const [graph] = await load([run]);
    leased.start(run, graph, () => undefined, returningWriter(run));
    const turn = setTimeout(() => {
      isLong = true;
      leased.stopRuns();
      onLongRun();
    }, turnMs);
    await Promise.race([leased.runsEnded(), ended]);
    clearTimeout(turn);
    return true;
  }

  for (
    let idleSince = performance.now();
    !ending.aborted && !isLong && performance.now() - idleSince < IDLE_TIMEOUT_MS;
  ) {
    const hasRun = await runNext().catch(logFailure('claiming a run that has to run alone failed'));
    if (hasRun) idleSince = performance.now();
    else await pause(CLAIM_POLL_INTERVAL_MS, undefined, { signal: ending }).catch(() => undefined);
  }
  await leased.finish(graceMs);
  await Promise.all(loops.map((loop) => loop.stop()));
  await leased.unregister().catch(logFailure('the worker could not remove its lease'));
}
