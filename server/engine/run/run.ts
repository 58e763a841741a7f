import type { RunError } from '@/contract/execution';
import type { ClaimedRun } from '../queue/claim';
import { MAX_RUN_CRASHES } from '../queue/lease';
import { RunCursor, type FinishedLoop } from './cursor';
import {
  RUN_CANCELLED_ERROR,
  createCrashedError,
  createRunError,
  RUN_NOT_RUNNABLE_ERROR,
  RUN_TIMEOUT_ERROR,
  createUnreadableStateError,
} from './run-errors';
import type { NodeInstance } from './graph-scope';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { RunStateStore, type CheckpointFields } from './ledger';
import { YieldTimer, timerDelayMs } from '@/server/platform/timers/cooperative';
import { chainValue, type MaybePromise } from '@/server/platform/timers/maybe-promise';
import { computeRunOutput } from './run-output';
import { capAtDeadline, isLongWait, isPastDeadline } from './run-deadline';
import { recordRunEnd, recordRunStart } from './run-records';
import type { RunTools } from './run-tools';
import { awaitsDecision, isNodeWakeDue } from '../store/state';
import { toStorableText } from '../store/value';
import { NodeAttempts } from './node-attempts';
import { isDatabaseUnavailable } from '@/server/platform/db/failures/verdict';

/** Maximum number of outside nodes of one run in flight. */
export const MAX_PARALLEL_NODES = 50;
/** Maximum number of pure nodes per step. */
const MAX_PURE_NODES_PER_STEP = 100;

/** When a run that the database interrupted may be claimed again. */
const RECLAIM_DELAY_MS = 1000;

/** How long the write of an early start is delayed, so that one write stores the start and the outcome. */
const EARLY_OUTCOME_WAIT_MS = 10;

const startsBeforeWrite = ({ graphNode: node }: NodeInstance): boolean => node.nodeType?.startsEarly === true;

const EMPTY_GRAPH: WorkflowGraph = { nodes: [], byId: new Map(), output: { kind: 'node', node: undefined } };

/**
 * A run in this worker, from its claim until it is final, released or lost. `done` resolves then; it rejects only if
 * the run could not be ended.
 */
export class ActiveRun {
  readonly done: Promise<void>;

  private readonly ledger: RunStateStore;
  private readonly attempts: NodeAttempts;
  private readonly runCursor: RunCursor;
  private hasSignal: boolean;
  private isCancelled: boolean;
  private isStopping = false;
  private isGivenUp = false;
  private isAbandoned = false;
  private wakeUp: () => void = () => {};

  constructor(
    private readonly claimed: ClaimedRun,
    private readonly graph: WorkflowGraph = EMPTY_GRAPH,
    private readonly tools: RunTools,
  ) {
    this.isCancelled = claimed.isCancelRequested;
    claimed.span = recordRunStart(claimed);
    this.ledger = new RunStateStore(claimed, claimed.states, tools.checkpoint);
    const write = () => this.writePending({});
    this.attempts = new NodeAttempts(claimed, this.ledger, tools, () => this.wakeUp(), write);
    this.runCursor = new RunCursor(graph, claimed.input, this.ledger.states);
    // Child runs may have ended while no worker had this run.
    this.hasSignal = this.attempts.awaitedChildIds().length > 0;
    this.done = this.execute();
  }

  /** A cancellation, a decision or a call has arrived; the run reads it from the database. */
  signal(): void {
    this.hasSignal = true;
    this.wakeUp();
  }

  /** Graceful stop: starts no more nodes, and releases the run once the nodes in flight have finished. */
  stop(): void {
    this.isStopping = true;
    this.wakeUp();
  }

  /** Releases the run now; the worker that claims it runs nodes in flight again. */
  giveUp(): void {
    this.isGivenUp = true;
    this.attempts.stop();
    this.wakeUp();
  }

  /** The lease is lost: stop without writing anything. */
  abandon(): void {
    this.isAbandoned = true;
    this.attempts.stop();
    this.wakeUp();
  }

