import { put } from '@/server/expressions/scope';
import { IncrementalPlan } from './incremental-plan';
import type { Graph, GraphNode } from '@/server/workflow/graph';
import { isSettled } from './plan';
import type { Override } from '../queue/claim';
import { inputOf, roundsOf, valueOf, type StateReader, type Rounds, type States } from '../store/state';

/** A graph in progress: the run's own, or a loop's body in one of its rounds. */
export interface Frame {
  graph: Graph;
  /** Prefix of the ids of its nodes in paths: empty, or `loop[3].` */
  prefix: string;
  /** The input of its root nodes; undefined in a round whose item is not in memory. */
  input: unknown;
  /** `nodes` in its expressions: the values of its settled nodes and of the frames around it, except large values. */
  values: Record<string, unknown>;
  /** Its ready and open nodes. */
  plan: IncrementalPlan;
  /** The loop whose round it is. */
  owner: NodeInstance | null;
  /** The index of the round. */
  index: number;
}

/** A node in a frame of a run. */
export interface NodeInstance {
  frame: Frame;
  node: GraphNode;
  path: string;
}

export const instanceIn = (frame: Frame, node: GraphNode): NodeInstance => ({
  frame,
  node,
  path: frame.prefix + node.id,
});

function frameOf(
  graph: Graph,
  prefix: string,
  input: unknown,
  owner: NodeInstance | null,
  index: number,
  states: States,
): Frame {
  const values = { ...owner?.frame.values };
  for (const { id } of graph.nodes) {
    const state = states.get(prefix + id);
    if (state && isSettled(state) && state.largeBytes === null) put(values, id, valueOf(state));
  }
  return { graph, prefix, input, values, plan: new IncrementalPlan(graph, states, prefix), owner, index };
}

export const outerFrame = (graph: Graph, input: unknown, states: States): Frame =>
  frameOf(graph, '', input, null, 0, states);

export function roundFrame(owner: NodeInstance, body: Graph, { items }: Rounds, index: number, states: States): Frame {
  const input = items && { item: items[index], index };
  return frameOf(body, `${owner.path}[${index}].`, input, owner, index, states);
}

/** The input of a node, or its override. */
export const inputAt = ({ node, frame, path }: NodeInstance, states: StateReader, override: Override | null): unknown =>
  override?.nodeId === path ? override.input : inputOf(node, states, frame.input, frame.prefix);

const ROUND = /^\[(\d{1,7})\]\./;

/** Finds the node at a path such as `loop[3].inner`; undefined: there is none. */
export function instanceAt(outer: Frame, path: string, states: States): NodeInstance | undefined {
  const own = outer.graph.byId.get(path.slice(outer.prefix.length));
  if (own) return instanceIn(outer, own);
  for (const node of outer.graph.nodes) {
    const owner = instanceIn(outer, node);
    if (!node.body || !path.startsWith(owner.path)) continue;
    const round = ROUND.exec(path.slice(owner.path.length));
    const rounds = roundsOf(states.get(owner.path));
    const index = Number(round?.[1]);
    if (!round || !rounds || index >= rounds.count) continue;
    const found = instanceAt(roundFrame(owner, node.body, rounds, index, states), path, states);
    if (found) return found;
  }
  return undefined;
}
