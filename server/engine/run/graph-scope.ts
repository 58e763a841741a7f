import { put } from '@/server/expressions/scope';
import { IncrementalPlan } from './incremental-plan';
import type { PartResult, RoundView } from '@/server/nodes/parts';
import { isLeafAt, nodeIn, possibleLeaves, type Graph, type GraphNode } from '@/server/workflow/graph';
import type { Override } from '../queue/claim';
import {
  isFinished,
  isOffloaded,
  largeBytes,
  loopRounds,
  takenPort,
  takesPort,
  deliveredInput,
  graphOutput,
  passedValue,
} from '../store/state';
import type { NodeState, StateReader, Rounds, States } from '../store/state';

/** A graph in progress: the run's own, or a loop's body in one of its rounds. */
export interface GraphScope {
  graph: Graph;
  /** Prefix of the ids of its nodes in paths: empty, or `loop[3].` */
  prefix: string;
  /** The input of its root nodes; undefined in a round whose item is not in memory, and in a repeated round (`isRepeated`). */
  input: unknown;
  /** `nodes` in its expressions: the values of its finished nodes and of the scopes around it, except large values. */
  values: Record<string, unknown>;
  /** Its ready and open nodes. */
  plan: IncrementalPlan;
  /** The loop whose round it is. */
  owner: NodeInstance | null;
  /** The index of the round. */
  index: number;
  /** A round of a loop that decides after each round: the input of its root nodes is made from the round before it. */
  isRepeated: boolean;
}

/** A node in a scope of a run. */
export interface NodeInstance {
  graphScope: GraphScope;
  node: GraphNode;
  path: string;
}

/** The type of a node for metrics and traces: only types that exist, because what users write is no label. */
export const nodeTypeLabel = ({ kind }: GraphNode): string => kind?.type ?? 'unknown';

export const instanceIn = (graphScope: GraphScope, node: GraphNode): NodeInstance => ({
  graphScope,
  node,
  path: graphScope.prefix + node.id,
});

function createScope(
  graph: Graph,
  prefix: string,
  input: unknown,
  owner: NodeInstance | null,
  index: number,
  states: States,
): GraphScope {
  const values = { ...owner?.graphScope.values };
  for (const { id, part } of graph.nodes) {
    const state = states.get(prefix + id);
    // Parts have no names of their own in expressions.
    if (state && !part && isFinished(state) && largeBytes(state) === null) put(values, id, passedValue(state));
  }
  const plan = new IncrementalPlan(graph, states, prefix);
  return { graph, prefix, input, values, plan, owner, index, isRepeated: false };
}

export const outerScope = (graph: Graph, input: unknown, states: States): GraphScope =>
  createScope(graph, '', input, null, 0, states);

/** The prefix of the paths of the nodes in a round: `loop[3].` */
export const roundPrefix = ({ path }: Pick<NodeInstance, 'path'>, index: number): string => `${path}[${index}].`;

export function roundScope(
  owner: NodeInstance,
  body: Graph,
  rounds: Rounds,
  index: number,
  states: States,
): GraphScope {
  const { items, repetition } = rounds;
  const input = items && { item: items[index], index };
  const graphScope = createScope(body, roundPrefix(owner, index), input, owner, index, states);
  graphScope.isRepeated = repetition !== undefined;
  return graphScope;
}

/** The graph of a round of a loop; for a loop of parts, as far as it follows from the results in it. */
export function graphOfRound({ node, path }: NodeInstance, index: number, states: StateReader): Graph | undefined {
  if (!node.rounds) return node.body;
  const prefix = roundPrefix({ path }, index);
  return node.rounds.graphOf(index, (id) => partResult(states.get(prefix + id)));
}

function partResult(state: NodeState | undefined): PartResult | undefined {
  switch (state?.status) {
    case 'completed':
      return {
        status: 'completed',
        port: state.port,
        output: isOffloaded(state) ? undefined : state.output,
        error: null,
      };
    case 'failed':
      return { status: 'failed', port: state.port, output: null, error: state.error };
    default:
      return undefined;
  }
}

