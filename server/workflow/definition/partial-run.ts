import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { findNodeType } from '@/server/workflow/nodes';
import { containsInnerNode } from './node-paths';

/** The ids of a node and all its ancestors; empty if the definition has no such node. */
function ancestorIds({ nodes, connections }: WorkflowDefinition, nodeId: string): ReadonlySet<string> {
  const sources = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { sourceNode, targetNode } of connections) sources.get(targetNode)?.push(sourceNode);
  const found = new Set(sources.has(nodeId) ? [nodeId] : []);
  // A Set also iterates over elements that are added meanwhile.
  for (const id of found) for (const source of sources.get(id) ?? []) found.add(source);
  return found;
}

/**
 * The part of a graph for a run up to a node: that node and its ancestors. Nothing follows the cut: an error that only
 * the rest would have handled fails the run. Null: the whole definition.
 */
export function partialDefinition(definition: WorkflowDefinition, untilNodeId: string | null): WorkflowDefinition {
  if (untilNodeId === null) return definition;
  const ids = ancestorIds(definition, untilNodeId);
  const { nodes, connections, language } = definition;
  return {
    ...(language ? { language } : {}),
    nodes: nodes.filter(({ id }) => ids.has(id)),
    connections: connections.filter(({ sourceNode, targetNode }) => ids.has(sourceNode) && ids.has(targetNode)),
  };
}

/** The definition with all other nodes disabled, so that issues keep their paths. */
export function disableNodesOutside(definition: WorkflowDefinition, untilNodeId: string | null): WorkflowDefinition {
  if (untilNodeId === null) return definition;
  const ids = ancestorIds(definition, untilNodeId);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => (ids.has(node.id) ? node : { ...node, disabled: true })),
  };
}

/** The reason why no run up to this node is possible; null: one is possible. */
export function partialRunProblem(definition: WorkflowDefinition, untilNodeId: string): string | null {
  const { nodes } = partialDefinition(definition, untilNodeId);
  if (nodes.length === 0) {
    return containsInnerNode(definition, untilNodeId)
      ? 'is inside a loop: a run can end at the loop only'
      : 'is not a node of the workflow';
  }
  return nodes.some(({ type }) => findNodeType(type)?.hasInput === false) ? null : 'no start node leads to it';
}
