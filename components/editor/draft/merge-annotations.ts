import type { WorkflowDefinition, NodeGroup, CanvasNote } from '@/contract/workflows/workflow';
import { isSameJson } from '@/components/graph/compare';
import { setDefinitionGroups } from '@/components/graph/groups';
import { definitionItemIds, randomAnnotationId } from '@/components/graph/edits/ids';
import { setDefinitionNotes } from '@/components/graph/notes';

interface MergeSides<Item> {
  mine: Item | undefined;
  theirs: Item | undefined;
  isMineAlone: boolean;
  isTheirsAlone: boolean;
}

function pairMergeSides<Item extends { id: string }>(base: Item[] = [], mine: Item[] = [], theirs: Item[] = []) {
  const [was, my, their] = [base, mine, theirs].map((items) => new Map(items.map((item) => [item.id, item])));
  return [...new Set([...mine, ...theirs].map(({ id }) => id))].map((id): MergeSides<Item> => {
    const [old, a, b] = [was?.get(id), my?.get(id), their?.get(id)];
    return {
      mine: a,
      theirs: b,
      isMineAlone: isSameJson(old, b) || isSameJson(a, b),
      isTheirsAlone: isSameJson(old, a),
    };
  });
}

/**
 * Three-way merge of notes and groups. A note that both edited is kept twice; of a group that both changed, mine is
 * kept; an item that one removed and the other changed is kept.
 */
export function mergeAnnotations(
  nodes: WorkflowDefinition,
  base: WorkflowDefinition,
  mine: WorkflowDefinition,
  theirs: WorkflowDefinition,
): WorkflowDefinition {
  const groups = pairMergeSides(base.groups, mine.groups, theirs.groups).flatMap((sides): NodeGroup[] => {
    const [group] = resolveMergeSides(sides);
    return group ? [group] : [];
  });
  const taken = new Set([...definitionItemIds(mine), ...definitionItemIds(theirs)]);
  const notes = pairMergeSides(base.notes, mine.notes, theirs.notes).flatMap((sides): CanvasNote[] => {
    const [note, other] = resolveMergeSides(sides);
    if (!note) return [];
    if (!other || other.text === note.text) return [note];
    const id = randomAnnotationId(taken, 'note');
    taken.add(id);
    return [note, { ...other, id, position: { x: other.position.x + 40, y: other.position.y + 40 } }];
  });
  return setDefinitionGroups(setDefinitionNotes(nodes, notes), groups);
}

function resolveMergeSides<Item>({ mine, theirs, isMineAlone, isTheirsAlone }: MergeSides<Item>): Item[] {
  if (isTheirsAlone) return theirs ? [theirs] : [];
  if (isMineAlone) return mine ? [mine] : [];
  return [mine, theirs].filter((item) => item !== undefined);
}
