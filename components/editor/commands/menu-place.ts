import type { Definition } from '@/contract/workflows/workflow';

/** The item that was right-clicked, and the position on the screen. */
export interface MenuPlace {
  over: 'node' | 'note' | 'group' | 'selection' | 'connection' | 'canvas';
  x: number;
  y: number;
}

/** The kind of item with an id; undefined: the canvas itself. */
export function kindOf({ notes, groups }: Definition, id: string | undefined): MenuPlace['over'] {
  if (id === undefined) return 'canvas';
  if (notes?.some((note) => note.id === id)) return 'note';
  return groups?.some((group) => group.id === id) ? 'group' : 'node';
}
