import type { RunError } from '@/contract/execution';
import type { ClaimedRun } from '../queue/claim';
import { MAX_CRASHES } from '../queue/lease';
import { RunCursor, type FinishedLoop } from './cursor';
import { CANCELLED, crashed, runFailure, NOT_RUNNABLE, TIMED_OUT, TOO_LARGE, unreadableState } from './endings';
import type { NodeInstance } from './graph-scope';
import type { Graph } from '@/server/workflow/graph';
import { Ledger, type Step } from './ledger';
import { YieldTimer, timerMs } from '@/server/cooperative';
import { chain, type MaybePromise } from '@/server/maybe-promise';
import { noteEnd, noteStart } from './observe';
import type { RunTools } from './run-tools';
import { awaitsDecision, isWakeDue, onlyLeaf } from '../store/state';
import { storedJson, storedText } from '../store/value';
import { NodeAttempts } from './node-attempts';
import { isDatabaseAway } from '@/server/db/failures/verdict';
import { NodeFailure } from '@/server/errors/node-failure';

/** Maximum number of outside nodes of one run in flight. */
export const MAX_PARALLEL_NODES = 50;
/** Maximum number of pure nodes per step. */
const MAX_COMPUTED = 100;
/** The worker keeps a run during waits up to this time; for longer waits it releases the run. */
const HOLD_MS = 1000;

/** When a run that the database interrupted may be claimed again. */
const RELEASE_MS = 1000;

/** How long the start of nodes that start early is kept back for their outcome. */
const EARLY_MS = 10;

const startsEarly = ({ node }: NodeInstance): boolean => node.kind?.startsEarly === true;

const EMPTY: Graph = { nodes: [], byId: new Map(), output: { kind: 'node', node: undefined } };

/**
 * A run in this worker, from its claim until it is final, released or lost. `done` resolves then; it rejects only if the
 * run could not be ended.
 */
export class Run {
  readonly done: Promise<void>;

