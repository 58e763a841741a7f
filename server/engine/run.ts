import type { RunError } from '@/contract/execution';
import { NodeFailure } from '../nodes/node';
import type { ClaimedRun } from './claim';
import { Course, type Looped } from './course';
import { CANCELLED, crashed, failureOf, MAX_CLAIMS, NOT_RUNNABLE, TOO_LARGE } from './endings';
import type { Spot } from './frame';
import type { Graph } from './graph';
import { Ledger, type Step } from './ledger';
import { Breath, timerMs } from './pace';
import type { RunTools } from './run-tools';
import { isPast } from './state';
import { storedJson, storedText } from './value';
import { Visits } from './visits';

/** Outside nodes of one run that are under way at a time. */
const MAX_PARALLEL = 50;
/** Pure nodes that are computed at a time. */
const MAX_COMPUTED = 100;
/** A wait as short as this is sat out; for a longer one the run is let go of. */
const HOLD_MS = 1000;

const EMPTY: Graph = { nodes: [], byId: new Map(), leaves: [] };

/**
 * One run in the hands of this worker, from its claim until it is final, is let go of, or is lost. `done` settles
 * then; it rejects only if the run could not even be ended.
 */
export class Run {
  readonly done: Promise<void>;

  private readonly ledger: Ledger;
  private readonly visits: Visits;
  private readonly course: Course;
  private isWished: boolean;
  private isCancelled: boolean;
  private isStopping = false;
  private isGivenUp = false;
  private isGone = false;
  private ring: () => void = () => {};

  constructor(
    private readonly claimed: ClaimedRun,
    private readonly graph: Graph = EMPTY,
    private readonly tools: RunTools,
  ) {
    this.isCancelled = claimed.isCancelRequested;
    this.ledger = new Ledger(claimed, claimed.states, tools.checkpoint);
    const startChild = tools.children.starter(claimed);
    const write = () => this.write({});
    this.visits = new Visits(claimed, this.ledger, startChild, () => this.ring(), write);
    this.course = new Course(graph, claimed.input, this.ledger.states);
    // What it waits for may have ended while nobody had it.
    this.isWished = this.visits.awaited().length > 0;
    this.done = this.go();
  }

  /** Somebody cancelled it or decided: it looks for itself. */
  wish(): void {
    this.isWished = true;
    this.ring();
  }

  /** Start nothing more; hand the run back once what is under way has finished. */
  stop(): void {
    this.isStopping = true;
    this.ring();
  }

  /** Hand the run back now; what is under way will be run again by whoever takes it. */
  giveUp(): void {
    this.isGivenUp = true;
    this.visits.stop();
    this.ring();
  }

  /** The lease is lost: stop without writing anything. */
  abandon(): void {
    this.isGone = true;
    this.visits.stop();
    this.ring();
  }

  private async go(): Promise<void> {
    const { claims, workspaceId } = this.claimed;
    try {
      if (this.graph === EMPTY) return await this.end(NOT_RUNNABLE);
      if (claims > MAX_CLAIMS) return await this.end(crashed(this.ledger.interrupted()));
      if (claims > 1) this.ledger.log(null, 'warn', 'The worker that had this run was lost; it goes on elsewhere.');
      const learning = this.visits.masks.learn(this.graph, workspaceId, this.tools.lost);
      if (learning) await learning;
      await this.advance();
    } catch (error) {
      if (this.isGone || this.tools.lost.aborted) return;
      // Something that can't be stored must not keep the run from its end.
      this.ledger.forget();
      const reason = this.visits.masks.text(error instanceof Error ? error.message : String(error));
      await this.end(failureOf('INTERNAL', `The run could not be carried on: ${storedText(reason, 500)}`));
    } finally {
      this.visits.stop();
    }
  }

  /** Round by round: take in what happened, compute what is pure, write, start what is outside, wait. */
  private async advance(): Promise<void> {
    const breath = new Breath();
    for (;;) {
      if (this.isWished) await this.takeWishes();
      if (this.isGone) return;
      if (this.visits.collect()) {
        // The child may have ended before it was known here that somebody waits for it.
        this.isWished = true;
        continue;
      }
      this.visits.resolveFailures();
      if (this.isGivenUp) return void (await this.write({ release: { availableAt: new Date() } }));
      if (this.isCancelled) return await this.end(CANCELLED);
      if (this.visits.failure) return await this.end(this.visits.failure);
      if (this.ledger.isHeavy && (await this.write({}))) continue;

      const { ready, open, looping, looped, isFinished } = this.course.survey();
      if (looping.length + looped.length > 0 && (await this.endLoops(looping, looped))) continue;
      const due = [...ready, ...open.filter((spot) => this.visits.isDue(spot))];
      const pure = due.filter((spot) => !this.visits.isOutside(spot));
      if (pure.length > 0) {
        const unfinished = this.compute(pure);
        if (unfinished) await unfinished;
        if (breath.isDue) await breath.take();
        continue;
      }
      if (isFinished) return await this.end(null);

      const chosen = this.isStopping ? [] : due.slice(0, Math.max(0, MAX_PARALLEL - this.visits.underWay.count));
      const starts = chosen.map((spot) => this.visits.begin(spot));
      const wakeAt = this.ledger.nextWake([...open, ...looping]);
      if (starts.length > 0 || this.visits.underWay.count > 0) {
        if (this.ledger.hasNews) await this.write({ status: 'running' });
      } else {
        const isPaused = due.length === 0 && open.every((spot) => this.visits.stateOf(spot)?.status === 'paused');
        const status = isPaused ? 'paused' : 'running';
        const availableAt = due.length > 0 ? new Date() : wakeAt;
        if (this.isStopping || this.isFar(wakeAt)) return void (await this.write({ status, release: { availableAt } }));
        if (this.ledger.hasNews) await this.write({ status });
      }
      if (this.isGone || this.isCancelled || this.isGivenUp) continue;
      for (const start of starts) start();
      await this.somethingHappens(wakeAt);
    }
  }