/** What a part can read. `onRead` gets the states that it reads. */
function roundView(
  { node: { id }, graphScope: { index, owner } }: NodeInstance,
  states: StateReader,
  inputOfLoop: (owner: NodeInstance) => unknown,
  onRead?: (state: NodeState) => void,
): RoundView {
  return {
    index,
    id,
    get input() {
      return owner && inputOfLoop(owner);
    },
    result(other, back = 0) {
      const state = owner ? states.get(roundPrefix(owner, index - back) + other) : undefined;
      if (state) onRead?.(state);
      return partResult(state);
    },
  };
}

/** The input of a node, or its override. */
export function inputAt(instance: NodeInstance, states: StateReader, override: Override | null): unknown {
  const { node, graphScope, path } = instance;
  if (override?.nodeId === path) return override.input;
  if (node.part) return node.part.input(roundView(instance, states, (owner) => inputAt(owner, states, override)));
  if (node.isRoot && graphScope.isRepeated && graphScope.owner)
    return repeatedInput(graphScope, graphScope.owner, states, override);
  return deliveredInput(node, states, graphScope.input, graphScope.prefix);
}

/** What the root nodes of a repeated round get. */
function repeatedInput(
  { graph, index }: GraphScope,
  owner: NodeInstance,
  states: StateReader,
  override: Override | null,
) {
  const previous = index === 0 ? null : graphOutput(graph, states, roundPrefix(owner, index - 1));
  return { index, previous, input: inputAt(owner, states, override) };
}

/** The states whose outputs make up the input of a node. Without those of the run's input and of a loop's items. */
export function deliveredTo(instance: NodeInstance, states: StateReader): NodeState[] {
  const { node, graphScope } = instance;
  const { owner, index, graph, prefix } = graphScope;
  if (node.part) return readByPart(instance, states);
  if (node.isRoot && graphScope.isRepeated && owner) {
    const before = index === 0 ? [] : leafStates(graph, states, roundPrefix(owner, index - 1));
    return [...before, ...deliveredTo(owner, states)];
  }
  return node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesPort(state, port) ? [state] : [];
  });
}

/** The states that a part reads. */
function readByPart(instance: NodeInstance, states: StateReader): NodeState[] {
  const found: NodeState[] = [];
  const ofLoop = (owner: NodeInstance) => void found.push(...deliveredTo(owner, states));
  instance.node.part?.input(roundView(instance, states, ofLoop, (state) => found.push(state)));
  return found;
}

/** The states of the leaves of a graph under a prefix. */
export const leafStates = (graph: Graph, states: StateReader, prefix: string): NodeState[] =>
  possibleLeaves(graph).flatMap((node) => {
    const state = states.get(prefix + node.id);
    return state && (graph.output.kind === 'node' || isLeafAt(node, takenPort(state))) ? [state] : [];
  });

/** Whether the text of a node is the answer of its run: it is the last node, alone or as the steps of an agent, or a `respond` node follows. */
export function writesAnswer({ node, graphScope: { owner } }: NodeInstance): boolean {
  if (owner) return node.part !== undefined && owner.graphScope.owner === null && writesAnswer(owner);
  return node.outgoing.every(({ port, target }) => port === 'error' || target.kind?.answersCaller === true);
}

const ROUND = /^\[(\d{1,7})\]\./;

/** Finds the node at a path such as `loop[3].inner`; undefined: there is none. */
export function instanceAt(outer: GraphScope, path: string, states: States): NodeInstance | undefined {
  const own = nodeIn(outer.graph, path.slice(outer.prefix.length));
  if (own) return instanceIn(outer, own);
  for (const node of outer.graph.nodes) {
    const owner = instanceIn(outer, node);
    if (!node.body || !path.startsWith(owner.path)) continue;
    const round = ROUND.exec(path.slice(owner.path.length));
    const rounds = loopRounds(states.get(owner.path));
    const index = Number(round?.[1]);
    if (!round || !rounds || index >= rounds.count) continue;
    const found = instanceAt(roundScope(owner, node.body, rounds, index, states), path, states);
    if (found) return found;
  }
  return undefined;
}