  private async execute(): Promise<void> {
    const { crashCount, workspaceId, unreadableReason: unreadable } = this.claimed;
    try {
      if (unreadable !== null) return await this.endRun(createUnreadableStateError(unreadable));
      if (crashCount >= MAX_RUN_CRASHES) return await this.endRun(createCrashedError(this.ledger.interruptedPaths()));
      if (this.graph === EMPTY_GRAPH) return await this.endRun(RUN_NOT_RUNNABLE_ERROR);
      const loadingSecrets = this.attempts.redactor.load(this.graph, workspaceId, this.tools.lost);
      if (loadingSecrets) await loadingSecrets;
      await this.advance();
    } catch (error) {
      if (this.isAbandoned || this.tools.lost.aborted) return;
      this.ledger.dropPendingWrites();
      // The run goes on at its last checkpoint, here or elsewhere, once the database is back.
      if (isDatabaseUnavailable(error)) {
        this.attempts.stop();
        await this.writePending({ release: { availableAt: new Date(Date.now() + RECLAIM_DELAY_MS) } });
        return;
      }
      // A value that cannot be stored must not prevent the end of the run.
      const reason = this.attempts.redactor.text(error instanceof Error ? error.message : String(error));
      await this.endRun(createRunError('INTERNAL', `The run could not be continued: ${toStorableText(reason, 500)}`));
    } finally {
      this.attempts.stop();
    }
  }

  /** Main loop: applies outcomes and signals, computes pure nodes, writes, starts outside nodes, waits. */
  private async advance(): Promise<void> {
    const yieldTimer = new YieldTimer();
    for (;;) {
      if (this.hasSignal) await this.readNewSignals();
      if (this.isAbandoned) return;
      if (this.attempts.applyArrivals()) {
        // The child may have ended before this run began to wait for it.
        this.hasSignal = true;
        continue;
      }
      this.attempts.resolveFailures();
      if (this.isGivenUp) return void (await this.writePending({ release: { availableAt: new Date() } }));
      if (this.isCancelled) return await this.endRun(RUN_CANCELLED_ERROR);
      if (isPastDeadline(this.claimed)) return await this.endRun(RUN_TIMEOUT_ERROR);
      if (this.attempts.failure) return await this.endRun(this.attempts.failure);
      if (this.ledger.mustWriteFirst && (await this.writePending({}))) continue;

      const { ready, open, openLoops, finishedLoops, nextRoundAt, isFinished } = this.runCursor.findNextSteps();
      if (openLoops.length + finishedLoops.length > 0 && (await this.endLoops(openLoops, finishedLoops))) continue;
      const due = [...ready, ...open.filter((instance) => this.attempts.isDue(instance))];
      const pure = due.filter((instance) => !this.attempts.isOutside(instance));
      if (pure.length > 0) {
        const unfinished = this.computePureNodes(pure);
        if (unfinished) await unfinished;
        if (yieldTimer.isDue) await yieldTimer.take();
        continue;
      }
      if (isFinished) return await this.endRun(null);

      const chosen = this.isStopping
        ? []
        : due.slice(0, Math.max(0, MAX_PARALLEL_NODES - this.attempts.inFlight.count));
      const early = chosen.filter(startsBeforeWrite);
      const starts = chosen
        .filter((instance) => !startsBeforeWrite(instance))
        .map((one) => this.attempts.recordStart(one));
      for (const instance of early) this.attempts.recordStart(instance)();
      const wakeAt = capAtDeadline(this.claimed, this.ledger.nextWake([...open, ...openLoops], nextRoundAt));
      if (starts.length > 0 || this.attempts.inFlight.count > 0) {
        if (starts.length === 0 && early.length > 0 && (await this.hasEarlyOutcome())) continue;
        if (this.ledger.hasPendingWrites) await this.writePending({ status: 'running' });
      } else {
        const isIdle = due.length === 0 && nextRoundAt === Infinity;
        const isPaused = isIdle && open.every((instance) => awaitsDecision(this.attempts.stateAt(instance)));
        const status = isPaused ? 'paused' : 'running';
        const availableAt = due.length > 0 ? new Date() : wakeAt;
        if (this.isStopping || isLongWait(this.claimed, wakeAt))
          return void (await this.writePending({ status, release: { availableAt } }));
        if (this.ledger.hasPendingWrites) await this.writePending({ status });
      }
      if (this.isAbandoned || this.isCancelled || this.isGivenUp) continue;
      for (const start of starts) start();
      await this.waitForEvent(wakeAt);
    }
  }

