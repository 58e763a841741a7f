import { createContext, use } from 'react';
import type { FieldError } from '@/contract/error';
import type { Definition, Workflow, WorkflowDraft } from '@/contract/workflows/workflow';
import { useStore, type Store } from '@/components/client/store';
import type { PinState, StoredPins } from '../pins/pins';
import { bodyAt, withBody } from '@/components/graph/body';

/** A pinned or unpinned output; undefined: none. It is part of the undo history, not of the definition. */
export interface PinStep {
  /** The path of the node (`pinPath`). */
  nodeId: string;
  before: unknown;
  after: unknown;
}

/** An undo step: an earlier definition, or a pin. */
export type Step = Definition | PinStep;
export const isPinStep = (step: unknown): step is PinStep =>
  typeof step === 'object' && step !== null && 'nodeId' in step;

/** A workflow being edited: the last saved state, the current state, and the undo history. */
export interface Draft extends PinState {
  saved: WorkflowDraft;
  name: string;
  definition: Definition;
  past: Step[];
  future: Step[];
  /** The subject of the last change; a further change with the same intent joins its undo step. */
  intent: string | undefined;
  /** Ids of the opened loops, from the outside in; empty: the workflow itself is on the canvas. */
  path: readonly string[];
  selectedIds: readonly string[];
  /**
   * Result of the last save. `idle`: no save is in progress and no problem is open. `invalid`: the definition has errors; the service has it
   * as an invalid draft.
   */
  saving: 'idle' | 'saving' | 'offline' | 'invalid' | 'refused' | 'conflict';
  /** What the service has as the invalid draft of this person. */
  invalid: Pick<Draft, 'name' | 'definition'> | undefined;
  /** Why the save was refused. */
  refusal: string | undefined;
  /** Details that the service refused at the last save, run or activation. */
  issues: FieldError[];
  /**
   * The field to show in the panel of its node, by its path in the node: `config.url`, `timeoutMs`; `RESULT`; or `FIRST_FIELD`. `message`:
   * what is wrong with it.
   */
  focus: { nodeId: string; field: string; message?: string } | undefined;
}

/** In place of a field: the result of the node in the run shown. */
export const RESULT = '$result';
/** In place of a field: the first one of the form. */
export const FIRST_FIELD = '$first';

const MOST_STEPS = 200;

export const newDraft = (workflow: WorkflowDraft, pins: StoredPins = {}): Draft => ({
  saved: workflow,
  name: workflow.name,
  definition: workflow.definition,
  past: [],
  future: [],
  intent: undefined,
  pins,
  droppedPins: {},
  path: [],
  selectedIds: [],
  saving: 'idle',
  invalid: undefined,
  refusal: undefined,
  issues: [],
  focus: undefined,
});

/** Changes the definition as one undo step. */
export function changed(draft: Draft, definition: Definition, intent?: string): Partial<Draft> {
  if (definition === draft.definition) return {};
  const isSameStep = intent !== undefined && intent === draft.intent;
  const past = isSameStep ? draft.past : [...draft.past, draft.definition].slice(-MOST_STEPS);
  return { definition, past, future: [], intent };
}

/** The definition on the canvas: the workflow, or the body of the opened loop. */
export const shown = ({ definition, path }: Draft): Definition => bodyAt(definition, path);

/** Changes the definition on the canvas. */
export const edited = (draft: Draft, next: Definition, intent?: string): Partial<Draft> =>
  next === shown(draft) ? {} : changed(draft, withBody(draft.definition, draft.path, next), intent);

/** Adds a pin as its own undo step. */
export const pinned = (draft: Draft, step: PinStep): Partial<Draft> => ({
  past: [...draft.past, step].slice(-MOST_STEPS),
  future: [],
  intent: undefined,
});

export function undone(draft: Draft): Partial<Draft> {
  const step = draft.past.at(-1);
  if (!step) return {};
  const past = draft.past.slice(0, -1);
  if (isPinStep(step)) return { past, future: [step, ...draft.future], intent: undefined };
  return { definition: step, past, future: [draft.definition, ...draft.future], intent: undefined };
}

