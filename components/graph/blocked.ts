import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Catalogue } from './flow';
import type { LooseEnd } from './edits/splice';
import { reach } from './walk';

/** The nodes that can't be connected to a port, with the reason. One graph traversal for all of them. */
export function blockedFor(definition: Definition, catalogue: Catalogue, end: LooseEnd): ReadonlyMap<string, string> {
  const isForward = end.type === 'source';
  const before = reach(definition, [end.nodeId], isForward ? 'upstream' : 'downstream');
  const joined = new Set(
    definition.connections.flatMap(({ sourceNode, sourcePort, targetNode }) =>
      isForward && sourceNode === end.nodeId && sourcePort === end.port ? [targetNode] : [],
    ),
  );
  const reasonFor = ({ id, type }: Node): string | undefined => {
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
