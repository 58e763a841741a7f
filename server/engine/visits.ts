import type { RunError } from '@/contract/execution';
import type { ChildEnd } from '../nodes/node';
import { failed, finished, visit, type Visited } from './attempt';
import type { StartChild } from './children';
import type { ClaimedRun } from './claim';
import { roundFailed, type Looped } from './course';
import { put } from './evaluate';
import type { Spot } from './frame';
import type { Graph } from './graph';
import type { Ledger } from './ledger';
import { Masks } from './masks';
import { isSettled } from './plan';
import { settle, type Failure } from './settle';
import { Sight, type Seen } from './sight';
import { attemptOf, begun, childOf, isOver, isPast, isToBeRetried, roundsOf, valueOf, type NodeState } from './state';

/** The visits to the nodes of one run: who is to be visited, who is being visited, and what came of it. */
export class Visits {
  readonly masks = new Masks();
  /** Set once a node has failed and nobody takes care of its error. */
  failure: RunError | null = null;
  /** The ends of runs that nodes of this one wait for, by their ids. */
  readonly ends = new Map<string, ChildEnd>();

  /** A node no longer waits for the run that it started. */
  hasUnwanted = false;

  /** Outside nodes under way, by their paths. */
  private readonly active = new Map<string, AbortController>();
  private arrived: { spot: Spot; visited: Visited }[] = [];
  /** Failures that nobody has taken care of yet. */
  private failed: ({ spot: Spot } & Failure)[] = [];
  private readonly aborter = new AbortController();
  private readonly sight: Sight;

  /** `onArrival`: an outside node has come back. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: Ledger,
    private readonly startChild: StartChild,
    private readonly onArrival: () => void,
  ) {
    this.sight = new Sight(claimed, ledger);
  }

  get underWay(): number {
    return this.active.size;
  }

  get hasArrivals(): boolean {
    return this.arrived.length > 0;
  }

  /** Stops what is under way; whatever it still comes to is ignored. */
  stop(): void {
    for (const controller of this.active.values()) controller.abort();
    this.active.clear();
    this.arrived = [];
    this.ledger.returnLoans();
    // With a reason of its own: the usual one is an error with a stack, which each run would pay for at its end.
    this.aborter.abort('The run has ended.');
  }

  stateOf({ path }: Spot): NodeState | undefined {
    return this.ledger.states.get(path);
  }

  /** True for an open node that can go on: interrupted by a crash, its time or child has come, or somebody decided. */
  isDue(spot: Spot): boolean {
    const state = this.stateOf(spot);
    if (!state || this.active.has(spot.path)) return false;
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

  /** Visits pure nodes, here and now unless they take long; false when they were stopped on the way. */
  compute(spots: Spot[]): boolean | Promise<boolean> {
    const visited = spots.map((spot) => this.visit(spot, this.aborter.signal));
    const takeAll = (all: Visited[]) => {
      if (this.aborter.signal.aborted) return false;
      for (const [index, spot] of spots.entries()) if (all[index]) this.take(spot, all[index]);
      return true;
    };
    return visited.every((one): one is Visited => !(one instanceof Promise))
      ? takeAll(visited)
      : Promise.all(visited).then(takeAll);
  }

  /** Notes that an outside node is about to be visited; the answer visits it. */
  begin(spot: Spot): () => void {
    const known = this.stateOf(spot);
    this.ledger.put(begun(spot.path, known));
    return () => {
      const controller = new AbortController();
      this.active.set(spot.path, controller);
      void Promise.resolve(this.visit(spot, controller.signal, known)).then((visited) => {
        if (this.active.get(spot.path) !== controller) return;
        this.active.delete(spot.path);
        this.arrived.push({ spot, visited });
        this.onArrival();
      });
    };
  }

  /** Takes in what outside nodes came to. True: one of them waits for a run that it started. */
  collect(): boolean {
    const arrived = this.arrived.splice(0);
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
  outputs(graph: Graph, prefixes: string[]): Promise<unknown[]> {
    return this.sight.outputs(graph, prefixes, this.aborter.signal);
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
    this.stop();
    this.closeBelow('', 'Stopped, because the run had ended.');
  }

  /** A loop fails: what is under way of its rounds is stopped, for good or until its next try. */
  private breakOff(loop: Spot, failure: Failure): void {
    const state = this.stateOf(loop);
    if (state && isToBeRetried(state)) return;
    const below = `${loop.path}[`;
    for (const [path, controller] of this.active) {
      if (!path.startsWith(below)) continue;
      controller.abort();
      this.active.delete(path);
    }
    this.arrived = this.arrived.filter(({ spot }) => !spot.path.startsWith(below));
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

  private visit(spot: Spot, signal: AbortSignal, known = this.stateOf(spot)): Visited | Promise<Visited> {
    const rounds = roundsOf(known);
    if (rounds) return { kind: 'rounds', held: rounds, heldJson: null };
    if (this.ledger.hasLarge) return this.visitWidely(spot, signal, known);
    return this.visitWith(this.sight.at(spot), spot, signal, known);
  }

  private async visitWidely(spot: Spot, signal: AbortSignal, known: NodeState | undefined): Promise<Visited> {
    try {
      const seen = await this.sight.widely(spot, signal);
      return await Promise.resolve(this.visitWith(seen, spot, signal, known)).finally(seen.release);
    } catch (error) {
      return failed(error, this.masks);
    }
  }

  private visitWith(seen: Seen, { node, path }: Spot, signal: AbortSignal, known: NodeState | undefined) {
    const { id, workflowId, workspaceId, input, decisions } = this.claimed;
    const attempt = attemptOf(known);
    return visit({
      node,
      path,
      attempt,
      scope: { input: seen.input, nodes: seen.nodes, execution: { id, workflowId, input } },
      workspaceId,
      masks: this.masks,
      room: this.ledger.room,
      signal,
      decision: decisions.get(path),
      waitingSince: known?.isWaiting && !known.error ? known.startedAt : undefined,
      child: this.ends.get(childOf(known) ?? ''),
      startChild: (request) => this.startChild({ ...request, path, attempt }, signal),
      reserve: (bytes) => this.ledger.reserve(path, bytes),
      log: (level, message) => this.ledger.log(path, level, message),
    });
  }

  private take(spot: Spot, visited: Visited): void {
    // A loop that has failed meanwhile takes its rounds along.
    for (let { owner } = spot.frame; owner; { owner } = owner.frame) if (isOver(this.stateOf(owner))) return;
    const known = this.stateOf(spot);
    const { state, json, heldJson, failure, warning } = settle(spot.node, spot.path, known, visited);
    if (visited.kind === 'failed') this.hasUnwanted ||= this.isDeserting(known);
    if (warning) this.ledger.log(spot.path, 'warn', warning);
    this.ledger.put(state, json, heldJson);
    if (isSettled(state) && state.largeBytes === null) put(spot.frame.values, spot.node.id, valueOf(state));
    if (failure) this.failed.push({ spot, ...failure });
  }
}
