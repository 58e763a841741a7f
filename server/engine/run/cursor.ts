import {
  graphOfRound,
  outerScope,
  roundScope,
  roundPrefix,
  instanceIn,
  type GraphScope,
  type NodeInstance,
} from './graph-scope';
import type { Graph } from '@/server/workflow/graph';
import type { Failure } from './finish';
import { loopRounds, type NodeState, type Rounds } from '../store/state';

/** The next nodes of a run, in its own graph and in every round of its loops. */
export interface NextSteps {
  /** Includes loops that judge a finished round. */
  ready: NodeInstance[];
  /** Nodes that are running or waiting, except loops. */
  open: NodeInstance[];
  /** Loops with unfinished rounds. */
  openLoops: NodeInstance[];
  /** Loops whose rounds have all finished. */
  finishedLoops: FinishedLoop[];
  /** When the next round of a loop may begin, in milliseconds; Infinity: none waits. */
  nextRoundAt: number;
  isFinished: boolean;
}

/** A loop whose rounds have all finished. */
export interface FinishedLoop {
  instance: NodeInstance;
  body: Graph;
  rounds: Rounds;
}

/** A loop in progress. */
interface Loop {
  /** Unfinished rounds, by index. */
  live: Map<number, GraphScope>;
  /** The index of the next round to start. */
  next: number;
}

/** The position of a run: its own graph, and the rounds of its loops. */
export class RunCursor {
  readonly outer: GraphScope;
  private readonly loops = new Map<string, Loop>();

  constructor(
    graph: Graph,
    input: unknown,
    private readonly states: Map<string, NodeState>,
  ) {
    this.outer = outerScope(graph, input, states);
  }

  next(): NextSteps {
    const found: NextSteps = {
      ready: [],
      open: [],
      openLoops: [],
      finishedLoops: [],
      nextRoundAt: Infinity,
      isFinished: false,
    };
    found.isFinished = this.scanScope(this.outer, found);
    return found;
  }

  /** Drops the rounds of a loop that has ended. */
  forget(path: string): void {
    this.loops.delete(path);
  }

  /** Collects the next nodes of a scope. True: the scope is finished. */
  private scanScope(graphScope: GraphScope, found: NextSteps): boolean {
    const { ready, open, isFinished } = graphScope.plan.refresh();
    for (const node of ready) found.ready.push(instanceIn(graphScope, node));
    for (const node of open) {
      const instance = instanceIn(graphScope, node);
      const state = this.states.get(instance.path);
      const rounds = state?.status === 'looping' ? loopRounds(state) : undefined;
      if (rounds?.repetition && node.body) this.scanRepetition(instance, node.body, rounds, found);
      else if (rounds && node.body) this.scanLoop(instance, node.body, rounds, found);
      else found.open.push(instance);
    }
    return isFinished;
  }

  private scanLoop(instance: NodeInstance, body: Graph, rounds: Rounds, found: NextSteps): void {
    const loop = this.loopAt(instance);
    const { count, concurrency } = rounds;
    const begin = () => {
      while (loop.live.size < concurrency && loop.next < count) {
        // A round may have been started by another worker: its scope is built from the stored states.
        loop.live.set(loop.next, roundScope(instance, body, rounds, loop.next, this.states));
        loop.next += 1;
      }
    };
    begin();
    // Rounds that start during the iteration are visited by it.
    for (const [index, graphScope] of loop.live) {
      if (!this.scanScope(graphScope, found)) continue;
      loop.live.delete(index);
      begin();
    }
    if (loop.live.size > 0) found.openLoops.push(instance);
    else found.finishedLoops.push({ instance, body, rounds });
  }

  private loopAt({ path }: NodeInstance): Loop {
    const loop = this.loops.get(path) ?? { live: new Map<number, GraphScope>(), next: 0 };
    this.loops.set(path, loop);
    return loop;
  }

  /** A loop that decides after each round has one unfinished round at a time. */
  private scanRepetition(instance: NodeInstance, body: Graph, rounds: Rounds, found: NextSteps): void {
    const { round = 0, notBefore, end } = rounds.repetition ?? {};
    if (end) return void found.finishedLoops.push({ instance, body, rounds });
    const beginsAt = notBefore === undefined ? 0 : Date.parse(notBefore);
    const { live } = this.loopAt(instance);
    const graph = graphOfRound(instance, round, this.states) ?? body;
    let graphScope = live.get(round);
    if (!graphScope && beginsAt > Date.now()) {
      found.nextRoundAt = Math.min(found.nextRoundAt, beginsAt);
      return void found.openLoops.push(instance);
    }
    if (!graphScope) {
      live.clear();
      // The next round reads the output of the one before it; older rounds are in the database only.
      if (round > 1 && instance.node.rounds) this.forgetParts(roundPrefix(instance, round - 2));
      else if (round > 1) this.forgetRound(body, roundPrefix(instance, round - 2));
    }
    // A round of parts grows by what follows from its results.
    if (graphScope?.graph !== graph)
      live.set(round, (graphScope = roundScope(instance, graph, rounds, round, this.states)));
    (this.scanScope(graphScope, found) ? found.ready : found.openLoops).push(instance);
  }

  /** Drops the states of a finished round of parts from memory. */
  private forgetParts(prefix: string): void {
    for (const path of this.states.keys()) if (path.startsWith(prefix)) this.states.delete(path);
  }

  /** Drops the states of a finished round from memory, with those of the loops in it. */
  private forgetRound(body: Graph, prefix: string): void {
    for (const node of body.nodes) {
      const path = prefix + node.id;
      const { count = 0 } = (node.body && loopRounds(this.states.get(path))) ?? {};
      if (node.rounds) this.forgetParts(`${path}[`);
      else if (node.body)
        for (let index = 0; index < count; index += 1) this.forgetRound(node.body, roundPrefix({ path }, index));
      this.states.delete(path);
    }
  }
}

/** The failure of a loop: that of its round, with the node where it occurred. */
export const roundFailed = ({ error: { code, message, nodeId, expression }, isRetriable }: Failure) =>
  ({ kind: 'failed', code, message, nodeId: nodeId ?? undefined, expression, isRetriable, retryAfterMs: 0 }) as const;
