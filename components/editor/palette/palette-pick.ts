import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { changeNodeFields } from '@/components/graph/edits/edits';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';

/** A choice of the palette: a node type with preset config and name. */
export interface PalettePick {
  nodeType: NodeTypeDescription;
  config?: WorkflowNode['config'];
  name?: string;
}

/** The pick being dragged. The drag data holds only its type, to recognise drags of this page. */
let dragged: PalettePick | undefined;

export function startPickDrag(pick: PalettePick): string {
  dragged = pick;
  return pick.nodeType.type;
}

/** The pick that `startPickDrag` returned this text for. */
export const readDraggedPick = (text: string, catalogue: NodeTypesByName): PalettePick | undefined =>
  dragged?.nodeType.type === text && catalogue.has(text) ? dragged : undefined;

/** Applies the presets of a pick to a node. An existing name is kept. */
export function applyPickPreset(
  definition: WorkflowDefinition,
  id: string,
  { config, name }: PalettePick,
): WorkflowDefinition {
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (!node || (!config && !name)) return definition;
  return changeNodeFields(definition, id, { config: { ...node.config, ...config }, name: node.name ?? name });
}
