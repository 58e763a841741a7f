import { createContext, use } from 'react';
import type { FieldError } from '@/contract/error';
import type { Definition, Workflow, WorkflowDraft } from '@/contract/workflow';
import { useStore, type Store } from '../client/store';
import { bodyAt, withBody } from './body';

/** An output that was pinned or let go of; undefined: none. It is no part of the definition, but of the way back. */
export interface PinStep {
  nodeId: string;
  before: unknown;
  after: unknown;
}

/** On the way back: what the definition was, or what was pinned. */
export type Step = Definition | PinStep;
export const isPinStep = (step: Step): step is PinStep => 'nodeId' in step;

/** A workflow under the hands of somebody: what was last saved, what it is now, and the way back. */
export interface Draft {
  saved: WorkflowDraft;
  name: string;
  definition: Definition;
  past: Step[];
  future: Step[];
  /** What the last change was about; another one about the same joins it into one step back. */
  intent: string | undefined;
  /** The loops whose bodies are opened, from the outside in; none: the workflow itself is on the canvas. */
  path: readonly string[];
  selectedIds: readonly string[];
  /** How the last attempt to save went. `idle`: none is under way and nothing is wrong. */
  saving: 'idle' | 'saving' | 'offline' | 'refused' | 'conflict';
  /** Why it was refused, in a sentence. */
  refusal: string | undefined;
  /** What the service refused at the last attempt to save, run or activate. */
  issues: FieldError[];
}

const MOST_STEPS = 200;

export const newDraft = (workflow: WorkflowDraft): Draft => ({
  saved: workflow,
  name: workflow.name,
  definition: workflow.definition,
  past: [],
  future: [],
  intent: undefined,
  path: [],
  selectedIds: [],
  saving: 'idle',
  refusal: undefined,
  issues: [],
});

/** A change of the definition, as one step that can be taken back. */
export function changed(draft: Draft, definition: Definition, intent?: string): Partial<Draft> {
  if (definition === draft.definition) return {};
  const isSameStep = intent !== undefined && intent === draft.intent;
  const past = isSameStep ? draft.past : [...draft.past, draft.definition].slice(-MOST_STEPS);
  return { definition, past, future: [], intent };
}

/** What is on the canvas: the workflow, or the body of the loop that is opened. */
export const shown = ({ definition, path }: Draft): Definition => bodyAt(definition, path);

/** A change of what is on the canvas. */
export const edited = (draft: Draft, next: Definition, intent?: string): Partial<Draft> =>
  next === shown(draft) ? {} : changed(draft, withBody(draft.definition, draft.path, next), intent);

/** What was pinned or let go of just now, as a step of its own. */
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

/** After the service took it. What was changed meanwhile stays unsaved. */
export const savedAs = (workflow: WorkflowDraft, definition: Definition): Partial<Draft> => ({
  saved: { ...workflow, definition },
  refusal: undefined,
  issues: [],
});

/** Goes on from a version that somebody else saved; what was on the canvas can be had back by undo. */
export const rebased = (
  draft: Draft,
  theirs: WorkflowDraft,
  { name, definition }: Pick<Draft, 'name' | 'definition'>,
): Partial<Draft> => ({ ...changed(draft, definition), name, saved: theirs, refusal: undefined, issues: [] });

/** The one node that is selected; of several, none. */
export const selectedId = ({ selectedIds }: Draft) => (selectedIds.length === 1 ? selectedIds[0] : undefined);

export const isDirty = (draft: Draft) =>
  draft.definition !== draft.saved.definition || (draft.name.trim() || draft.saved.name) !== draft.saved.name;

/**
 * Whether what is saved waits until it is published. In a draft, each save is at once what webhooks run: there is nobody
 * yet who relies on it.
 */
export const isApart = ({ status, draftVersion }: WorkflowDraft) => status !== 'draft' || draftVersion !== null;

/** A workflow of which nothing waits to be published. */
export const asSaved = (workflow: Workflow): WorkflowDraft => ({ ...workflow, liveVersion: workflow.version });

/** Whether triggers run something else than what is drawn. */
export const isUnpublished = (draft: Draft) =>
  draft.saved.draftVersion !== null || (isApart(draft.saved) && isDirty(draft));

/** Goes back, or on, to a version that the service made current; undo brings back what was on the canvas. */
export const replaced = (draft: Draft, workflow: Workflow): Partial<Draft> => ({
  ...newDraft(asSaved(workflow)),
  past: [...draft.past, draft.definition],
});

/** Sorts `nodes[2].config.url` to the node it speaks of; `field` is the rest of the path. */
export function issuesByNode(definition: Definition, issues: FieldError[]): ReadonlyMap<string, FieldError[]> {
  const found = new Map<string, FieldError[]>();
  for (const { field, message } of issues) {
    const [, index, rest = ''] = /^nodes\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const node = index === undefined ? undefined : definition.nodes[Number(index)];
    if (node) found.set(node.id, [...(found.get(node.id) ?? []), { field: rest, message }]);
  }
  return found;
}

/** The same for what is on the canvas. */
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

/** The first of them in words, by the names that people gave their nodes. */
export function issueSentence(definition: Definition, issues: FieldError[]): string | undefined {
  const [first] = issuesByNode(definition, issues);
  const [issue] = first?.[1] ?? [];
  if (!first || !issue) return undefined;
  const node = definition.nodes.find(({ id }) => id === first[0]);
  return `${node?.name || first[0]}: ${issue.field.replace(/^config\./, '')} ${issue.message}`;
}

export const DraftContext = createContext<Store<Draft> | undefined>(undefined);

export function useDraftStore(): Store<Draft> {
  const store = use(DraftContext);
  if (!store) throw new Error('There is no draft around this component');
  return store;
}

export const useDraft = <Part>(pick: (draft: Draft) => Part): Part => useStore(useDraftStore(), pick);
