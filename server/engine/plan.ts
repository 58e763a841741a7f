import type { Graph, GraphNode } from './graph';

/** As much of a node's state as decides how the run goes on. */
export interface Standing {
  status: string;
  /** The port that its output left by; null: none, nothing follows from it. */
  port: string | null;
}

export interface Plan {
  /** Every incoming connection is decided and at least one delivered: to be run now. */
  ready: GraphNode[];
  /** Under way or waiting. */
  open: GraphNode[];
  /** Never to run, because nothing was delivered. */
  skipped: GraphNode[];
  /** Nothing is left to do. */
  isFinished: boolean;
}

export const isSettled = ({ status }: Standing) => status === 'completed' || status === 'failed';

/**
 * How a run goes on: the graph and what is known of its nodes in, what to do out. Pure and total; the order in which
 * results came makes no difference. `prefix` is the path of an inner run (`loop[3].`), whose nodes' results are kept
 * under their paths.
 */
export function plan(graph: Graph, standings: ReadonlyMap<string, Standing>, prefix = ''): Plan {
  const ready: GraphNode[] = [];
  const open: GraphNode[] = [];
  const skipped: GraphNode[] = [];
  /** The port a decided node left by; absent: undecided. */
  const ports = new Map<GraphNode, string | null>();

  for (const node of graph.nodes) {
    const standing = standings.get(prefix + node.id);
    if (standing) {
      if (isSettled(standing)) ports.set(node, standing.port);
      else open.push(node);
      continue;
    }
    if (!node.incoming.every(({ source }) => ports.has(source))) continue;
    const isDelivered = node.incoming.some(({ source, port }) => ports.get(source) === port);
    if (node.isRoot || isDelivered) ready.push(node);
    else {
      skipped.push(node);
      ports.set(node, null);
    }
  }
  return { ready, open, skipped, isFinished: ready.length === 0 && open.length === 0 };
}
