import type { Definition, NodeGroup, Note } from '@/contract/workflows/workflow';
import { isSame } from '@/components/graph/compare';
import { withGroups } from '@/components/graph/groups';
import { idsIn, newId } from '@/components/graph/edits/ids';
import { withNotes } from '@/components/graph/notes';

interface Sides<Item> {
  mine: Item | undefined;
  theirs: Item | undefined;
  isMineAlone: boolean;
  isTheirsAlone: boolean;
}

function sidesOf<Item extends { id: string }>(base: Item[] = [], mine: Item[] = [], theirs: Item[] = []) {
  const [was, my, their] = [base, mine, theirs].map((items) => new Map(items.map((item) => [item.id, item])));
  return [...new Set([...mine, ...theirs].map(({ id }) => id))].map((id): Sides<Item> => {
    const [old, a, b] = [was?.get(id), my?.get(id), their?.get(id)];
    return { mine: a, theirs: b, isMineAlone: isSame(old, b) || isSame(a, b), isTheirsAlone: isSame(old, a) };
  });
}

/**
 * Three-way merge of notes and groups. A note that both edited is kept twice; of a group that both changed, mine is
 * kept; an item that one removed and the other changed is kept.
 */
export function mergeAnnotations(
  nodes: Definition,
  base: Definition,
  mine: Definition,
  theirs: Definition,
): Definition {
  const groups = sidesOf(base.groups, mine.groups, theirs.groups).flatMap((sides): NodeGroup[] => {
    const [group] = survivors(sides);
    return group ? [group] : [];
  });
  const taken = new Set([...idsIn(mine), ...idsIn(theirs)]);
  const notes = sidesOf(base.notes, mine.notes, theirs.notes).flatMap((sides): Note[] => {
    const [note, other] = survivors(sides);
    if (!note) return [];
    if (!other || other.text === note.text) return [note];
    const id = newId(taken, 'note');
    taken.add(id);
    return [note, { ...other, id, position: { x: other.position.x + 40, y: other.position.y + 40 } }];
  });
  return withGroups(withNotes(nodes, notes), groups);
}

function survivors<Item>({ mine, theirs, isMineAlone, isTheirsAlone }: Sides<Item>): Item[] {
  if (isTheirsAlone) return theirs ? [theirs] : [];
  if (isMineAlone) return mine ? [mine] : [];
  return [mine, theirs].filter((item) => item !== undefined);
}
