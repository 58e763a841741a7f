import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed, MAX_N8N_NODES } from '../file';

/** A node of n8n as the record of the import keeps it. */
export interface KeptN8nNode {
  name: string;
  type: string;
  version: number;
  nodeId: string | null;
  parameters: Record<string, unknown>;
}

/** The ids of the nodes of a definition by the names that they had in n8n, where they are unique. */
export const nodeIdsByName = ({ nodes }: WorkflowDefinition): ReadonlyMap<string, string> =>
  new Map(nodes.toReversed().flatMap(({ id, name }) => (name ? [[name, id] as const] : [])));

/** Parameters of all nodes may have so many characters together; those of the largest are left out beyond. */
const MAX_KEPT_CHARACTERS = 2 * 1024 * 1024;

/** The nodes of n8n with their parameters, to look at while a workflow is repaired. */
export function keepN8nNodes(file: unknown, definition: WorkflowDefinition): KeptN8nNode[] {
  const ids = nodeIdsByName(definition);
  let left = MAX_KEPT_CHARACTERS;
  return asN8nObjects(asN8nObject(file)['nodes'])
    .flatMap(({ name, type, typeVersion, parameters }) => {
      if (typeof name !== 'string' || typeof type !== 'string' || type.endsWith('.stickyNote')) return [];
      const size = JSON.stringify(parameters ?? {}).length;
      left -= size;
      const isKept = left >= 0;
      if (!isKept) left += size;
      return [
        {
          name: cutWellFormed(name, 200),
          type: cutWellFormed(type, 200),
          version: typeof typeVersion === 'number' ? typeVersion : 1,
          nodeId: ids.get(cutWellFormed(name, 200)) ?? null,
          parameters: isKept ? asN8nObject(parameters) : {},
        },
      ];
    })
    .slice(0, MAX_N8N_NODES);
}
