import type { WorkflowGraph, GraphNode } from '@/server/workflow/definition/graph';
import { isNodeFinished, takesOutputPort, type NodeRouteState } from './state';

export interface RunPlan {
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
export function planNextNodes(
  graph: WorkflowGraph,
  standings: ReadonlyMap<string, NodeRouteState>,
  prefix = '',
): RunPlan {
  const ready: GraphNode[] = [];
  const open: GraphNode[] = [];
  const skipped: GraphNode[] = [];
  /** The states of decided nodes; undefined: the node is skipped. */
  const decided = new Map<GraphNode, NodeRouteState | undefined>();

  for (const node of graph.nodes) {
    const standing = standings.get(prefix + node.id);
    if (standing) {
      if (isNodeFinished(standing)) decided.set(node, standing);
      else open.push(node);
      continue;
    }
    if (!node.incoming.every(({ source }) => decided.has(source))) continue;
    const isDelivered = node.incoming.some(({ source, port }) => takesOutputPort(decided.get(source), port));
    if (node.isRoot || isDelivered) ready.push(node);
    else {
      skipped.push(node);
      decided.set(node, undefined);
    }
  }
  return { ready, open, skipped, isFinished: ready.length === 0 && open.length === 0 };
}
