import { setField } from '@/server/evaluation/expressions/scope';
import { IncrementalPlan } from './incremental-plan';
import type { RoundNodeResult, LoopRoundView } from '@/server/workflow/nodes/parts';
import {
  isLeafAtPort,
  findGraphNode,
  possibleLeaves,
  type WorkflowGraph,
  type GraphNode,
} from '@/server/workflow/definition/graph';
import type { RunOverride } from '../queue/claim';
import {
  isNodeFinished,
  isOutputOffloaded,
  largeOutputBytes,
  readLoopRounds,
  takenOutputPort,
  takesOutputPort,
  buildDeliveredInput,
  buildGraphOutput,
  finishedNodeValue,
} from '../store/state';
import type { NodeState, NodeStateReader, LoopRoundSet, NodeStates } from '../store/state';

/** A graph in progress: the run's own, or a loop's body in one of its rounds. */
export interface GraphScope {
  graph: WorkflowGraph;
  /** Prefix of the ids of its nodes in paths: empty, or `loop[3].` */
  prefix: string;
  /**
   * The input of its root nodes; undefined in a round whose item is not in memory, and in a repeated round
   * (`isRepeated`).
   */
  input: unknown;
  /** `nodes` in its expressions: the values of its finished nodes and of the scopes around it, except large values. */
  values: Record<string, unknown>;
  /** Computes the ready and open nodes of this scope. */
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
  graphNode: GraphNode;
  path: string;
}

/** The type of a node for metrics and traces: only types that exist, because what users write is no label. */
export const nodeTypeLabel = ({ nodeType: kind }: GraphNode): string => kind?.type ?? 'unknown';

export const createNodeInstance = (graphScope: GraphScope, node: GraphNode): NodeInstance => ({
  graphScope,
  graphNode: node,
  path: graphScope.prefix + node.id,
});

function createGraphScope(
  graph: WorkflowGraph,
  prefix: string,
  input: unknown,
  owner: NodeInstance | null,
  index: number,
  states: NodeStates,
): GraphScope {
  const values = { ...owner?.graphScope.values };
  for (const { id, part } of graph.nodes) {
    const state = states.get(prefix + id);
    // Parts have no names of their own in expressions.
    if (state && !part && isNodeFinished(state) && largeOutputBytes(state) === null)
      setField(values, id, finishedNodeValue(state));
  }
  const plan = new IncrementalPlan(graph, states, prefix);
  return { graph, prefix, input, values, plan, owner, index, isRepeated: false };
}

export const createOuterScope = (graph: WorkflowGraph, input: unknown, states: NodeStates): GraphScope =>
  createGraphScope(graph, '', input, null, 0, states);

/** The prefix of the paths of the nodes in a round: `loop[3].` */
export const roundPathPrefix = ({ path }: Pick<NodeInstance, 'path'>, index: number): string => `${path}[${index}].`;

export function createRoundScope(
  owner: NodeInstance,
  body: WorkflowGraph,
  rounds: LoopRoundSet,
  index: number,
  states: NodeStates,
): GraphScope {
  const { items, repetition } = rounds;
  const input = items && { item: items[index], index };
  const graphScope = createGraphScope(body, roundPathPrefix(owner, index), input, owner, index, states);
  graphScope.isRepeated = repetition !== undefined;
  return graphScope;
}

/** The graph of a round of a loop; for a loop of parts, as far as it follows from the results in it. */
export function resolveRoundGraph(
  { graphNode: node, path }: NodeInstance,
  index: number,
  states: NodeStateReader,
): WorkflowGraph | undefined {
  if (!node.rounds) return node.body;
  const prefix = roundPathPrefix({ path }, index);
  return node.rounds.graphForRound(index, (id) => toPartResult(states.get(prefix + id)));
}

function toPartResult(state: NodeState | undefined): RoundNodeResult | undefined {
  switch (state?.status) {
    case 'completed':
      return {
        status: 'completed',
        port: state.port,
        output: isOutputOffloaded(state) ? undefined : state.output,
        error: null,
      };
    case 'failed':
      return { status: 'failed', port: state.port, output: null, error: state.error };
    default:
      return undefined;
  }
}