export function redone(draft: Draft): Partial<Draft> {
  const [step, ...future] = draft.future;
  if (!step) return {};
  if (isPinStep(step)) return { past: [...draft.past, step], future, intent: undefined };
  return { definition: step, past: [...draft.past, draft.definition], future, intent: undefined };
}

/** State after a successful save. Later changes stay unsaved. */
export const savedAs = (workflow: WorkflowDraft, definition: Definition): Partial<Draft> => ({
  saved: { ...workflow, definition },
  invalid: undefined,
  refusal: undefined,
  issues: [],
});

/** Continues from a version that someone else saved. Undo restores the canvas. */
export const rebased = (
  draft: Draft,
  theirs: WorkflowDraft,
  { name, definition }: Pick<Draft, 'name' | 'definition'>,
): Partial<Draft> => ({ ...changed(draft, definition), name, saved: theirs, refusal: undefined, issues: [] });

/** The selected id; undefined if none or several are selected. */
export const selectedId = ({ selectedIds }: Draft) => (selectedIds.length === 1 ? selectedIds[0] : undefined);

export const isDirty = (draft: Draft) =>
  draft.definition !== draft.saved.definition || (draft.name.trim() || draft.saved.name) !== draft.saved.name;

/** Whether the service has the current state: as a version, or as an invalid draft. */
export const isStored = (draft: Draft) =>
  !isDirty(draft) || (draft.invalid?.definition === draft.definition && draft.invalid.name === draft.name);

/** Whether saves go to a draft that must be published. While the status is `draft`, triggers run each save at once. */
export const hasSeparateDraft = ({ status, draftVersion }: WorkflowDraft) =>
  status !== 'draft' || draftVersion !== null;

/** A workflow without unpublished changes. */
export const asSaved = (workflow: Workflow): WorkflowDraft => ({ ...workflow, liveVersion: workflow.version });

/** Whether triggers run another version than the one on the canvas. */
export const isUnpublished = (draft: Draft) =>
  draft.saved.draftVersion !== null || (hasSeparateDraft(draft.saved) && isDirty(draft));

/** Switches to a version that the service made current. Undo restores the canvas. */
export const replaced = (draft: Draft, workflow: Workflow): Partial<Draft> => ({
  ...newDraft(asSaved(workflow), draft.pins),
  droppedPins: draft.droppedPins,
  past: [...draft.past, draft.definition],
});

/** Assigns issues such as `nodes[2].config.url` to their nodes; `field` is the rest of the path. */
export function issuesByNode(definition: Definition, issues: FieldError[]): ReadonlyMap<string, FieldError[]> {
  const found = new Map<string, FieldError[]>();
  for (const { field, message } of issues) {
    const [, index, rest = ''] = /^nodes\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const node = index === undefined ? undefined : definition.nodes[Number(index)];
    if (node) found.set(node.id, [...(found.get(node.id) ?? []), { field: rest, message }]);
  }
  return found;
}

/** The same for the definition on the canvas. */
export function issuesShown({
  definition,
  path,
  issues,
}: Pick<Draft, 'definition' | 'path' | 'issues'>): ReadonlyMap<string, FieldError[]> {
  let [at, prefix] = [definition, ''];
  for (const id of path) {
    prefix += `nodes[${at.nodes.findIndex((node) => node.id === id)}].config.body.`;
    at = bodyAt(at, [id]);
  }
  const inside = issues.flatMap(({ field, message }) =>
    field.startsWith(prefix) ? [{ field: field.slice(prefix.length), message }] : [],
  );
  return issuesByNode(at, inside);
}

export const DraftContext = createContext<Store<Draft> | undefined>(undefined);

export function useDraftStore(): Store<Draft> {
  const store = use(DraftContext);
  if (!store) throw new Error('There is no draft around this component');
  return store;
}

export const useDraft = <Part>(pick: (draft: Draft) => Part): Part => useStore(useDraftStore(), pick);
