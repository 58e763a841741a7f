import type { RunError } from '@/contract/execution';
import { failed, finished, visit, type Visited } from './attempt';
import type { Ended, StartChild } from './children';
import type { ClaimedRun } from './claim';
import type { Surroundings } from './context';
import { roundFailed, type Looped } from './course';
import { put } from './evaluate';
import type { Spot } from './frame';
import type { Graph } from './graph';
import { LARGE } from './large';
import type { Ledger } from './ledger';
import { unwritten } from './memory';
import { Masks } from './masks';
import { isSettled } from './plan';
import { settle, type Failure } from './settle';
import { Sight, type Seen } from './sight';
import { inDoubt, UnderWay } from './under-way';
import { Stop, type Stoppable } from './stop';
import { attemptOf, begun, childOf, isOver, isPast, isToBeRetried, roundsOf, valueOf, type NodeState } from './state';

/** The visits to the nodes of one run: who is to be visited, who is being visited, and what came of it. */
export class Visits {
  readonly masks = new Masks();
  readonly underWay: UnderWay;
  /** Set once a node has failed and nobody takes care of its error. */
  failure: RunError | null = null;
  /** The ends of runs that nodes of this one wait for, by their ids. */
  readonly ends = new Map<string, Ended>();

  /** A node no longer waits for the run that it started. */
  hasUnwanted = false;

  /** Failures that nobody has taken care of yet. */
  private failed: ({ spot: Spot } & Failure)[] = [];
  private readonly stopping = new Stop();
  private readonly sight: Sight;
  private readonly surroundings: Surroundings;

  /** `onArrival`: an outside node has come back. `writeNews`: writes what is new. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: Ledger,
    startChild: StartChild,
    onArrival: () => void,
    private readonly writeNews: () => Promise<unknown>,
  ) {
    this.underWay = new UnderWay(onArrival);
    this.sight = new Sight(claimed, ledger, this.ends);
    this.surroundings = { workspaceId: claimed.workspaceId, masks: this.masks, ledger, startChild };
  }

  /** Stops what is under way; whatever it still comes to is ignored. */
  stop(): void {
    this.halt();
    this.ledger.uncount();
  }

  private halt(): void {
    this.underWay.stop();
    this.ledger.returnLoans();
    this.stopping.stop();
  }

  stateOf({ path }: Spot): NodeState | undefined {
    return this.ledger.states.get(path);
  }

  /** True for an open node that can go on: interrupted by a crash, its time or child has come, or somebody decided. */
  isDue(spot: Spot): boolean {
    const state = this.stateOf(spot);
    if (!state || this.underWay.has(spot.path)) return false;
    const isAwaited = this.claimed.decisions.has(spot.path) || this.ends.has(childOf(state) ?? '');
    return !state.isWaiting || isAwaited || isPast(state);
  }

  /** True for an approval that is due although nobody decided. */
  isExpiring(spot: Spot): boolean {
    return this.stateOf(spot)?.status === 'paused' && !this.claimed.decisions.has(spot.path);
  }

  /** True for a node whose start is to be written before it is visited. What was decided is only taken note of. */
  isOutside(spot: Spot): boolean {
    return spot.node.isOutside && this.stateOf(spot)?.status !== 'paused';
  }

  /** The runs that nodes wait for and whose end isn't known. */
  awaited(): string[] {
    return [...this.ledger.states.values()].flatMap((state) => {
      const child = isSettled(state) ? undefined : childOf(state);
      return child === undefined || this.ends.has(child) ? [] : [child];
    });
  }

  /** Visits pure nodes, as many as make one step, at once unless that takes long; false: they were stopped on the way. */
  compute(spots: Spot[]): boolean | Promise<boolean> {
    if (unwritten.isFull && !this.ledger.hasNews) return unwritten.room().then(() => this.compute(spots));
    const takeAll = (all: Visited[]) => {
      if (this.stopping.isStopped) return false;
      for (const [index, visited] of all.entries()) if (spots[index]) this.take(spots[index], visited);
      return true;
    };
    const all: Visited[] = [];
    let characters = 0;
    for (const spot of spots) {
      const seen = this.sight.at(spot);
      // What is away is lent when others have written what they have: so does this one first.
      if (!seen && all.length > 0) break;
      if (!seen && this.ledger.hasNews) return this.writeNews().then(() => this.compute([spot]));
      const one = this.visitSeeing(seen, spot, this.stopping, this.stateOf(spot));
      if (one instanceof Promise) return one.then((last) => takeAll([...all, last]));
      all.push(one);
      characters += 'json' in one ? one.json.length : 0;
      if (characters > LARGE) break;
    }
    return takeAll(all);
  }

  /** Notes that an outside node is about to be visited; the answer visits it. */
  begin(spot: Spot): () => void {
    const known = this.stateOf(spot);
    this.ledger.put(begun(spot.path, known));
    const go = (signal: AbortSignal) => this.visitSeeing(this.sight.at(spot), spot, { signal }, known);
    return () => this.underWay.begin(spot, (signal) => inDoubt(spot.node, known) ?? go(signal));
  }

