import { setTimeout as pause } from 'node:timers/promises';
import { log } from '@/server/log';
import { checkpointWriter, type WriteCheckpoint } from './store/checkpoint';
import { changeWriter, type CommitChange } from './store/change';
import { wakeAfterEnds } from './queue/after-ends';
import { children } from './queue/children';
import { LeaseClock, momentNow, type Moment } from '@/server/lease-clock';
import type { ClaimedRun } from './queue/claim';
import type { Graph } from '@/server/workflow/graph';
import { register, release, renew, unregisterWorker, isolateRuns, type WorkerIdentity } from './queue/lease';
import { Run } from './run/run';
import type { RunTools } from './run/run-tools';
import { signalReader, type ReadSignals } from './queue/signals';

/** A run whose state misleads the code that reads it is ended, and those that were claimed with it go on. */
function beginRun(claimed: ClaimedRun, graph: Graph | undefined, tools: RunTools): Run {
  try {
    return new Run(claimed, graph, tools);
  } catch (error) {
    log().error({ err: error, executionId: claimed.id }, 'a run could not be begun');
    return new Run({ ...claimed, states: [], unreadable: 'its parts do not fit together' }, graph, tools);
  }
}

/** A worker under one lease: its runs, from registration until the lease is lost or released. */
export class LeasedWorker {
  readonly runs = new Map<string, Run>();
  /** Runs whose last checkpoint is being written. */
  private readonly ending = new Set<string>();
  private readonly leaseLoss = new AbortController();
  readonly checkpoint: WriteCheckpoint;
  private readonly commitChange: CommitChange;
  private readonly readSignals: ReadSignals;
  private renewedAt = performance.now();
  readonly certainty: LeaseClock;
  /** Start of the current period of uninterrupted contact with the database. */
  private contactSince = performance.now();

  private constructor(
    readonly id: string,
    private readonly leaseMs: number,
    askedAt: Moment,
  ) {
    this.certainty = new LeaseClock(leaseMs, askedAt);
    this.checkpoint = checkpointWriter(id, this.leaseLoss.signal, wakeAfterEnds);
    this.commitChange = changeWriter(id, this.leaseLoss.signal);
    this.readSignals = signalReader(id, this.leaseLoss.signal);
  }

  static async begin(leaseMs: number, identity?: WorkerIdentity): Promise<LeasedWorker> {
    const askedAt = momentNow();
    return new LeasedWorker(await register(leaseMs, identity), leaseMs, askedAt);
  }

  /** Aborted when the lease is lost: nothing may be written under this worker's id any more. */
  get lost(): AbortSignal {
    return this.leaseLoss.signal;
  }

  /** Extends the lease. False: it is lost. */
  async renew(): Promise<boolean> {
    const askedAt = momentNow();
    const isMine = await renew(this.id, this.leaseMs);
    if (isMine) this.certainty.renewed(askedAt);
    const now = performance.now();
    if (now - this.renewedAt > this.leaseMs) this.contactSince = now;
    this.renewedAt = now;
    return isMine;
  }

  /**
   * How many more runs the worker may take. A run whose end is being written frees its slot for another run, so that the
   * processor and the database work at the same time; `maxEnding` bounds the number of such runs. If more than half of
   * `maxEnding` runs are ending, the result is 0: claims of single runs cost more than they gain.
   */
  freeSlots(concurrency: number, maxEnding = Infinity): number {
    const { size } = this.runs;
    const ending = this.ending.size;
    const endingRoom = ending > maxEnding / 2 ? 0 : maxEnding - ending;
    return Math.min(concurrency - (size - ending), 2 * concurrency - size, endingRoom);
  }

  /** False for a run whose claim response was lost: the database assigns it to this worker, which never received it. */
  knows(executionId: string): boolean {
    return this.runs.has(executionId);
  }

  /** Duration of uninterrupted contact with the database, in milliseconds; 0 without contact. */
  contactMs(): number {
    const now = performance.now();
    return now - this.renewedAt > this.leaseMs ? 0 : now - this.contactSince;
  }

  /** Starts a run, which writes its steps with `checkpoint`. `onFreeSlot` is called when its slot becomes free. */
  start(claimed: ClaimedRun, graph: Graph | undefined, onFreeSlot: () => void, checkpoint = this.checkpoint): void {
    const tools = {
      checkpoint,
      commitChange: this.commitChange,
      readSignals: this.readSignals,
      children,
      lost: this.leaseLoss.signal,
      lease: this.certainty,
      onEnding: () => {
        this.ending.add(claimed.id);
        onFreeSlot();
      },
    };
    const run = beginRun(claimed, graph, tools);
    this.runs.set(claimed.id, run);
    run.done
      .catch((error: unknown) => log().error({ err: error, executionId: claimed.id }, 'a run could not be ended'))
      .finally(() => {
        this.runs.delete(claimed.id);
        this.ending.delete(claimed.id);
        onFreeSlot();
      });
  }

  release(ids: string[]): Promise<void> {
    return release(this.id, ids);
  }

  /** Releases runs that have to be isolated. */
  isolateRuns(ids: string[]): Promise<void> {
    return isolateRuns(this.id, ids);
  }

  lose(): void {
    const loss = new Error('the lease was lost');
    this.leaseLoss.abort(loss);
    this.certainty.lose(loss);
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
  end(): Promise<void> {
    return unregisterWorker(this.id);
  }
}
