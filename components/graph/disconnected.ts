import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from './cards-and-edges';
import { reachableNodeIds } from './walk';

const UNREACHED_NODE_ADVICE = 'No run reaches this node. Connect it to a start node.';

/** The nodes that no run reaches, with advice. */
export function findDisconnectedNodes(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
): ReadonlyMap<string, string> {
  const starts = definition.nodes.filter(({ type }) => catalogue.get(type)?.ports.inputs.length === 0);
  const reached = reachableNodeIds(
    definition,
    starts.map(({ id }) => id),
    'downstream',
  );
  return new Map(definition.nodes.flatMap(({ id }) => (reached.has(id) ? [] : [[id, UNREACHED_NODE_ADVICE] as const])));
}
