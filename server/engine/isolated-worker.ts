import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@/server/db/ids';
import { log } from '@/server/log';
import { kindsByType } from '@/server/nodes';
import { pool } from '@/server/db/client';
import { claim, type ClaimedRun } from './queue/claim';
import type { WriteCheckpoint } from './store/checkpoint';
import type { Kinds } from '@/server/workflow/graph';
import { owned } from './queue/lease';
import { repeat } from '@/server/repeat';
import { LeasedWorker } from './worker-lease';
import { versionLoader } from '@/server/workflow/versions';
import { Quarantine } from './queue/quarantine';
import { GRACE_MS, LEASE_MS } from './worker';

export interface IsolatedWorkerOptions {
  /** The worker's id: the parent process releases its run when this process dies. */
  id: string;
  /** Aborted for a graceful shutdown: the current run is released. */
  signal: AbortSignal;
  /** Called when a run takes long: other runs need another process. This process ends after the run. */
  onLongRun(): void;
  kinds?: Kinds;
  graceMs?: number;
  /** Time slice: after this time a run is released between two nodes, so that other runs get their turn. */
  turnMs?: number;
}

const TURN_MS = 30_000;
const POLL_INTERVAL_MS = 100;
/** Poll interval for decisions and cancellations. */
const SIGNAL_POLL_MS = 250;
/** Idle timeout: without a run for this long, the process ends. */
const IDLE_MS = 3000;

/**
 * Isolation: executes runs that have to be isolated, one after the other and nothing else in this process. If the process
 * dies, the current run killed it. Resolves when no such run is left.
 */
export async function runIsolated(options: IsolatedWorkerOptions): Promise<void> {
  const { id, signal, onLongRun, kinds = kindsByType, graceMs = GRACE_MS, turnMs = TURN_MS } = options;
  const leased = await LeasedWorker.begin(LEASE_MS, { id });
  const quarantine = new Quarantine(false);
  const { load } = versionLoader(kinds);
  const logFailure = (what: string) => (error: unknown) => log().error({ err: error }, what);
  const loops = [
    repeat(renew, LEASE_MS / 3, logFailure('renewing the lease failed')),
    repeat(readSignals, SIGNAL_POLL_MS, logFailure('looking for signals failed')),
  ];
  for (const loop of loops) loop.now();
  const ending = AbortSignal.any([signal, leased.lost]);
  const ended = once(ending, 'abort');
  // Random start, so that the first workspaces are not preferred each time a process starts.
  let cursor = newId('ws');
  let isLong = false;

  async function renew(): Promise<void> {
    if (!(await leased.renew())) leased.lose();
  }

  async function readSignals(): Promise<void> {
    for (const run of await owned(id)) if (run.hasSignal) leased.runs.get(run.id)?.signal();
  }

  /**
   * The first checkpoint says where the run stands. Another one with results shows that the run has passed the place at which its process
   * died: it returns to the processes that runs share, unless runs of its version kill processes.
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

  /** If this fails, the run stays isolated until its next checkpoint. */
  async function returnToShared(run: ClaimedRun): Promise<void> {
    try {
      await pool().query('UPDATE execution SET deaths = 0 WHERE id = $1 AND worker_id = $2', [run.id, id]);
      await quarantine.refresh();
      if (quarantine.includes(run)) return;
      await pool().query('UPDATE execution SET is_alone = false WHERE id = $1 AND worker_id = $2', [run.id, id]);
      leased.stopRuns();
    } catch (error) {
      logFailure('a run could not return to the others')(error);
    }
  }

  async function runNext(): Promise<boolean> {
    // The response to an earlier claim may have been lost.
    await leased.release((await owned(id)).map((run) => run.id));
    const found = await claim(id, 1, cursor, 'isolated');
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

  for (let idleSince = performance.now(); !ending.aborted && !isLong && performance.now() - idleSince < IDLE_MS;) {
    const hasRun = await runNext().catch(logFailure('claiming a run that has to run alone failed'));
    if (hasRun) idleSince = performance.now();
    else await pause(POLL_INTERVAL_MS, undefined, { signal: ending }).catch(() => undefined);
  }
  await leased.finish(graceMs);
  await Promise.all(loops.map((loop) => loop.stop()));
  await leased.end().catch(logFailure('the worker could not remove its lease'));
}
