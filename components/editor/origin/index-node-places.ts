import { isDrawableDefinition } from '@/components/graph/drawable';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/** The ids of the loops around a node, from the outside in, and its own. */
export interface NodePlace {
  path: readonly string[];
  nodeId: string;
}

interface NodePlaces {
  byId: ReadonlyMap<string, NodePlace>;
  /** Of nodes with the same name, the first. */
  byName: ReadonlyMap<string, NodePlace>;
  /** The node with a mark at a field, of those that one node of n8n became: `Act` and `Act: call`. */
  findMarked(name: string, field: string): NodePlace | undefined;
}

/** `Act: call` → `Act` */
const nameInN8n = (name: string): string => name.replace(/: [^:]*$/, '');

/** The places of all nodes, those in the bodies of loops, too. */
export function indexNodePlaces(definition: WorkflowDefinition): NodePlaces {
  const [byId, byName] = [new Map<string, NodePlace>(), new Map<string, NodePlace>()];
  const marked = new Map<string, NodePlace>();
  const add = ({ nodes }: WorkflowDefinition, path: readonly string[]) => {
    for (const { id, name = id, config, unreviewed = [] } of nodes) {
      const place = { path, nodeId: id };
      if (!byId.has(id)) byId.set(id, place);
      if (!byName.has(name)) byName.set(name, place);
      for (const { field } of unreviewed)
        for (const called of [name, nameInN8n(name)]) marked.set(JSON.stringify([called, field]), place);
      if (isDrawableDefinition(config.body)) add(config.body, [...path, id]);
    }
  };
  add(definition, []);
  return { byId, byName, findMarked: (name, field) => marked.get(JSON.stringify([name, field])) };
}