  /** A time that has come by the database's clock but not by ours is waited for here, or the run would go to and fro. */
  private isFar(wakeAt: Date | null): boolean {
    return wakeAt === null || wakeAt.getTime() - Math.max(Date.now(), this.claimed.claimedAt.getTime()) > HOLD_MS;
  }

  /** True when a loop has ended: with its last round, or because its time is over. */
  private async endLoops(looping: Spot[], looped: Looped[]): Promise<boolean> {
    for (const loop of looped) await this.visits.endLoop(loop);
    const late = looping.filter((spot) => isPast(this.visits.stateOf(spot)));
    for (const spot of late) this.visits.endLate(spot);
    for (const { path } of [...late, ...looped.map(({ spot }) => spot)]) this.course.forget(path);
    return late.length + looped.length > 0;
  }

  /** Undefined: it is done, nothing had to be waited for. */
  private compute(pure: Spot[]): Promise<unknown> | undefined {
    const expiring = pure.filter((spot) => this.visits.isExpiring(spot));
    if (expiring.length > 0) return this.expire(expiring);
    const computed = this.visits.compute(pure.slice(0, MAX_COMPUTED));
    const note = () => {
      // First: a node that is tried again with its loop has not failed for good.
      this.visits.resolveFailures();
      return this.ledger.isFull && !this.isGone ? this.write({}) : undefined;
    };
    return computed instanceof Promise ? computed.then(note) : note();
  }

  /** An approval that expires races people's decisions: its row is written alone, and only if none came. */
  private async expire(expiring: Spot[]): Promise<void> {
    if (this.ledger.hasNews) await this.write({});
    if (this.isGone || this.isCancelled) return;
    const before = expiring.map((spot) => ({ spot, state: this.visits.stateOf(spot) }));
    if (!(await this.visits.compute(expiring)) || (await this.write({ unlessWished: true }))) return;
    for (const { spot, state } of before) if (state) this.visits.undo(spot, state);
    this.isWished = true;
  }

  /** Writes what is new; false only when `unlessWished` and a wish came first. */
  private async write(step: Step): Promise<boolean> {
    const written = await this.ledger.write(step);
    if (written === 'refused' && step.unlessWished) return false;
    if (written === 'refused') this.abandon();
    if (written === 'cancel-requested') this.isCancelled = true;
    if (this.visits.hasUnwanted && !this.isGone) {
      this.visits.hasUnwanted = false;
      await this.tools.children.stopUnwanted(this.claimed.id, this.tools.lost);
    }
    return true;
  }

  private async takeWishes(): Promise<void> {
    this.isWished = false;
    const wishes = await this.tools.readWishes(this.claimed.id);
    if (!wishes) return this.abandon();
    this.isCancelled ||= wishes.isCancelRequested;
    for (const [path, decision] of wishes.decisions) this.claimed.decisions.set(path, decision);
    const ends = await this.tools.children.ends(this.visits.awaited(), this.tools.lost);
    for (const end of ends) this.visits.ends.set(end.executionId, end);
  }

  /** The last step: what is still open is stopped, and the run is final. */
  private async end(error: RunError | null): Promise<void> {
    const final = error ? { json: null, error } : await this.output();
    this.visits.close();
    this.tools.onEnding();
    await this.write({ status: final.error ? 'failed' : 'completed', final });
  }

  /** What it comes to. */
  private async output(): Promise<NonNullable<Step['final']>> {
    const [leaf, ...others] = this.graph.leaves;
    const latest = leaf && others.length === 0 ? this.ledger.newsOf(leaf.id) : null;
    if (latest !== null) return { json: latest, error: null };
    try {
      const [output] = await this.visits.outputs(this.graph, ['']);
      return { json: storedJson(output), error: null };
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      return { json: null, error: TOO_LARGE };
    }
  }

  /** Resolves when a node comes back, a wish or a stop arrives, or the time has come. */
  private async somethingHappens(wakeAt: Date | null): Promise<void> {
    const isStopped = this.isStopping && this.visits.underWay.count === 0;
    if (this.visits.underWay.hasArrivals || this.isWished || this.isGone || this.isGivenUp || isStopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.ring = resolve;
      if (wakeAt) timer = setTimeout(resolve, timerMs(wakeAt));
    });
    clearTimeout(timer);
    this.ring = () => {};
  }
}
