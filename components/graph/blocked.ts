import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from './cards-and-edges';
import type { OpenConnectionEnd } from './edits/insert-nodes';
import { reachableNodeIds } from './walk';

/** The nodes that can't be connected to a port, with the reason. One graph traversal for all of them. */
export function findBlockedTargets(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  end: OpenConnectionEnd,
): ReadonlyMap<string, string> {
  const isForward = end.type === 'source';
  const before = reachableNodeIds(definition, [end.nodeId], isForward ? 'upstream' : 'downstream');
  const joined = new Set(
    definition.connections.flatMap(({ sourceNode, sourcePort, targetNode }) =>
      isForward && sourceNode === end.nodeId && sourcePort === end.port ? [targetNode] : [],
    ),
  );
  const reasonFor = ({ id, type }: WorkflowNode): string | undefined => {
    if (id === end.nodeId) return undefined;
    if (isForward && catalogue.get(type)?.ports.inputs.length === 0) return 'A start node has no input';
    if (before.has(id)) return 'This would create a cycle';
    return joined.has(id) ? 'Already connected' : undefined;
  };
  return new Map(
    definition.nodes.flatMap((node) => {
      const reason = reasonFor(node);
      return reason === undefined ? [] : [[node.id, reason] as const];
    }),
  );
}
