import { createContext, use } from 'react';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowResponse, WorkflowDraft } from '@/contract/workflows/workflow';
import { useStoreSlice, type ObservableStore } from '@/components/client/store';
import type { EditorPinState, PinnedOutputsByPath } from '../pins/pinned-outputs';
import { isSameJson } from '@/components/graph/compare';
import { mergeDrafts, type ConflictSide, type NamedDefinition } from './merge-definitions';
import { definitionAtPath, replaceBodyAtPath } from '@/components/graph/body';

/** A pinned or unpinned output; undefined: none. It is part of the undo history, not of the definition. */
export interface PinUndoStep {
  /** The path of the node (`pinPath`). */
  nodeId: string;
  before: unknown;
  after: unknown;
}

/** An undo step: an earlier definition, or a pin. */
export type DraftUndoStep = WorkflowDefinition | PinUndoStep;
export const isPinUndoStep = (step: unknown): step is PinUndoStep =>
  typeof step === 'object' && step !== null && 'nodeId' in step;

/** A workflow being edited: the last saved state, the current state, and the undo history. */
export interface EditorDraft extends EditorPinState {
  saved: WorkflowDraft;
  name: string;
  definition: WorkflowDefinition;
  past: DraftUndoStep[];
  future: DraftUndoStep[];
  /** The subject of the last change; a further change with the same intent joins its undo step. */
  intent: string | undefined;
  /** Ids of the loops around the definition that is edited, from the outside in; empty: the workflow itself. */
  path: readonly string[];
  /**
   * The loops whose bodies are drawn in frames, by their paths. The path of the edited definition may lead through
   * them.
   */
  openLoops: readonly string[];
  selectedIds: readonly string[];
  /**
   * Result of the last save. `idle`: no save is in progress and no problem is open. `invalid`: the definition has
   * errors; the service has it as an invalid draft.
   */
  saving: 'idle' | 'saving' | 'offline' | 'invalid' | 'refused' | 'conflict';
  /** The invalid draft of this person, as the service has it. */
  invalid: Pick<EditorDraft, 'name' | 'definition'> | undefined;
  /** Why the save was refused. */
  refusal: string | undefined;
  /** Details that the service refused at the last save, run or activation. */
  issues: FieldIssue[];
  /**
   * The field to show in the panel of its node, by its path in the node: `config.url`, `timeoutMs`; `RESULT_FIELD`; or
   * `FIRST_FORM_FIELD`. `message`: what is wrong with it.
   */
  focus: { nodeId: string; field: string; message?: string } | undefined;
  /** The node that was just added, until its panel has decided whether it runs for each item. */
  addedId: string | undefined;
}

/** Stands for the result of the node in the run shown, in place of a field. */
export const RESULT_FIELD = '$result';
/** Stands for the first field of the form. */
export const FIRST_FORM_FIELD = '$first';

const MAX_UNDO_STEPS = 200;
/** So many steps get the changes of others, because each one is merged. */
const MAX_MERGED_UNDO_STEPS = 50;

export const createDraftState = (workflow: WorkflowDraft, pins: PinnedOutputsByPath = {}): EditorDraft => ({
  saved: workflow,
  name: workflow.name,
  definition: workflow.definition,
  past: [],
  future: [],
  intent: undefined,
  pins,
  droppedPins: {},
  path: [],
  openLoops: [],
  selectedIds: [],
  saving: 'idle',
  invalid: undefined,
  refusal: undefined,
  issues: [],
  focus: undefined,
  addedId: undefined,
});

/** Changes the definition as one undo step. */
export function changeDefinition(
  draft: EditorDraft,
  definition: WorkflowDefinition,
  intent?: string,
): Partial<EditorDraft> {
  if (definition === draft.definition) return {};
  const isSameStep = intent !== undefined && intent === draft.intent;
  const past = isSameStep ? draft.past : [...draft.past, draft.definition].slice(-MAX_UNDO_STEPS);
  return { definition, past, future: [], intent };
}

/** The definition that is edited: the workflow, or the body of a loop. */
export const canvasDefinition = ({ definition, path }: EditorDraft): WorkflowDefinition =>
  definitionAtPath(definition, path);

/** Changes the definition on the canvas. */
export const editCanvas = (draft: EditorDraft, next: WorkflowDefinition, intent?: string): Partial<EditorDraft> =>
  next === canvasDefinition(draft)
    ? {}
    : changeDefinition(draft, replaceBodyAtPath(draft.definition, draft.path, next), intent);

/** Adds a pin as its own undo step. */
export const recordPinStep = (draft: EditorDraft, step: PinUndoStep): Partial<EditorDraft> => ({
  past: [...draft.past, step].slice(-MAX_UNDO_STEPS),
  future: [],
  intent: undefined,
});

export function undoDraftStep(draft: EditorDraft): Partial<EditorDraft> {
  const step = draft.past.at(-1);
  if (!step) return {};
  const past = draft.past.slice(0, -1);
  if (isPinUndoStep(step)) return { past, future: [step, ...draft.future], intent: undefined };
  const future = [draft.definition, ...draft.future];
  return { definition: step, past, future, intent: undefined, ...leaveLostLoops(draft, step) };
}

export function redoDraftStep(draft: EditorDraft): Partial<EditorDraft> {
  const [step, ...future] = draft.future;
  if (!step) return {};
  if (isPinUndoStep(step)) return { past: [...draft.past, step], future, intent: undefined };
  const past = [...draft.past, draft.definition];
  return { definition: step, past, future, intent: undefined, ...leaveLostLoops(draft, step) };
}

