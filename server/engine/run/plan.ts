import type { Graph, GraphNode } from '@/server/workflow/graph';

/** The part of a node's state that determines how the run continues. */
export interface Standing {
  status: string;
  /** The port of its output; null: none, no node follows. */
  port: string | null;
}

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

export const isSettled = ({ status }: Standing) => status === 'completed' || status === 'failed';

/**
 * Computes the next nodes of a run from its graph and the states of its nodes. Pure and total; independent of the order
 * in which results arrived. `prefix` is the path of a loop's round (`loop[3].`), whose nodes' states have it in their
 * paths.
 */
export function plan(graph: Graph, standings: ReadonlyMap<string, Standing>, prefix = ''): Plan {
  const ready: GraphNode[] = [];
  const open: GraphNode[] = [];
  const skipped: GraphNode[] = [];
  /** The output port of each decided node; absent: undecided. */
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
