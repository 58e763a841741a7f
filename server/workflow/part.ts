import type { Definition } from '@/contract/workflows/workflow';
import { kindOf } from '@/server/nodes';
import { isInside } from './definition';

/** The ids of a node and all its ancestors; empty if the definition has no such node. */
function leadingTo({ nodes, connections }: Definition, nodeId: string): ReadonlySet<string> {
  const sources = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { sourceNode, targetNode } of connections) sources.get(targetNode)?.push(sourceNode);
  const found = new Set(sources.has(nodeId) ? [nodeId] : []);
  // A Set also iterates over elements that are added meanwhile.
  for (const id of found) for (const source of sources.get(id) ?? []) found.add(source);
  return found;
}

/**
 * The part of a graph for a run up to a node: that node and its ancestors. Nothing follows the cut: an error that only the rest would have
 * handled fails the run. Null: the whole definition.
 */
export function partOf(definition: Definition, untilNodeId: string | null): Definition {
  if (untilNodeId === null) return definition;
  const ids = leadingTo(definition, untilNodeId);
  const { nodes, connections } = definition;
  return {
    nodes: nodes.filter(({ id }) => ids.has(id)),
    connections: connections.filter(({ sourceNode, targetNode }) => ids.has(sourceNode) && ids.has(targetNode)),
  };
}

/** The definition with all other nodes disabled, so that issues keep their paths. */
export function definitionUpTo(definition: Definition, untilNodeId: string | null): Definition {
  if (untilNodeId === null) return definition;
  const ids = leadingTo(definition, untilNodeId);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => (ids.has(node.id) ? node : { ...node, disabled: true })),
  };
}

/** Why no run up to this node is possible; null: it is. */
export function problemUpTo(definition: Definition, untilNodeId: string): string | null {
  const { nodes } = partOf(definition, untilNodeId);
  if (nodes.length === 0) {
    return isInside(definition, untilNodeId)
      ? 'is inside a loop: a run can end at the loop only'
      : 'is not a node of the workflow';
  }
  return nodes.some(({ type }) => kindOf(type)?.hasInput === false) ? null : 'no start node leads to it';
}
