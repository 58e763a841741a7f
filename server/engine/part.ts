import type { Definition } from '@/contract/workflow';
import { kindOf } from '../nodes';
import { isInside } from './definition';

/** The ids of a node and of all that lead to it; empty when the definition has no such node. */
function leadingTo({ nodes, connections }: Definition, nodeId: string): ReadonlySet<string> {
  const sources = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { sourceNode, targetNode } of connections) sources.get(targetNode)?.push(sourceNode);
  const found = new Set(sources.has(nodeId) ? [nodeId] : []);
  // A Set hands out what is added while it is walked.
  for (const id of found) for (const source of sources.get(id) ?? []) found.add(source);
  return found;
}

/**
 * What a run up to a node runs: that node and what leads to it. Where it is cut off nothing follows: an error that only
 * the rest would have taken care of fails the run. Null: the whole definition.
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

/** The definition with all that such a run leaves out disabled: it is judged like that, each node at its own place. */
export function judgedUpTo(definition: Definition, untilNodeId: string | null): Definition {
  if (untilNodeId === null) return definition;
  const ids = leadingTo(definition, untilNodeId);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => (ids.has(node.id) ? node : { ...node, disabled: true })),
  };
}

/** Why nothing can be run up to this node; null: it can. */
export function problemUpTo(definition: Definition, untilNodeId: string): string | null {
  const { nodes } = partOf(definition, untilNodeId);
  if (nodes.length === 0) {
    return isInside(definition, untilNodeId)
      ? 'is inside a loop: it runs with its loop, and a run can only go up to that'
      : 'is not a node of the workflow';
  }
  return nodes.some(({ type }) => kindOf(type)?.hasInput === false) ? null : 'no start node leads to it';
}
