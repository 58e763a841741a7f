import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { findNodeType } from '@/server/workflow/nodes';
import { containsInnerNode } from './node-paths';

/** What part of a definition a run consists of. */
export interface RunBounds {
  /** The node up to which it runs; null: all nodes. */
  untilNodeId: string | null;
  /** The start node at which it begins; null: every start node. */
  startNodeId: string | null;
}

/** The ids of a node and of all nodes upstream or downstream of it; empty if the definition has no such node. */
function connectedIds(
  { nodes, connections }: WorkflowDefinition,
  nodeId: string,
  direction: 'upstream' | 'downstream',
): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { sourceNode, targetNode } of connections) {
    const [from, to] = direction === 'upstream' ? [targetNode, sourceNode] : [sourceNode, targetNode];
    neighbours.get(from)?.push(to);
  }
  const found = new Set(neighbours.has(nodeId) ? [nodeId] : []);
  // A Set also iterates over elements that are added meanwhile.
  for (const id of found) for (const neighbour of neighbours.get(id) ?? []) found.add(neighbour);
  return found;
}

/**
 * The part of a graph for a run up to a node: that node and its ancestors. Nothing follows the cut: an error that only
 * the rest would have handled fails the run. Null: the whole definition.
 */
export function partialDefinition(definition: WorkflowDefinition, untilNodeId: string | null): WorkflowDefinition {
  if (untilNodeId === null) return definition;
  const ids = connectedIds(definition, untilNodeId, 'upstream');
  const { nodes, connections, language } = definition;
  return {
    ...(language ? { language } : {}),
    nodes: nodes.filter(({ id }) => ids.has(id)),
    connections: connections.filter(({ sourceNode, targetNode }) => ids.has(sourceNode) && ids.has(targetNode)),
  };
}

/** The definition with all nodes disabled that do not belong to the run, so that issues keep their paths. */
export function disableNodesOutside(
  definition: WorkflowDefinition,
  { untilNodeId, startNodeId }: RunBounds,
): WorkflowDefinition {
  if (untilNodeId === null && startNodeId === null) return definition;
  const upstream = untilNodeId === null ? null : connectedIds(definition, untilNodeId, 'upstream');
  const downstream = startNodeId === null ? null : connectedIds(definition, startNodeId, 'downstream');
  const belongs = (id: string) => (upstream?.has(id) ?? true) && (downstream?.has(id) ?? true);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => (belongs(node.id) ? node : { ...node, disabled: true })),
  };
}

/** The reason why no run up to this node is possible; null: one is possible. */
export function partialRunProblem(
  definition: WorkflowDefinition,
  untilNodeId: string,
  startNodeId: string | null,
): string | null {
  const { nodes } = partialDefinition(definition, untilNodeId);
  if (nodes.length === 0) {
    return containsInnerNode(definition, untilNodeId)
      ? 'is inside a loop: a run can end at the loop only'
      : 'is not a node of the workflow';
  }
  if (startNodeId !== null && !nodes.some(({ id }) => id === startNodeId))
    return `the start node ${startNodeId} does not lead to it`;
  return nodes.some(({ type }) => findNodeType(type)?.hasInput === false) ? null : 'no start node leads to it';
}
