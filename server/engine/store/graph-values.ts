import { isLeafAt, possibleLeaves, type Graph, type GraphNode } from '@/server/workflow/graph';
import { takesPort, type CompletedNode, type NodeState, type StateReader } from './state';

/** The value that a finished node passes on: `nodes.<id>` in expressions. */
export function passedValue(state: NodeState): unknown {
  if (state.status === 'completed') return state.output;
  if (state.status !== 'failed' || state.port !== 'error' || !state.error) return null;
  const { message, code, nodeId } = state.error;
  return { message, code, nodeId };
}

/** The input of a node: the delivered output; of several, an object keyed by sender. */
export function deliveredInput(node: GraphNode, states: StateReader, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesPort(state, port) ? [[source.id, passedValue(state)] as const] : [];
  });
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/** What the output of a graph depends on, of a node's state. */
type LeafState =
  | Pick<CompletedNode, 'status' | 'port' | 'output'>
  | { status: Exclude<NodeState['status'], 'completed'> };

interface LeafReader {
  get(path: string): LeafState | undefined;
}

type Leaf = [node: GraphNode, output: unknown];

/** The nodes whose outputs make up the output of a graph, with these outputs. */
function completedLeaves(graph: Graph, states: LeafReader, prefix = ''): Leaf[] {
  return possibleLeaves(graph).flatMap((node): Leaf[] => {
    const state = states.get(prefix + node.id);
    if (state?.status !== 'completed') return [];
    return graph.output.kind === 'node' || isLeafAt(node, state.port) ? [[node, state.output]] : [];
  });
}

/** Whether the output of these leaves is that of the first one, and not an object by their ids. */
const isOnlyLeaf = ({ output }: Graph, leaves: Leaf[]): boolean =>
  leaves.length === 1 && (output.kind === 'node' || output.isSingle);

/** The node whose output is that of the graph; undefined: there is none, or it is made of several. */
export function onlyLeaf(graph: Graph, states: LeafReader): GraphNode | undefined {
  const leaves = completedLeaves(graph, states);
  return isOnlyLeaf(graph, leaves) ? leaves[0]?.[0] : undefined;
}

/** The output of a run or of a round: that of its only leaf, those of several completed leaves by node, or null. */
export function graphOutput(graph: Graph, states: LeafReader, prefix = ''): unknown {
  const leaves = completedLeaves(graph, states, prefix);
  const [only] = leaves;
  if (!only) return null;
  return isOnlyLeaf(graph, leaves)
    ? (only[1] ?? null)
    : Object.fromEntries(leaves.map(([{ id }, output]) => [id, output]));
}
