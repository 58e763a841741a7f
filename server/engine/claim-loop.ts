import { YieldTimer } from '@/server/platform/timers/cooperative';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import type { WorkflowGraph, NodeTypeRegistry } from '@/server/workflow/definition/graph';
import { createVersionLoader } from '@/server/workflow/definition/versions';
import { type CrashQuarantine, hasAttemptsLeft, RECOVERY_POLL_MS } from './queue/quarantine';
import { repeatAction, type RepeatingLoop } from '@/server/platform/timers/repeat';
import { claimRuns, type ClaimedRun } from './queue/claim';
import { readOwnedRuns } from './queue/lease';
import type { LocalWorker } from './queue/admission/local-admission';
import { SpeculativeRun } from './queue/admission/speculative-run';
import type { WriteCheckpoint } from './store/checkpoint';
import type { LeasedWorker } from './worker-lease';

/** How often the worker compares its runs with those that the database assigns to it. */
const RECONCILE_INTERVAL_MS = 1000;
/**
 * A process that also answers calls claims runs in batches of this size: the ends of a batch are written in one
 * statement, and callers wait for that statement and for the garbage collection after the batch. Above
 * `MAX_CALLS_PER_SECOND` calls per second the limit is lifted, so that the worker keeps up with the runs that they
 * start.
 */
const CLAIM_BATCH_WHILE_SERVING = 50;
const MAX_CALLS_PER_SECOND = 500;
/** Margin for timers that fire early and would find nothing due. */
const TIMER_MARGIN_MS = 2;

function isServingCalls(): boolean {
  const calls = getRuntime().callRate?.perSecond ?? 0;
  return calls > 0 && calls <= MAX_CALLS_PER_SECOND;
}

interface ClaimLoopOptions {
  concurrency: number;
  kinds: NodeTypeRegistry;
  quarantine: CrashQuarantine;
  /** The lease under which runs are claimed. It is replaced when it is lost. */
  lease: LeasedWorker;
}

/** Claims due runs for a worker and starts them; reserves slots for runs that are submitted in the same process. */
export class ClaimLoop implements LocalWorker {
  lease: LeasedWorker;
  private readonly loop: RepeatingLoop;
  private readonly versions: ReturnType<typeof createVersionLoader>;
  private isStopping = false;
  private cursor = '';
  /** True: the last claim stopped because no slot was free. Each freed slot then triggers another claim. */
  private isFull = false;
  /** True: the last claim left no due run waiting. A new run can then start at once without overtaking another. */
  private isQueueEmpty = false;
  /** Runs claimed so far. */
  private claimedRunCount = 0;
  /** Slots that the claim in progress may fill. */
  private slotsBeingFilled = 0;
  private reconciledAt = 0;
  /** Versions of which a run has reached its first checkpoint in this process without killing the process. */
  private readonly safeVersions = new WeakSet<WorkflowGraph>();
  private onFreeSlot: () => void = () => {};

  constructor(private readonly options: ClaimLoopOptions) {
    this.lease = options.lease;
    this.versions = createVersionLoader(options.kinds);
    const logFailure = (error: unknown) => serviceLog().error({ err: error }, 'claiming failed');
    this.loop = repeatAction(() => this.claimAll(), currentDispatcher().pollMs, logFailure);
  }

  /** Claims due runs now, or once more after the claim in progress. */
  readonly wake = (): void => this.loop.wake();

  /** Claims due runs once. Returns true if runs were claimed and slots are still free. */
  readonly pollOnce = async (): Promise<boolean> => {
    const before = this.claimedRunCount;
    this.loop.wake();
    await this.loop.whenIdle();
    return this.claimedRunCount > before && !this.isFull && !this.isStopping;
  };

  /** Resolves when a slot is free, or the worker stops. */
  readonly waitForSlot = (): Promise<void> => {
    if (this.lease.freeSlots(this.options.concurrency) > 0 || this.isStopping) return Promise.resolve();
    return new Promise((resolve) => (this.onFreeSlot = resolve));
  };

  /** Continues under a new lease; other workers own the runs of the old one. */
  replaceLease(lease: LeasedWorker): void {
    this.lease = lease;
    this.onFreeSlot();
    this.loop.wake();
  }

