import { describe, expect, it } from 'vitest';
import { DEFAULT_WORKFLOW_SETTINGS, type WorkflowDefinition, type WorkflowDraft } from '@/contract/workflows/workflow';
import {
  changeDefinition,
  hasUnsavedChanges,
  groupIssuesByNode,
  createDraftState,
  recordPinStep,
  redoDraftStep,
  applySavedVersion,
  undoDraftStep,
  type EditorDraft,
} from './draft';

const definition = (...ids: string[]): WorkflowDefinition => ({
  nodes: ids.map((id) => ({ id, type: 'step', position: { x: 0, y: 0 }, config: {} })),
  connections: [],
});
const workflow: WorkflowDraft = {
  id: 'wf_1',
  name: 'Orders',
  description: '',
  status: 'draft',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  definition: definition('a'),
  version: 3,
  concurrency: null,
  settings: DEFAULT_WORKFLOW_SETTINGS,
  tags: [],
  folderId: null,
  isFavorite: false,
  draftVersion: null,
  liveVersion: 1,
  workspaceId: 'ws_1',
  createdBy: null,
};
const after = (draft: EditorDraft, ...steps: ((draft: EditorDraft) => Partial<EditorDraft>)[]) =>
  steps.reduce((now, step) => ({ ...now, ...step(now) }), draft);
const to = (next: WorkflowDefinition, intent?: string) => (draft: EditorDraft) => changeDefinition(draft, next, intent);

describe('a draft', () => {
  it('undoes and redoes every change', () => {
    const [b, c] = [definition('a', 'b'), definition('a', 'b', 'c')];
    const draft = after(createDraftState(workflow), to(b), to(c), undoDraftStep);
    expect(draft.definition).toBe(b);
    expect(after(draft, redoDraftStep).definition).toBe(c);
    expect(after(draft, undoDraftStep).definition).toBe(workflow.definition);
    expect(after(draft, undoDraftStep, undoDraftStep, undoDraftStep).definition).toBe(workflow.definition);
  });

  it('leaves a loop that an undo removes', () => {
    const loop = after(createDraftState(workflow), to(definition('a', 'b')), () => ({
      path: ['b'],
      selectedIds: ['start'],
    }));
    expect(after(loop, undoDraftStep)).toMatchObject({ path: [], selectedIds: [] });
    expect(after(loop, to(definition('a', 'b', 'c')), undoDraftStep).path).toEqual(['b']);
  });

  it('clears the redo stack on a new change', () => {
    const draft = after(createDraftState(workflow), to(definition('x')), undoDraftStep, to(definition('y')));
    expect(after(draft, redoDraftStep)).toEqual(draft);
  });

  it('undoes pins between changes, each as one step', () => {
    const [b, c] = [definition('a', 'b'), definition('a', 'b', 'c')];
    const pin = { nodeId: 'a', before: undefined, after: 7 };
    const pinning = (draft: EditorDraft) => recordPinStep(draft, pin);
    const draft = after(createDraftState(workflow), to(b, 'url of a'), pinning, to(c, 'url of a'));
    expect(draft.past).toEqual([workflow.definition, pin, b]);
    const back = after(draft, undoDraftStep, undoDraftStep);
    expect([back.definition, back.past, back.future]).toEqual([b, [workflow.definition], [pin, c]]);
    expect(after(back, redoDraftStep, redoDraftStep)).toEqual({ ...draft, intent: undefined });
  });

  it('merges consecutive typing into one step', () => {
    const [f, fo, other] = [definition('f'), definition('fo'), definition('other')];
    const draft = after(createDraftState(workflow), to(f, 'url of a'), to(fo, 'url of a'), to(other, 'name of a'));
    expect(draft.past).toEqual([workflow.definition, fo]);
  });

  it('is clean after a save, unless it changed meanwhile', () => {
    const next = definition('a', 'b');
    const draft = after(createDraftState(workflow), to(next));
    expect(hasUnsavedChanges(draft)).toBe(true);
    const saved = { ...workflow, definition: definition('a', 'b'), version: 4 };
    expect(hasUnsavedChanges(after(draft, () => applySavedVersion(saved, next)))).toBe(false);
    expect(hasUnsavedChanges(after(draft, to(definition('z')), () => applySavedVersion(saved, next)))).toBe(true);
  });
});

describe('issuesByNode', () => {
  it('finds the node by its index, and leaves out issues of no node', () => {
    const issues = [
      { field: 'nodes[1].config.url', message: 'is required' },
      { field: 'nodes[1].type', message: 'is unknown' },
      { field: 'nodes[9].type', message: 'is unknown' },
      { field: 'connections[0].targetNode', message: 'is gone' },
    ];
    expect([...groupIssuesByNode(definition('a', 'b'), issues)]).toEqual([
      [
        'b',
        [
          { field: 'config.url', message: 'is required' },
          { field: 'type', message: 'is unknown' },
        ],
      ],
    ]);
  });
});
