import type { NodeType } from '@/contract/node-type';
import type { Definition, Node } from '@/contract/workflow';
import { changeNode } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';

/** What the palette gives: a node type, and what a node of it begins with. */
export interface Pick {
  kind: NodeType;
  config?: Node['config'];
  name?: string;
}

/** Keeps one drag at a time: what travels with the pointer is only told apart from what others drag. */
let dragged: Pick | undefined;

export function writePick(pick: Pick): string {
  dragged = pick;
  return pick.kind.type;
}

/** The pick that `writePick` made this text of. */
export const readPick = (text: string, catalogue: Catalogue): Pick | undefined =>
  dragged?.kind.type === text && catalogue.has(text) ? dragged : undefined;

/** The node with what it is to begin with. A name that somebody gave it stays. */
export function preset(definition: Definition, id: string, { config, name }: Pick): Definition {
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (!node || (!config && !name)) return definition;
  return changeNode(definition, id, { config: { ...node.config, ...config }, name: node.name ?? name });
}