  /** Stops claiming and reserving. Resolves when no claim is in progress. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.onFreeSlot();
    this.lease.stopRuns();
    return this.loop.stop();
  }

  /** Claims due runs until none is left. Returns the delay until the next claim, in ms. */
  private async claimAll(): Promise<number> {
    const { lease } = this;
    const { concurrency, quarantine } = this.options;
    const { pollMs, horizonMs, notifyWork } = currentDispatcher();
    if (!(await quarantine.isRecoveryDone())) return RECOVERY_POLL_MS;
    await this.reconcile(lease);
    let waitMs = pollMs;
    for (;;) {
      const free = lease.freeSlots(concurrency, isServingCalls() ? CLAIM_BATCH_WHILE_SERVING : undefined);
      this.isFull = free <= 0;
      if (this.isFull) this.isQueueEmpty = false;
      // Wakes other workers to claim the remaining runs.
      if (this.isFull) notifyWork();
      if (this.isFull || this.isStopping || lease.lost.aborted) return pollMs;
      // While the queue is empty, half of the slots stay free for runs that are submitted in this process.
      this.slotsBeingFilled = this.isQueueEmpty ? Math.ceil(free / 2) : free;
      const found = await claimRuns(lease.id, this.slotsBeingFilled, this.cursor).finally(
        () => (this.slotsBeingFilled = 0),
      );
      this.cursor = found.cursor;
      this.isQueueEmpty = found.isQueueEmpty;
      this.claimedRunCount += found.runs.length;
      if (found.runs.length > 0) await this.startAll(lease, found.runs);
      if (found.nextDueMs !== null && found.nextDueMs <= horizonMs) {
        waitMs = Math.min(waitMs, Math.ceil(found.nextDueMs) + TIMER_MARGIN_MS);
      }
      // Other transactions lock the due runs that are left.
      const isNoneFree = found.runs.length === 0 && found.isRoundOver;
      if (this.isQueueEmpty || isNoneFree) return waitMs;
    }
  }

  private async startAll(lease: LeasedWorker, claimedRuns: ClaimedRun[]): Promise<void> {
    const runs = await this.isolate(lease, claimedRuns);
    // Runs that only have to be ended need no graph, and compiling the graph may be what kills the process.
    const graphs = await this.versions.load(runs.filter(hasAttemptsLeft));
    let next = 0;
    // Yields so that the first runs write their results while the next ones compute.
    const yieldTimer = new YieldTimer();
    for (const run of runs) {
      if (yieldTimer.isDue) await yieldTimer.take();
      this.start(lease, run, hasAttemptsLeft(run) ? graphs[next++] : undefined, lease.checkpoint);
    }
  }

  /** Releases runs of versions that killed processes, which have to be isolated; returns the other runs. */
  private async isolate(lease: LeasedWorker, runs: ClaimedRun[]): Promise<ClaimedRun[]> {
    const { quarantine } = this.options;
    const dangerous = runs.filter((run) => hasAttemptsLeft(run) && quarantine.includes(run));
    if (dangerous.length === 0) return runs;
    await lease.isolateRuns(dangerous.map(({ id }) => id));
    return runs.filter((run) => !dangerous.includes(run));
  }

  private start(lease: LeasedWorker, run: ClaimedRun, graph: WorkflowGraph | undefined, write: WriteCheckpoint): void {
    lease.start(
      run,
      graph,
      this.onSlotFreed,
      graph && !this.safeVersions.has(graph) ? this.safetyWriter(graph, write) : write,
    );
    // The run was claimed while the worker was stopping: it is released unchanged.
    if (this.isStopping) lease.stopRuns();
  }

  /** Wraps `write`: after the first checkpoint of a run, its version may run speculatively. */
  private safetyWriter(graph: WorkflowGraph, write: WriteCheckpoint): WriteCheckpoint {
    return (step) => {
      this.safeVersions.add(graph);
      return write(step);
    };
  }

  /**
   * A run starts speculatively, before it is stored, only if this process has already run its version: a run that kills
   * the process must leave its row behind, otherwise its sender would send it again and kill the next process.
   */
  reserveSlot(run: ClaimedRun): SpeculativeRun | undefined {
    const { lease } = this;
    const { concurrency, quarantine } = this.options;
    if (!this.isQueueEmpty || this.isStopping || lease.lost.aborted) return undefined;
    if (lease.freeSlots(concurrency) <= this.slotsBeingFilled) return undefined;
    const graph = this.versions.cached(run);
    if (!graph || !this.safeVersions.has(graph) || !quarantine.allowsSpeculativeRuns || quarantine.includes(run))
      return undefined;
    const speculative = new SpeculativeRun(lease.id, lease.checkpoint);
    this.start(lease, run, graph, speculative.write);
    return speculative;
  }

  get runCount(): number {
    return this.lease.runs.size;
  }

  isRunning(executionId: string): boolean {
    return this.lease.runs.has(executionId);
  }

  private readonly onSlotFreed = (): void => {
    this.onFreeSlot();
    if (this.isFull) this.loop.wake();
  };

  /** Finds signals whose notification was lost, and releases runs whose claim response was lost. */
  private async reconcile(lease: LeasedWorker): Promise<void> {
    if (performance.now() - this.reconciledAt < RECONCILE_INTERVAL_MS) return;
    const rows = await readOwnedRuns(lease.id);
    for (const { id, hasSignal } of rows) if (hasSignal) lease.runs.get(id)?.signal();
    await lease.release(rows.filter(({ id }) => !lease.hasRun(id)).map(({ id }) => id));
    this.reconciledAt = performance.now();
  }
}
