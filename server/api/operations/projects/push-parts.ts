import { indexByName } from './index-by-name';
import type { ProjectItem, WorkflowPart, WorkflowPartKind, ReferenceMapper } from './part-kind';
import { WORKFLOW_PART_KINDS } from './workflow-parts';
import type { MatchedWorkflow } from './matched-workflow';
import { differingFields, type ProjectObjectRef, type PushState } from './push-state';

/** Where the parts of a workflow are stored. */
interface PartTarget {
  /** The id of the workflow in the workspace. */
  id: string;
  stored: ReadonlyMap<WorkflowPartKind, WorkflowPart[]> | undefined;
  toId: ReferenceMapper;
}

/** Creates and changes the triggers and tests of a workflow. */
export async function pushWorkflowParts(
  state: PushState,
  { key, item }: MatchedWorkflow,
  target: PartTarget,
): Promise<void> {
  for (const kind of WORKFLOW_PART_KINDS) {
    const stored = indexByName(target.stored?.get(kind) ?? [], (part) => kind.itemName(part.item));
    const wanted = indexByName(kind.itemsIn(item), kind.itemName);
    for (const [name, one] of wanted) {
      const place = { kind: kind.kind, name, workflow: key };
      const work = () => pushWorkflowPart(state, place, kind, { ...target, one, before: stored.get(name) });
      await state.runPart(place, work);
    }
    for (const [name, part] of stored)
      if (!wanted.has(name))
        await removeWorkflowPart(state, { kind: kind.kind, name, workflow: key }, kind, target.id, part);
  }
}

async function pushWorkflowPart(
  state: PushState,
  place: ProjectObjectRef,
  kind: WorkflowPartKind,
  { id, toId, one, before }: PartTarget & { one: ProjectItem; before: WorkflowPart | undefined },
): Promise<void> {
  const body = kind.toBody(one, toId);
  const fields = [
    ...new Set([...differingFields(before?.item ?? {}, body), ...differingFields(body, before?.item ?? {})]),
  ];
  if (before && fields.length === 0) return;
  const help = kind.manualStep?.(body, before?.item);
  if (help !== undefined) return state.recordNote(place, help);
  if (!before) {
    await kind.create(state.call, id, body);
    state.recordChange({ ...place, action: 'create', after: one });
  } else {
    await kind.update(state.call, id, before.id, body);
    const shown = kind.toBody(before.item, state.makeKeyMapper());
    state.recordChange({ ...place, action: 'update', fields, before: shown, after: one });
  }
  const note = kind.followUpNote?.(body, before?.item);
  if (note !== undefined) state.recordNote(place, note);
}

async function removeWorkflowPart(
  state: PushState,
  place: ProjectObjectRef,
  kind: WorkflowPartKind,
  id: string,
  part: WorkflowPart,
): Promise<void> {
  if (!state.asked.prune) return state.recordNote(place, 'It is not in the files. A push with prune deletes it.');
  await state.runPart(place, async () => {
    await kind.remove(state.call, id, part.id);
    state.recordChange({ ...place, action: 'delete', before: kind.toBody(part.item, state.makeKeyMapper()) });
  });
}
