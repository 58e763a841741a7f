// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_WORKFLOW_SETTINGS } from '@/contract/workflows/workflow';
import { createObservableStore } from '@/components/client/store';
import { changeDefinition, DraftContext, createDraftState, applySavedVersion, type EditorDraft } from './draft';
import { readLocalBackup } from '@/components/client/local-backup';
import { useAutosave } from './useAutosave';

const definition = (id: string) => ({
  nodes: [{ id, type: 'step', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
});
const workflow: EditorDraft['saved'] = {
  id: 'wf_1',
  name: 'Orders',
  description: '',
  status: 'draft',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  definition: definition('a'),
  version: 3,
  workspaceId: 'ws_1',
  createdBy: null,
  concurrency: null,
  settings: DEFAULT_WORKFLOW_SETTINGS,
  tags: [],
  folderId: null,
  isFavorite: false,
  draftVersion: null,
  liveVersion: 1,
};

function setUp(answer: EditorDraft['saving']) {
  const store = createObservableStore(createDraftState(workflow));
  const save = vi.fn(async () => {
    const now = store.get();
    store.set({ saving: 'saving' });
    if (answer === 'idle')
      store.set({ ...applySavedVersion({ ...now.saved, version: 4 }, now.definition), saving: 'idle' });
    else store.set({ saving: answer });
    return answer === 'idle';
  });
  const Saver = () => {
    useAutosave(save);
    return null;
  };
  render(
    <DraftContext value={store}>
      <Saver />
    </DraftContext>,
  );
  const edit = (id: string) => store.set(changeDefinition(store.get(), definition(id)));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return { store, save, edit, pass };
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('autosave', () => {
  it('waits for a pause in editing, then saves once', async () => {
    const { save, edit, pass } = setUp('idle');
    edit('b');
    await pass(800);
    edit('c');
    await pass(800);
    expect(save).not.toHaveBeenCalled();
    await pass(800);
    expect(save).toHaveBeenCalledTimes(1);
    await pass(60_000);
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('backs up unsaved work and retries, at once when the network is back', async () => {
    const { save, edit, pass } = setUp('offline');
    edit('b');
    expect(readLocalBackup('wf_1')).toMatchObject({ version: 3, definition: definition('b') });
    await pass(1200);
    expect(save).toHaveBeenCalledTimes(1);
    await pass(2000);
    expect(save).toHaveBeenCalledTimes(2);
    dispatchEvent(new Event('online'));
    await pass(0);
    expect(save).toHaveBeenCalledTimes(3);
  });

  it('does not retry a refused save, and stops while a conflict is open', async () => {
    const { store, save, edit, pass } = setUp('refused');
    edit('b');
    await pass(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    store.set({ saving: 'conflict' });
    edit('c');
    await pass(60_000);
    expect(save).toHaveBeenCalledTimes(1);
  });
});
