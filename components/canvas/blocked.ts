import type { Definition, Node } from '@/contract/workflow';
import type { Catalogue } from './flow';
import type { LooseEnd } from './splice';
import { reach } from './walk';

/** The nodes to which no connection can lead from a port, each with the reason. One walk over the graph for all. */
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
    if (isForward && catalogue.get(type)?.ports.inputs.length === 0) return 'Runs start here: nothing can come before';
    if (before.has(id)) return 'That would make a circle';
    return joined.has(id) ? 'Joined already' : undefined;
  };
  return new Map(
    definition.nodes.flatMap((node) => {
      const reason = reasonFor(node);
      return reason === undefined ? [] : [[node.id, reason] as const];
    }),
  );
}
