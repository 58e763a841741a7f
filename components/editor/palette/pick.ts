import type { NodeType } from '@/contract/workflows/node-type';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { changeNode } from '@/components/graph/edits/edits';
import type { Catalogue } from '@/components/graph/flow';

/** A choice of the palette: a node type with preset config and name. */
export interface Pick {
  kind: NodeType;
  config?: Node['config'];
  name?: string;
}

/** The pick being dragged. The drag data holds only its type, to recognise drags of this page. */
let dragged: Pick | undefined;

export function writePick(pick: Pick): string {
  dragged = pick;
  return pick.kind.type;
}

/** The pick that `writePick` returned this text for. */
export const readPick = (text: string, catalogue: Catalogue): Pick | undefined =>
  dragged?.kind.type === text && catalogue.has(text) ? dragged : undefined;

/** Applies the presets of a pick to a node. An existing name is kept. */
export function preset(definition: Definition, id: string, { config, name }: Pick): Definition {
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (!node || (!config && !name)) return definition;
  return changeNode(definition, id, { config: { ...node.config, ...config }, name: node.name ?? name });
}
