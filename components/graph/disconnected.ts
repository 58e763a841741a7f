import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from './flow';
import { reach } from './walk';

const UNREACHED = 'No run reaches this node. Connect it to a start node.';

/** The nodes that no run reaches, with advice. */
export function disconnectedNodes(definition: Definition, catalogue: Catalogue): ReadonlyMap<string, string> {
  const starts = definition.nodes.filter(({ type }) => catalogue.get(type)?.ports.inputs.length === 0);
  const reached = reach(
    definition,
    starts.map(({ id }) => id),
    'downstream',
  );
  return new Map(definition.nodes.flatMap(({ id }) => (reached.has(id) ? [] : [[id, UNREACHED] as const])));
}
