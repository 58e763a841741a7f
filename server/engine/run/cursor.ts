import {
  resolveRoundGraph,
  createOuterScope,
  createRoundScope,
  roundPathPrefix,
  createNodeInstance,
  type GraphScope,
  type NodeInstance,
} from './graph-scope';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import type { UncaughtFailure } from './finish';
import { readLoopRounds, type NodeState, type LoopRoundSet } from '../store/state';

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
  body: WorkflowGraph;
  rounds: LoopRoundSet;
}

/** A loop in progress. */
interface LoopPosition {
  /** Unfinished rounds, by index. */
  live: Map<number, GraphScope>;
  /** The index of the next round to start. */
  next: number;
}

/** The position of a run: its own graph, and the rounds of its loops. */
export class RunCursor {
  readonly outer: GraphScope;
  private readonly loops = new Map<string, LoopPosition>();

  constructor(
    graph: WorkflowGraph,
    input: unknown,
    private readonly states: Map<string, NodeState>,
  ) {
    this.outer = createOuterScope(graph, input, states);
  }

  findNextSteps(): NextSteps {
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
  dropLoop(path: string): void {
    this.loops.delete(path);
  }

  /** Collects the next nodes of a scope. True: the scope is finished. */
  private scanScope(graphScope: GraphScope, found: NextSteps): boolean {
    const { ready, open, isFinished } = graphScope.plan.refresh();
    for (const node of ready) found.ready.push(createNodeInstance(graphScope, node));
    for (const node of open) {
      const instance = createNodeInstance(graphScope, node);
      const state = this.states.get(instance.path);
      const rounds = state?.status === 'looping' ? readLoopRounds(state) : undefined;
      if (rounds?.repetition && node.body) this.scanRepetition(instance, node.body, rounds, found);
      else if (rounds && node.body) this.scanLoop(instance, node.body, rounds, found);
      else found.open.push(instance);
    }
    return isFinished;
  }

  private scanLoop(instance: NodeInstance, body: WorkflowGraph, rounds: LoopRoundSet, found: NextSteps): void {
    const loop = this.loopAt(instance);
    const { count, concurrency } = rounds;
    const begin = () => {
      while (loop.live.size < concurrency && loop.next < count) {
        // A round may have been started by another worker: its scope is built from the stored states.
        loop.live.set(loop.next, createRoundScope(instance, body, rounds, loop.next, this.states));
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

  private loopAt({ path }: NodeInstance): LoopPosition {
    const loop = this.loops.get(path) ?? { live: new Map<number, GraphScope>(), next: 0 };
    this.loops.set(path, loop);
    return loop;
  }

  /** A loop that decides after each round has one unfinished round at a time. */
  private scanRepetition(instance: NodeInstance, body: WorkflowGraph, rounds: LoopRoundSet, found: NextSteps): void {
    const { round = 0, notBefore, end } = rounds.repetition ?? {};
    if (end) return void found.finishedLoops.push({ instance, body, rounds });
    const beginsAt = notBefore === undefined ? 0 : Date.parse(notBefore);
    const { live } = this.loopAt(instance);
    const graph = resolveRoundGraph(instance, round, this.states) ?? body;
    let graphScope = live.get(round);
    if (!graphScope && beginsAt > Date.now()) {
      found.nextRoundAt = Math.min(found.nextRoundAt, beginsAt);
      return void found.openLoops.push(instance);
    }
    if (!graphScope) {
      live.clear();
      // The next round reads the output of the one before it; older rounds are in the database only.
      if (round > 1 && instance.graphNode.rounds) this.dropStatesUnder(roundPathPrefix(instance, round - 2));
      else if (round > 1) this.dropRoundStates(body, roundPathPrefix(instance, round - 2));
    }
    // A round of parts grows by what follows from its results.
    if (graphScope?.graph !== graph)
      live.set(round, (graphScope = createRoundScope(instance, graph, rounds, round, this.states)));
    (this.scanScope(graphScope, found) ? found.ready : found.openLoops).push(instance);
  }

  /** Drops the states of a finished round of parts from memory. */
  private dropStatesUnder(prefix: string): void {
    for (const path of this.states.keys()) if (path.startsWith(prefix)) this.states.delete(path);
  }

  /** Drops the states of a finished round from memory, with those of the loops in it. */
  private dropRoundStates(body: WorkflowGraph, prefix: string): void {
    for (const node of body.nodes) {
      const path = prefix + node.id;
      const { count = 0 } = (node.body && readLoopRounds(this.states.get(path))) ?? {};
      if (node.rounds) this.dropStatesUnder(`${path}[`);
      else if (node.body)
        for (let index = 0; index < count; index += 1)
          this.dropRoundStates(node.body, roundPathPrefix({ path, graphNode: node }, index));
      this.states.delete(path);
    }
  }
}

/** The failure of a loop: that of its round, with the node where it occurred. */
export const toLoopFailure = ({ error: { nodeId, ...error }, isRetriable }: UncaughtFailure) =>
  ({ kind: 'failed', ...error, nodeId: nodeId ?? undefined, isRetriable, retryAfterMs: 0 }) as const;