  /** Takes in what outside nodes came to. True: one of them waits for a run that it started. */
  collect(): boolean {
    const arrived = this.underWay.collect();
    for (const { spot, visited } of arrived) this.take(spot, visited);
    return arrived.some(({ visited }) => visited.kind === 'wait' && visited.held && 'childId' in visited.held);
  }

  /** Ends a loop with what its rounds came to. */
  async endLoop({ spot, body, prefixes }: Looped): Promise<void> {
    try {
      this.take(spot, finished(await this.outputs(body, prefixes), this.masks));
    } catch (error) {
      this.take(spot, failed(error, this.masks));
    }
  }

  /** What a graph came to, under each of these prefixes. Throws NodeFailure when that is too much. */
  async outputs(graph: Graph, prefixes: string[]): Promise<unknown[]> {
    if (this.sight.isWide(graph, prefixes) && this.ledger.hasNews) await this.writeNews();
    return this.sight.outputs(graph, prefixes, this.stopping);
  }

  /** Its time is over: a loop ends with its rounds under way. */
  endLate(spot: Spot): void {
    const message = `The node took longer than ${spot.node.node.timeoutMs} ms.`;
    this.breakOff(spot, { error: { code: 'TIMEOUT', message, nodeId: spot.path }, isRetriable: true });
  }

  /** Hands each failure up: a round's fails its loop, and what nothing catches fails the run. */
  resolveFailures(): void {
    for (let next = this.failed.shift(); next; next = this.failed.shift()) {
      const { owner } = next.spot.frame;
      if (!owner) this.failure ??= next.error;
      else if (!isOver(this.stateOf(owner))) {
        this.breakOff(owner, next);
        const loop = this.stateOf(owner);
        if (loop && isToBeRetried(loop)) this.ledger.reopen(next.spot.path, loop.wakeAt);
      }
    }
  }

  /** Takes back what a pure visit came to. */
  undo(spot: Spot, before: NodeState): void {
    this.ledger.restore(before);
    delete spot.frame.values[spot.node.id];
    this.failed = this.failed.filter((one) => one.spot.path !== spot.path);
  }

  /** The run has ended: whatever is still open ends with it. */
  close(): void {
    this.halt();
    this.closeBelow('', 'Stopped, because the run had ended.');
  }

  /** A loop fails: what is under way of its rounds is stopped, for good or until its next try. */
  private breakOff(loop: Spot, failure: Failure): void {
    const state = this.stateOf(loop);
    if (state && isToBeRetried(state)) return;
    const below = `${loop.path}[`;
    this.underWay.stop(below);
    this.take(loop, roundFailed(failure));
    if (isOver(this.stateOf(loop))) this.closeBelow(below, 'Stopped, because the loop had failed.');
  }

  private closeBelow(prefix: string, message: string): void {
    for (const state of this.ledger.close(prefix, message)) this.hasUnwanted ||= this.isDeserting(state);
  }

  /** True for a node that gives up on a run whose end it doesn't know. */
  private isDeserting(state: NodeState | undefined): boolean {
    const child = childOf(state);
    return child !== undefined && !this.ends.has(child);
  }

  private async visitWidely(spot: Spot, until: Stoppable, known: NodeState | undefined): Promise<Visited> {
    try {
      const seen = await this.sight.widely(spot, until.signal);
      return await Promise.resolve(this.visitSeeing(seen, spot, until, known)).finally(seen.release);
    } catch (error) {
      return failed(error, this.masks);
    }
  }

  private visitSeeing(seen: Seen | null, spot: Spot, until: Stoppable, known: NodeState | undefined) {
    if (!seen) return this.visitWidely(spot, until, known);
    const { node, path } = spot;
    const { id, workflowId, decisions } = this.claimed;
    // A loop that is tried again keeps its rounds.
    if (known && roundsOf(known)) return { kind: 'rounds', held: known.held, heldJson: null } as const;
    return visit({
      run: this.surroundings,
      node,
      path,
      attempt: attemptOf(known),
      scope: { input: seen.input, nodes: seen.nodes, execution: { id, workflowId, input: seen.runInput } },
      until,
      decision: decisions.get(path),
      waitingSince: known?.isWaiting && !known.error ? known.startedAt : undefined,
      child: seen.child,
    });
  }

  private take(spot: Spot, visited: Visited): void {
    // A loop that has failed meanwhile takes its rounds along.
    for (let { owner } = spot.frame; owner; { owner } = owner.frame) if (isOver(this.stateOf(owner))) return;
    const known = this.stateOf(spot);
    const { state, json, heldJson, failure, warning } = settle(
      spot.node,
      spot.path,
      known,
      visited,
      this.ledger.largest,
    );
    if (visited.kind === 'failed') this.hasUnwanted ||= this.isDeserting(known);
    this.ends.delete(childOf(known) ?? '');
    if (warning) this.ledger.log(spot.path, 'warn', warning);
    this.ledger.put(state, json, heldJson);
    if (isSettled(state) && state.largeBytes === null) put(spot.frame.values, spot.node.id, valueOf(state));
    if (failure) this.failed.push({ spot, ...failure });
  }
}
