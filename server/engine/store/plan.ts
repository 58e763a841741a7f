import type { Graph, GraphNode } from '@/server/workflow/graph';
import { isFinished, takesPort, type Standing } from './state';

export interface Plan {
  /** Nodes to run now: every incoming connection is decided, and at least one delivered. */
  ready: GraphNode[];
  /** Nodes that are running or waiting. */
  open: GraphNode[];
  /** Nodes that never run, because nothing was delivered to them. */
  skipped: GraphNode[];
  /** No node is ready or open. */
  isFinished: boolean;
}

/**
 * Computes the next nodes of a run from its graph and the states of its nodes. Pure and total; independent of the order
 * in which results arrived. `prefix` is the path of a loop's round (`loop[3].`), whose nodes' states have it in their
 * paths.
 */
export function plan(graph: Graph, standings: ReadonlyMap<string, Standing>, prefix = ''): Plan {
  const ready: GraphNode[] = [];
  const open: GraphNode[] = [];
  const skipped: GraphNode[] = [];
  /** The states of decided nodes; undefined: the node is skipped. */
  const decided = new Map<GraphNode, Standing | undefined>();

  for (const node of graph.nodes) {
    const standing = standings.get(prefix + node.id);
    if (standing) {
      if (isFinished(standing)) decided.set(node, standing);
      else open.push(node);
      continue;
    }
    if (!node.incoming.every(({ source }) => decided.has(source))) continue;
    const isDelivered = node.incoming.some(({ source, port }) => takesPort(decided.get(source), port));
    if (node.isRoot || isDelivered) ready.push(node);
    else {
      skipped.push(node);
      decided.set(node, undefined);
    }
  }
  return { ready, open, skipped, isFinished: ready.length === 0 && open.length === 0 };
}
