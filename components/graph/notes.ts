import type { XYPosition } from '@xyflow/react';
import type { Definition, Note } from '@/contract/workflows/workflow';
import { idsIn, newId } from './edits/ids';

export const NEW_NOTE = { width: 260, height: 180 };

/** The title of a note: its first words. */
export const noteTitle = ({ text }: Note): string =>
  text
    .split('\n', 1)[0]
    ?.replace(/^[#>*\-\s]+/, '')
    .slice(0, 60) || 'Note';

export function addNote(definition: Definition, { x, y }: XYPosition): { definition: Definition; id: string } {
  const id = newId(idsIn(definition), 'note');
  const position = { x: Math.round(x), y: Math.round(y) };
  const note: Note = { id, position, size: NEW_NOTE, text: '', color: 'yellow' };
  return { id, definition: withNotes(definition, [...(definition.notes ?? []), note]) };
}

export const changeNote = (definition: Definition, id: string, change: Partial<Note>): Definition => ({
  ...definition,
  notes: definition.notes?.map((note) => (note.id === id ? { ...note, ...change } : note)),
});

/** Sets the notes of a definition; an empty list removes the field. */
export function withNotes(definition: Definition, notes: Note[]): Definition {
  const { notes: _, ...rest } = definition;
  return notes.length ? { ...rest, notes } : rest;
}

export const removeNotes = (definition: Definition, ids: ReadonlySet<string>): Definition =>
  definition.notes?.some(({ id }) => ids.has(id))
    ? withNotes(
        definition,
        definition.notes.filter(({ id }) => !ids.has(id)),
      )
    : definition;