/** Creates the view of a round that a part can read. `onRead` is called with each state that it reads. */
function createRoundView(
  { graphNode: { id }, graphScope: { index, owner } }: NodeInstance,
  states: NodeStateReader,
  inputOfLoop: (owner: NodeInstance) => unknown,
  onRead?: (state: NodeState) => void,
): LoopRoundView {
  return {
    index,
    id,
    get input() {
      return owner && inputOfLoop(owner);
    },
    result(other, back = 0) {
      const state = owner ? states.get(roundPathPrefix(owner, index - back) + other) : undefined;
      if (state) onRead?.(state);
      return toPartResult(state);
    },
  };
}

/** The input of a node, or its override. */
export function resolveNodeInput(
  instance: NodeInstance,
  states: NodeStateReader,
  override: RunOverride | null,
): unknown {
  const { graphNode: node, graphScope, path } = instance;
  if (override?.nodeId === path) return override.input;
  if (node.part)
    return node.part.input(createRoundView(instance, states, (owner) => resolveNodeInput(owner, states, override)));
  if (node.isRoot && graphScope.isRepeated && graphScope.owner)
    return repeatedRoundInput(graphScope, graphScope.owner, states, override);
  return buildDeliveredInput(node, states, graphScope.input, graphScope.prefix);
}

/** The input of the root nodes of a repeated round. */
function repeatedRoundInput(
  { graph, index }: GraphScope,
  owner: NodeInstance,
  states: NodeStateReader,
  override: RunOverride | null,
) {
  const previous = index === 0 ? null : buildGraphOutput(graph, states, roundPathPrefix(owner, index - 1));
  return { index, previous, input: resolveNodeInput(owner, states, override) };
}

/** The states whose outputs make up the input of a node. The run's input and the items of a loop have no states. */
export function findDeliveredStates(instance: NodeInstance, states: NodeStateReader): NodeState[] {
  const { graphNode: node, graphScope } = instance;
  const { owner, index, graph, prefix } = graphScope;
  if (node.part) return statesReadByPart(instance, states);
  if (node.isRoot && graphScope.isRepeated && owner) {
    const before = index === 0 ? [] : findLeafStates(graph, states, roundPathPrefix(owner, index - 1));
    return [...before, ...findDeliveredStates(owner, states)];
  }
  return node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesOutputPort(state, port) ? [state] : [];
  });
}

/** The states that a part reads. */
function statesReadByPart(instance: NodeInstance, states: NodeStateReader): NodeState[] {
  const found: NodeState[] = [];
  const ofLoop = (owner: NodeInstance) => void found.push(...findDeliveredStates(owner, states));
  instance.graphNode.part?.input(createRoundView(instance, states, ofLoop, (state) => found.push(state)));
  return found;
}

/** The states of the leaves of a graph under a prefix. */
export const findLeafStates = (graph: WorkflowGraph, states: NodeStateReader, prefix: string): NodeState[] =>
  possibleLeaves(graph).flatMap((node) => {
    const state = states.get(prefix + node.id);
    return state && (graph.output.kind === 'node' || isLeafAtPort(node, takenOutputPort(state))) ? [state] : [];
  });

/**
 * Whether the text of a node is the answer of its run: it is the last node, alone or as the steps of an agent, or a
 * `respond` node follows.
 */
export function writesCallerResponse({ graphNode: node, graphScope: { owner } }: NodeInstance): boolean {
  if (owner) return node.part !== undefined && owner.graphScope.owner === null && writesCallerResponse(owner);
  return node.outgoing.every(({ port, target }) => port === 'error' || target.nodeType?.answersCaller === true);
}

const ROUND_PATH_PATTERN = /^\[(\d{1,7})\]\./;

/** Finds the node at a path such as `loop[3].inner`; undefined: there is none. */
export function findNodeInstance(outer: GraphScope, path: string, states: NodeStates): NodeInstance | undefined {
  const own = findGraphNode(outer.graph, path.slice(outer.prefix.length));
  if (own) return createNodeInstance(outer, own);
  for (const node of outer.graph.nodes) {
    const owner = createNodeInstance(outer, node);
    if (!node.body || !path.startsWith(owner.path)) continue;
    const round = ROUND_PATH_PATTERN.exec(path.slice(owner.path.length));
    const rounds = readLoopRounds(states.get(owner.path));
    const index = Number(round?.[1]);
    if (!round || !rounds || index >= rounds.count) continue;
    const found = findNodeInstance(createRoundScope(owner, node.body, rounds, index, states), path, states);
    if (found) return found;
  }
  return undefined;
}