/** The path as far as its loops exist in a definition. */
function leaveLostLoops({ path }: EditorDraft, definition: WorkflowDefinition): Partial<EditorDraft> {
  const lost = path.findIndex(
    (id, depth) => !definitionAtPath(definition, path.slice(0, depth)).nodes.some((node) => node.id === id),
  );
  return lost === -1 ? {} : { path: path.slice(0, lost), selectedIds: [] };
}

/** State after a successful save. Later changes stay unsaved. */
export const applySavedVersion = (workflow: WorkflowDraft, definition: WorkflowDefinition): Partial<EditorDraft> => ({
  saved: { ...workflow, definition },
  invalid: undefined,
  refusal: undefined,
  issues: [],
});

/**
 * Continues from a version that someone else saved, with both changes merged. The undo history gets their changes too,
 * so that undo takes back only what was done here.
 */
export function rebaseDraft(
  draft: EditorDraft,
  theirs: WorkflowDraft,
  choices?: ReadonlyMap<string, ConflictSide>,
): Partial<EditorDraft> {
  const base = draft.saved;
  const merge = (mine: NamedDefinition): NamedDefinition => {
    const merged = mergeDrafts(base, mine, theirs, choices);
    // Equal content is not stored as another version.
    return isSameJson(merged.definition, theirs.definition) ? { ...merged, definition: theirs.definition } : merged;
  };
  const mergeStep = (step: DraftUndoStep) =>
    isPinUndoStep(step) ? step : merge({ name: base.name, definition: step }).definition;
  const { name, definition } = merge(draftContent(draft));
  return {
    name,
    definition,
    past: draft.past.slice(-MAX_MERGED_UNDO_STEPS).map(mergeStep),
    future: draft.future.slice(0, MAX_MERGED_UNDO_STEPS).map(mergeStep),
    intent: undefined,
    saved: theirs,
    refusal: undefined,
    issues: [],
    ...leaveLostLoops(draft, definition),
  };
}

/** The selected id; undefined if none or several are selected. */
export const singleSelectedId = ({ selectedIds }: EditorDraft) =>
  selectedIds.length === 1 ? selectedIds[0] : undefined;

/** What a save would store. An empty name leaves the one that is saved. */
export const draftContent = ({
  saved,
  name,
  definition,
}: Pick<EditorDraft, 'saved' | 'name' | 'definition'>): NamedDefinition => ({
  name: name.trim() || saved.name,
  definition,
});

export const hasUnsavedChanges = (draft: EditorDraft) =>
  draft.definition !== draft.saved.definition || draftContent(draft).name !== draft.saved.name;

/** Whether the service has the current state: as a version, or as an invalid draft. */
export const isStoredByService = (draft: EditorDraft) =>
  !hasUnsavedChanges(draft) || (draft.invalid?.definition === draft.definition && draft.invalid.name === draft.name);

/** Whether saves go to a draft that must be published. While the status is `draft`, triggers run each save at once. */
export const hasSeparateDraft = ({ status, draftVersion }: WorkflowDraft) =>
  status !== 'draft' || draftVersion !== null;

/** A workflow without unpublished changes. */
export const draftFromWorkflow = (workflow: WorkflowResponse): WorkflowDraft => ({
  ...workflow,
  liveVersion: workflow.version,
});

/** Whether triggers run another version than the one on the canvas. */
export const hasUnpublishedChanges = (draft: EditorDraft) =>
  draft.saved.draftVersion !== null || (hasSeparateDraft(draft.saved) && hasUnsavedChanges(draft));

/** Switches to a version that the service made current. Undo restores the canvas. */
export const replaceWithVersion = (draft: EditorDraft, workflow: WorkflowResponse): Partial<EditorDraft> => ({
  ...createDraftState(draftFromWorkflow(workflow), draft.pins),
  droppedPins: draft.droppedPins,
  past: [...draft.past, draft.definition],
});

/** Assigns issues such as `nodes[2].config.url` to their nodes; `field` is the rest of the path. */
export function groupIssuesByNode(
  definition: WorkflowDefinition,
  issues: FieldIssue[],
): ReadonlyMap<string, FieldIssue[]> {
  const found = new Map<string, FieldIssue[]>();
  for (const { field, message } of issues) {
    const [, index, rest = ''] = /^nodes\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const node = index === undefined ? undefined : definition.nodes[Number(index)];
    if (node) found.set(node.id, [...(found.get(node.id) ?? []), { field: rest, message }]);
  }
  return found;
}

/** Like `groupIssuesByNode`, for the nodes on the canvas. */
export function canvasIssuesByNode({
  definition,
  path,
  issues,
}: Pick<EditorDraft, 'definition' | 'path' | 'issues'>): ReadonlyMap<string, FieldIssue[]> {
  let [at, prefix] = [definition, ''];
  for (const id of path) {
    prefix += `nodes[${at.nodes.findIndex((node) => node.id === id)}].config.body.`;
    at = definitionAtPath(at, [id]);
  }
  const inside = issues.flatMap(({ field, message }) =>
    field.startsWith(prefix) ? [{ field: field.slice(prefix.length), message }] : [],
  );
  return groupIssuesByNode(at, inside);
}

export const DraftContext = createContext<ObservableStore<EditorDraft> | undefined>(undefined);

export function useDraftStore(): ObservableStore<EditorDraft> {
  const store = use(DraftContext);
  if (!store) throw new Error('There is no draft around this component');
  return store;
}

export const useDraft = <Part>(pick: (draft: EditorDraft) => Part): Part => useStoreSlice(useDraftStore(), pick);