  /** True when a loop has ended: with its last round, or by its timeout. */
  private async endLoops(openLoops: NodeInstance[], finishedLoops: FinishedLoop[]): Promise<boolean> {
    for (const loop of finishedLoops) await this.attempts.endLoop(loop);
    const timedOut = openLoops.filter((instance) => isNodeWakeDue(this.attempts.stateAt(instance)));
    for (const instance of timedOut) this.attempts.timeOutLoop(instance);
    for (const { path } of [...timedOut, ...finishedLoops.map(({ instance }) => instance)])
      this.runCursor.dropLoop(path);
    return timedOut.length + finishedLoops.length > 0;
  }

  /** Computes pure nodes; synchronous if nothing has to be awaited. */
  private computePureNodes(pure: NodeInstance[]): MaybePromise<boolean | void> {
    const expiring = pure.filter((instance) => this.attempts.isExpiring(instance));
    if (expiring.length > 0) return this.expire(expiring);
    const computed = this.attempts.executePureNodes(pure.slice(0, MAX_PURE_NODES_PER_STEP));
    const afterCompute = () => {
      // Before the write: a node that is retried with its loop has not failed finally.
      this.attempts.resolveFailures();
      return this.ledger.isFull && !this.isAbandoned ? this.writePending({}) : undefined;
    };
    return chainValue(computed, afterCompute);
  }

  /** An expiry races with decisions and calls: it is written separately, and refused if one came first. */
  private async expire(expiring: NodeInstance[]): Promise<void> {
    if (this.ledger.hasPendingWrites) await this.writePending({});
    if (this.isAbandoned || this.isCancelled) return;
    const before = expiring.map((instance) => ({ instance, state: this.attempts.stateAt(instance) }));
    if (!(await this.attempts.executePureNodes(expiring)) || (await this.writePending({ unlessSignalled: true })))
      return;
    for (const { instance, state } of before) if (state) this.attempts.revertOutcome(instance, state);
    this.hasSignal = true;
  }

  /** Writes pending writes; false only if `unlessSignalled` is set and a signal came first. */
  private async writePending(step: CheckpointFields): Promise<boolean> {
    const written = await this.ledger.write(step);
    if (written === 'refused' && step.unlessSignalled) return false;
    if (written === 'refused') this.abandon();
    if (written === 'cancel-requested') this.isCancelled = true;
    if (this.attempts.hasUnwantedChildren && !this.isAbandoned) {
      this.attempts.hasUnwantedChildren = false;
      await this.tools.children.stopUnwanted(this.claimed.id, this.tools.lost);
    }
    return true;
  }

  private async readNewSignals(): Promise<void> {
    this.hasSignal = false;
    const signals = await this.tools.readSignals(this.claimed.id);
    if (!signals) return this.abandon();
    this.isCancelled ||= signals.isCancelRequested;
    for (const [path, decision] of signals.decisions) this.claimed.decisions.set(path, decision);
    this.claimed.calledPaths = signals.calledPaths;
    const ends = await this.tools.children.readEnds(this.attempts.awaitedChildIds(), this.tools.lost);
    for (const end of ends) this.attempts.childEnds.set(end.executionId, end);
  }

  /** The last step: stops open nodes and makes the run final. */
  private async endRun(error: RunError | null): Promise<void> {
    const final = error ? { json: null, error } : await computeRunOutput(this.graph, this.ledger, this.attempts);
    this.attempts.closeAll();
    this.tools.onEnding();
    await this.writePending({ status: final.error ? 'failed' : 'completed', final });
    if (!this.isAbandoned) recordRunEnd(this.claimed, this.isCancelled ? RUN_CANCELLED_ERROR : final.error);
  }

  /** True: a node that started early has finished so soon that one write stores its start and its outcome. */
  private async hasEarlyOutcome(): Promise<boolean> {
    if (this.ledger.isFull) return false;
    await this.waitForEvent(new Date(Date.now() + EARLY_OUTCOME_WAIT_MS));
    return this.attempts.inFlight.hasArrivals && !this.ledger.isFull;
  }

  /** Resolves when an outcome, a signal or a stop arrives, or at `wakeAt`. */
  private async waitForEvent(wakeAt: Date | null): Promise<void> {
    const isStopped = this.isStopping && this.attempts.inFlight.count === 0;
    if (this.attempts.inFlight.hasArrivals || this.hasSignal || this.isAbandoned || this.isGivenUp || isStopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wakeUp = resolve;
      if (wakeAt) timer = setTimeout(resolve, timerDelayMs(wakeAt));
    });
    clearTimeout(timer);
    this.wakeUp = () => {};
  }
}
