import { byName, PART_KINDS, type Item, type Part, type PartKind, type Rename } from './parts';
import type { Pushed } from './pushed';
import { differing, type Place, type PushState } from './push-state';

/** Where the parts of a workflow are stored. */
interface Target {
  /** Of the workflow here. */
  id: string;
  stored: ReadonlyMap<PartKind, Part[]> | undefined;
  toId: Rename;
}

/** Creates and changes the triggers and tests of a workflow. */
export async function pushParts(state: PushState, { key, item }: Pushed, target: Target): Promise<void> {
  for (const kind of PART_KINDS) {
    const stored = byName(target.stored?.get(kind) ?? [], (part) => kind.nameOf(part.item));
    const wanted = byName(kind.itemsOf(item), kind.nameOf);
    for (const [name, one] of wanted) {
      const place = { kind: kind.kind, name, workflow: key };
      const work = () => pushPart(state, place, kind, { ...target, one, before: stored.get(name) });
      await state.attempt(place, work);
    }
    for (const [name, part] of stored)
      if (!wanted.has(name)) await removePart(state, { kind: kind.kind, name, workflow: key }, kind, target.id, part);
  }
}

async function pushPart(
  state: PushState,
  place: Place,
  kind: PartKind,
  { id, toId, one, before }: Target & { one: Item; before: Part | undefined },
): Promise<void> {
  const body = kind.toBody(one, toId);
  const fields = [...new Set([...differing(before?.item ?? {}, body), ...differing(body, before?.item ?? {})])];
  if (before && fields.length === 0) return;
  const help = kind.needsHelp?.(body, before?.item);
  if (help !== undefined) return state.note(place, help);
  if (!before) {
    await kind.create(state.call, id, body);
    state.change({ ...place, action: 'create', after: one });
  } else {
    await kind.update(state.call, id, before.id, body);
    const shown = kind.toBody(before.item, state.keysHere());
    state.change({ ...place, action: 'update', fields, before: shown, after: one });
  }
  const note = kind.noteOf?.(body, before?.item);
  if (note !== undefined) state.note(place, note);
}

async function removePart(state: PushState, place: Place, kind: PartKind, id: string, part: Part): Promise<void> {
  if (!state.asked.prune) return state.note(place, 'It is not in the files. A push with prune deletes it.');
  await state.attempt(place, async () => {
    await kind.remove(state.call, id, part.id);
    state.change({ ...place, action: 'delete', before: kind.toBody(part.item, state.keysHere()) });
  });
}
