import type { Definition } from '@/contract/workflow';

/** What was right-clicked, and where on the screen. */
export interface MenuPlace {
  over: 'node' | 'note' | 'group' | 'selection' | 'wire' | 'canvas';
  x: number;
  y: number;
}

/** What an id on the canvas belongs to; undefined: the canvas itself. */
export function kindOf({ notes, groups }: Definition, id: string | undefined): MenuPlace['over'] {
  if (id === undefined) return 'canvas';
  if (notes?.some((note) => note.id === id)) return 'note';
  return groups?.some((group) => group.id === id) ? 'group' : 'node';
}
