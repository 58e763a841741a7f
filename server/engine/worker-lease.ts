import { setTimeout as pause } from 'node:timers/promises';
import { serviceLog } from '@/server/platform/log';
import { createCheckpointWriter, type WriteCheckpoint } from './store/checkpoint';
import { createChangeWriter, type CommitChange } from './store/change';
import { wakeAfterRunEnds } from './queue/after-ends';
import { childRunTools } from './queue/children';
import { LeaseClock, currentClockMoment, type ClockMoment } from '@/server/platform/timers/lease-clock';
import type { ClaimedRun } from './queue/claim';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import {
  registerWorker,
  releaseOwnedRuns,
  renewWorkerLease,
  unregisterWorker,
  isolateOwnedRuns,
  type WorkerIdentity,
} from './queue/lease';
import { ActiveRun } from './run/run';
import type { RunTools } from './run/run-tools';
import { createSignalReader, type RunSignalReader } from './queue/signals';

/**
 * Creates a claimed run. If its stored state is inconsistent, only this run fails; the runs claimed with it continue.
 */
function createClaimedRun(claimed: ClaimedRun, graph: WorkflowGraph | undefined, tools: RunTools): ActiveRun {
  try {
    return new ActiveRun(claimed, graph, tools);
  } catch (error) {
    serviceLog().error({ err: error, executionId: claimed.id }, 'a run could not be begun');
    return new ActiveRun({ ...claimed, states: [], unreadableReason: 'its parts do not fit together' }, graph, tools);
  }
}

/** A worker under one lease: its runs, from registration until the lease is lost or released. */
export class LeasedWorker {
  readonly runs = new Map<string, ActiveRun>();
  /** Runs whose last checkpoint is being written. */
  private readonly endingRunIds = new Set<string>();
  private readonly leaseLoss = new AbortController();
  readonly checkpoint: WriteCheckpoint;
  private readonly commitChange: CommitChange;
  private readonly readSignals: RunSignalReader;
  private renewedAt = performance.now();
  readonly leaseClock: LeaseClock;
  /** Start of the current period of uninterrupted contact with the database. */
  private contactSince = performance.now();

  private constructor(
    readonly id: string,
    private readonly leaseMs: number,
    askedAt: ClockMoment,
  ) {
    this.leaseClock = new LeaseClock(leaseMs, askedAt);
    this.checkpoint = createCheckpointWriter(id, this.leaseLoss.signal, wakeAfterRunEnds);
    this.commitChange = createChangeWriter(id, this.leaseLoss.signal);
    this.readSignals = createSignalReader(id, this.leaseLoss.signal);
  }

  static async register(leaseMs: number, identity?: WorkerIdentity): Promise<LeasedWorker> {
    const askedAt = currentClockMoment();
    return new LeasedWorker(await registerWorker(leaseMs, identity), leaseMs, askedAt);
  }

  /** Aborted when the lease is lost: nothing may be written under this worker's id any more. */
  get lost(): AbortSignal {
    return this.leaseLoss.signal;
  }

  /** Extends the lease. False: it is lost. */
  async renew(): Promise<boolean> {
    const askedAt = currentClockMoment();
    const isMine = await renewWorkerLease(this.id, this.leaseMs);
    if (isMine) this.leaseClock.renewed(askedAt);
    const now = performance.now();
    if (now - this.renewedAt > this.leaseMs) this.contactSince = now;
    this.renewedAt = now;
    return isMine;
  }

  /**
   * How many more runs the worker may take. A run whose end is being written frees its slot for another run, so that
   * the processor and the database work at the same time; `maxEnding` bounds the number of such runs. If more than half
   * of `maxEnding` runs are ending, the result is 0: claims of single runs cost more than they gain.
   */
  freeSlots(concurrency: number, maxEnding = Infinity): number {
    const { size } = this.runs;
    const ending = this.endingRunIds.size;
    const endingRoom = ending > maxEnding / 2 ? 0 : maxEnding - ending;
    return Math.min(concurrency - (size - ending), 2 * concurrency - size, endingRoom);
  }

  /** False for a run whose claim response was lost: the database assigns it to this worker, which never received it. */
  hasRun(executionId: string): boolean {
    return this.runs.has(executionId);
  }

  /** Duration of uninterrupted contact with the database, in milliseconds; 0 without contact. */
  contactMs(): number {
    const now = performance.now();
    return now - this.renewedAt > this.leaseMs ? 0 : now - this.contactSince;
  }

  /** Starts a run, which writes its steps with `checkpoint`. `onFreeSlot` is called when its slot becomes free. */
  start(
    claimed: ClaimedRun,
    graph: WorkflowGraph | undefined,
    onFreeSlot: () => void,
    checkpoint = this.checkpoint,
  ): void {
    const tools = {
      checkpoint,
      commitChange: this.commitChange,
      readSignals: this.readSignals,
      children: childRunTools,
      lost: this.leaseLoss.signal,
      lease: this.leaseClock,
      onEnding: () => {
        this.endingRunIds.add(claimed.id);
        onFreeSlot();
      },
    };
    const run = createClaimedRun(claimed, graph, tools);
    this.runs.set(claimed.id, run);
    run.done
      .catch((error: unknown) =>
        serviceLog().error({ err: error, executionId: claimed.id }, 'a run could not be ended'),
      )
      .finally(() => {
        this.runs.delete(claimed.id);
        this.endingRunIds.delete(claimed.id);
        onFreeSlot();
      });
  }

  release(ids: string[]): Promise<void> {
    return releaseOwnedRuns(this.id, ids);
  }

  /** Releases runs that have to be isolated. */
  isolateRuns(ids: string[]): Promise<void> {
    return isolateOwnedRuns(this.id, ids);
  }

  lose(): void {
    const loss = new Error('the lease was lost');
    this.leaseLoss.abort(loss);
    this.leaseClock.lose(loss);
    for (const run of this.runs.values()) run.abandon();
  }

  /** From now on no run starts another node. */
  stopRuns(): void {
    for (const run of this.runs.values()) run.stop();
  }

  /** Lets running nodes finish within the grace period, then releases all runs. */
  async finish(graceMs: number): Promise<void> {
    this.stopRuns();
    const grace = new AbortController();
    await Promise.race([this.runsEnded(), pause(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
    for (const run of this.runs.values()) run.giveUp();
    await Promise.race([this.runsEnded(), pause(graceMs / 4, undefined, { ref: false })]);
    this.lose();
    await this.runsEnded();
  }

  /** Resolves when all current runs have ended or been released. */
  async runsEnded(): Promise<void> {
    await Promise.all([...this.runs.values()].map((run) => run.done.catch(() => undefined)));
  }

  /** Removes the worker's row and releases the runs that it still owns. */
  unregister(): Promise<void> {
    return unregisterWorker(this.id);
  }
}
