import { put } from './evaluate';
import { Front } from './front';
import type { Graph, GraphNode } from './graph';
import { isSettled } from './plan';
import type { Override } from './claim';
import { inputOf, roundsOf, valueOf, type Looked, type Rounds, type States } from './state';

/** A graph under way: the run's own, or a loop's body in one of its rounds. */
export interface Frame {
  graph: Graph;
  /** What comes before the ids of its nodes in paths: nothing, or `loop[3].` */
  prefix: string;
  /** What its roots are given; nothing in a round whose item is away. */
  input: unknown;
  /** `nodes` in its expressions: what its settled nodes handed on, and those around it; large ones apart. */
  values: Record<string, unknown>;
  /** What is ready and open of it. */
  front: Front;
  /** The loop whose round it is. */
  owner: Spot | null;
  /** Which of its rounds. */
  index: number;
}

/** A node at its place in a run. */
export interface Spot {
  frame: Frame;
  node: GraphNode;
  path: string;
}

export const spotIn = (frame: Frame, node: GraphNode): Spot => ({ frame, node, path: frame.prefix + node.id });

function frameOf(
  graph: Graph,
  prefix: string,
  input: unknown,
  owner: Spot | null,
  index: number,
  states: States,
): Frame {
  const values = { ...owner?.frame.values };
  for (const { id } of graph.nodes) {
    const state = states.get(prefix + id);
    if (state && isSettled(state) && state.largeBytes === null) put(values, id, valueOf(state));
  }
  return { graph, prefix, input, values, front: new Front(graph, states, prefix), owner, index };
}

export const outerFrame = (graph: Graph, input: unknown, states: States): Frame =>
  frameOf(graph, '', input, null, 0, states);

export function roundFrame(owner: Spot, body: Graph, { items }: Rounds, index: number, states: States): Frame {
  const input = items && { item: items[index], index };
  return frameOf(body, `${owner.path}[${index}].`, input, owner, index, states);
}

/** What comes in at a node, or what it is given instead. */
export const inputAt = ({ node, frame, path }: Spot, states: Looked, override: Override | null): unknown =>
  override?.nodeId === path ? override.input : inputOf(node, states, frame.input, frame.prefix);

const ROUND = /^\[(\d{1,7})\]\./;

/** The node that a path such as `loop[3].inner` leads to, in the frames around it; undefined: there is none. */
export function spotAt(outer: Frame, path: string, states: States): Spot | undefined {
  const own = outer.graph.byId.get(path.slice(outer.prefix.length));
  if (own) return spotIn(outer, own);
  for (const node of outer.graph.nodes) {
    const owner = spotIn(outer, node);
    if (!node.body || !path.startsWith(owner.path)) continue;
    const round = ROUND.exec(path.slice(owner.path.length));
    const rounds = roundsOf(states.get(owner.path));
    const index = Number(round?.[1]);
    if (!round || !rounds || index >= rounds.count) continue;
    const found = spotAt(roundFrame(owner, node.body, rounds, index, states), path, states);
    if (found) return found;
  }
  return undefined;
}