  private readonly ledger: Ledger;
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
    private readonly graph: Graph = EMPTY,
    private readonly tools: RunTools,
  ) {
    this.isCancelled = claimed.isCancelRequested;
    claimed.span = noteStart(claimed);
    this.ledger = new Ledger(claimed, claimed.states, tools.checkpoint);
    const write = () => this.write({});
    this.attempts = new NodeAttempts(claimed, this.ledger, tools, () => this.wakeUp(), write);
    this.runCursor = new RunCursor(graph, claimed.input, this.ledger.states);
    // Child runs may have ended while no worker had this run.
    this.hasSignal = this.attempts.awaited().length > 0;
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
    const { crashCount, workspaceId, unreadable } = this.claimed;
    try {
      if (unreadable !== null) return await this.end(unreadableState(unreadable));
      if (crashCount >= MAX_CRASHES) return await this.end(crashed(this.ledger.interrupted()));
      if (this.graph === EMPTY) return await this.end(NOT_RUNNABLE);
      const loadingSecrets = this.attempts.redactor.load(this.graph, workspaceId, this.tools.lost);
      if (loadingSecrets) await loadingSecrets;
      await this.advance();
    } catch (error) {
      if (this.isAbandoned || this.tools.lost.aborted) return;
      this.ledger.forget();
      // The run goes on at its last checkpoint, here or elsewhere, once the database is back.
      if (isDatabaseAway(error)) {
        this.attempts.stop();
        await this.write({ release: { availableAt: new Date(Date.now() + RELEASE_MS) } });
        return;
      }
      // A value that cannot be stored must not prevent the end of the run.
      const reason = this.attempts.redactor.text(error instanceof Error ? error.message : String(error));
      await this.end(runFailure('INTERNAL', `The run could not be continued: ${storedText(reason, 500)}`));
    } finally {
      this.attempts.stop();
    }
  }

  /** Main loop: applies outcomes and signals, computes pure nodes, writes, starts outside nodes, waits. */
  private async advance(): Promise<void> {
    const yieldTimer = new YieldTimer();
    for (;;) {
      if (this.hasSignal) await this.takeSignals();
      if (this.isAbandoned) return;
      if (this.attempts.collect()) {
        // The child may have ended before this run began to wait for it.
        this.hasSignal = true;
        continue;
      }
      this.attempts.resolveFailures();
      if (this.isGivenUp) return void (await this.write({ release: { availableAt: new Date() } }));
      if (this.isCancelled) return await this.end(CANCELLED);
      if (this.isPastDeadline) return await this.end(TIMED_OUT);
      if (this.attempts.failure) return await this.end(this.attempts.failure);
      if (this.ledger.isHeavy && (await this.write({}))) continue;

      const { ready, open, openLoops, finishedLoops, nextRoundAt, isFinished } = this.runCursor.next();
      if (openLoops.length + finishedLoops.length > 0 && (await this.endLoops(openLoops, finishedLoops))) continue;
      const due = [...ready, ...open.filter((instance) => this.attempts.isDue(instance))];
      const pure = due.filter((instance) => !this.attempts.isOutside(instance));
      if (pure.length > 0) {
        const unfinished = this.compute(pure);
        if (unfinished) await unfinished;
        if (yieldTimer.isDue) await yieldTimer.take();
        continue;
      }
      if (isFinished) return await this.end(null);

      const chosen = this.isStopping
        ? []
        : due.slice(0, Math.max(0, MAX_PARALLEL_NODES - this.attempts.inFlight.count));
      const early = chosen.filter(startsEarly);
      const starts = chosen.filter((instance) => !startsEarly(instance)).map((one) => this.attempts.begin(one));
      for (const instance of early) this.attempts.begin(instance)();
      const wakeAt = this.beforeDeadline(this.ledger.nextWake([...open, ...openLoops], nextRoundAt));
      if (starts.length > 0 || this.attempts.inFlight.count > 0) {
        if (starts.length === 0 && early.length > 0 && (await this.hasEarlyOutcome())) continue;
        if (this.ledger.hasPendingWrites) await this.write({ status: 'running' });
      } else {
        const isIdle = due.length === 0 && nextRoundAt === Infinity;
        const isPaused = isIdle && open.every((instance) => awaitsDecision(this.attempts.stateAt(instance)));
        const status = isPaused ? 'paused' : 'running';
        const availableAt = due.length > 0 ? new Date() : wakeAt;
        if (this.isStopping || this.isLongWait(wakeAt))
          return void (await this.write({ status, release: { availableAt } }));
        if (this.ledger.hasPendingWrites) await this.write({ status });
      }
      if (this.isAbandoned || this.isCancelled || this.isGivenUp) continue;
      for (const start of starts) start();
      await this.waitForEvent(wakeAt);
    }
  }

  private get isPastDeadline(): boolean {
    const { deadlineAt } = this.claimed;
    return deadlineAt !== null && deadlineAt.getTime() <= Date.now();
  }

  /** The sooner of a time and the run's deadline; null: neither is set. */
  private beforeDeadline(time: Date | null): Date | null {
    const { deadlineAt } = this.claimed;
    if (time === null || deadlineAt === null) return time ?? deadlineAt;
    return time < deadlineAt ? time : deadlineAt;
  }

  /** Compares with the later of the two clocks: a time reached by the database's clock only must not cause a release-claim cycle. */
  private isLongWait(wakeAt: Date | null): boolean {
    return wakeAt === null || wakeAt.getTime() - Math.max(Date.now(), this.claimed.claimedAt.getTime()) > HOLD_MS;
  }

  /** True when a loop has ended: with its last round, or by its timeout. */
  private async endLoops(openLoops: NodeInstance[], finishedLoops: FinishedLoop[]): Promise<boolean> {
    for (const loop of finishedLoops) await this.attempts.endLoop(loop);
    const timedOut = openLoops.filter((instance) => isWakeDue(this.attempts.stateAt(instance)));
    for (const instance of timedOut) this.attempts.timeOutLoop(instance);
    for (const { path } of [...timedOut, ...finishedLoops.map(({ instance }) => instance)]) this.runCursor.forget(path);
    return timedOut.length + finishedLoops.length > 0;
  }

  /** Computes pure nodes; synchronous if nothing has to be awaited. */
  private compute(pure: NodeInstance[]): MaybePromise<boolean | void> {
    const expiring = pure.filter((instance) => this.attempts.isExpiring(instance));
    if (expiring.length > 0) return this.expire(expiring);
    const computed = this.attempts.compute(pure.slice(0, MAX_COMPUTED));
    const afterCompute = () => {
      // Before the write: a node that is retried with its loop has not failed finally.
      this.attempts.resolveFailures();
      return this.ledger.isFull && !this.isAbandoned ? this.write({}) : undefined;
    };
    return chain(computed, afterCompute);
  }

  /** An expiry races with decisions and calls: it is written separately, and refused if one came first. */
  private async expire(expiring: NodeInstance[]): Promise<void> {
    if (this.ledger.hasPendingWrites) await this.write({});
    if (this.isAbandoned || this.isCancelled) return;
    const before = expiring.map((instance) => ({ instance, state: this.attempts.stateAt(instance) }));
    if (!(await this.attempts.compute(expiring)) || (await this.write({ unlessSignalled: true }))) return;
    for (const { instance, state } of before) if (state) this.attempts.undo(instance, state);
    this.hasSignal = true;
  }

  /** Writes pending writes; false only if `unlessSignalled` is set and a signal came first. */
  private async write(step: Step): Promise<boolean> {
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

  private async takeSignals(): Promise<void> {
    this.hasSignal = false;
    const signals = await this.tools.readSignals(this.claimed.id);
    if (!signals) return this.abandon();
    this.isCancelled ||= signals.isCancelRequested;
    for (const [path, decision] of signals.decisions) this.claimed.decisions.set(path, decision);
    this.claimed.calls = signals.calls;
    const ends = await this.tools.children.ends(this.attempts.awaited(), this.tools.lost);
    for (const end of ends) this.attempts.ends.set(end.executionId, end);
  }

  /** The last step: stops open nodes and makes the run final. */
  private async end(error: RunError | null): Promise<void> {
    const final = error ? { json: null, error } : await this.output();
    this.attempts.closeAll();
    this.tools.onEnding();
    await this.write({ status: final.error ? 'failed' : 'completed', final });
    if (!this.isAbandoned) noteEnd(this.claimed, this.isCancelled ? CANCELLED : final.error);
  }

  /** The output of the run. */
  private async output(): Promise<NonNullable<Step['final']>> {
    const leaf = onlyLeaf(this.graph, this.ledger.states);
    const pendingOutput = leaf ? this.ledger.pendingJsonOf(leaf.id) : null;
    if (pendingOutput !== null) return { json: pendingOutput, error: null };
    try {
      const [output] = await this.attempts.outputs(this.graph, ['']);
      return { json: storedJson(output), error: null };
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      return { json: null, error: TOO_LARGE };
    }
  }

  /** True: a node that started early has finished so soon that one write stores its start and its outcome. */
  private async hasEarlyOutcome(): Promise<boolean> {
    if (this.ledger.isFull) return false;
    await this.waitForEvent(new Date(Date.now() + EARLY_MS));
    return this.attempts.inFlight.hasArrivals && !this.ledger.isFull;
  }

  /** Resolves when an outcome, a signal or a stop arrives, or at `wakeAt`. */
  private async waitForEvent(wakeAt: Date | null): Promise<void> {
    const isStopped = this.isStopping && this.attempts.inFlight.count === 0;
    if (this.attempts.inFlight.hasArrivals || this.hasSignal || this.isAbandoned || this.isGivenUp || isStopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wakeUp = resolve;
      if (wakeAt) timer = setTimeout(resolve, timerMs(wakeAt));
    });
    clearTimeout(timer);
    this.wakeUp = () => {};
  }
}
