import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/** The item that was right-clicked, and the position on the screen. */
export interface ContextMenuTarget {
  over: 'node' | 'note' | 'group' | 'selection' | 'connection' | 'canvas';
  x: number;
  y: number;
}

/** The kind of item with an id; undefined: the canvas itself. */
export function canvasItemKind(
  { notes, groups }: WorkflowDefinition,
  id: string | undefined,
): ContextMenuTarget['over'] {
  if (id === undefined) return 'canvas';
  if (notes?.some((note) => note.id === id)) return 'note';
  return groups?.some((group) => group.id === id) ? 'group' : 'node';
}
