import type { XYPosition } from '@xyflow/react';
import type { WorkflowDefinition, CanvasNote } from '@/contract/workflows/workflow';
import { definitionItemIds, randomAnnotationId } from './edits/ids';

export const NEW_NOTE_SIZE = { width: 260, height: 180 };

/** The title of a note: its first words. */
export const noteTitle = ({ text }: CanvasNote): string =>
  text
    .split('\n', 1)[0]
    ?.replace(/^[#>*\-\s]+/, '')
    .slice(0, 60) || 'Note';

export function addNote(
  definition: WorkflowDefinition,
  { x, y }: XYPosition,
): { definition: WorkflowDefinition; id: string } {
  const id = randomAnnotationId(definitionItemIds(definition), 'note');
  const position = { x: Math.round(x), y: Math.round(y) };
  const note: CanvasNote = { id, position, size: NEW_NOTE_SIZE, text: '', color: 'yellow' };
  return { id, definition: setDefinitionNotes(definition, [...(definition.notes ?? []), note]) };
}

export const changeNote = (
  definition: WorkflowDefinition,
  id: string,
  change: Partial<CanvasNote>,
): WorkflowDefinition => ({
  ...definition,
  notes: definition.notes?.map((note) => (note.id === id ? { ...note, ...change } : note)),
});

/** Sets the notes of a definition; an empty list removes the field. */
export function setDefinitionNotes(definition: WorkflowDefinition, notes: CanvasNote[]): WorkflowDefinition {
  const { notes: _, ...rest } = definition;
  return notes.length ? { ...rest, notes } : rest;
}

export const removeNotes = (definition: WorkflowDefinition, ids: ReadonlySet<string>): WorkflowDefinition =>
  definition.notes?.some(({ id }) => ids.has(id))
    ? setDefinitionNotes(
        definition,
        definition.notes.filter(({ id }) => !ids.has(id)),
      )
    : definition;
