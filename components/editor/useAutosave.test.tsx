// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '../client/store';
import { changed, DraftContext, newDraft, savedAs, type Draft } from './draft';
import { kept } from './kept';
import { useAutosave } from './useAutosave';

const definition = (id: string) => ({
  nodes: [{ id, type: 'step', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
});
const workflow: Draft['saved'] = {
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
  draftVersion: null,
  liveVersion: 1,
};

function setUp(answer: Draft['saving']) {
  const store = createStore(newDraft(workflow));
  const save = vi.fn(async () => {
    const now = store.get();
    store.set({ saving: 'saving' });
    if (answer === 'idle') store.set({ ...savedAs({ ...now.saved, version: 4 }, now.definition), saving: 'idle' });
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
  const edit = (id: string) => store.set(changed(store.get(), definition(id)));
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

describe('saving by itself', () => {
  it('waits for the hands to rest, then saves once', async () => {
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

  it('keeps unsaved work in the browser and tries again, at once when the network is back', async () => {
    const { save, edit, pass } = setUp('offline');
    edit('b');
    expect(kept('wf_1')).toMatchObject({ version: 3, definition: definition('b') });
    await pass(1200);
    expect(save).toHaveBeenCalledTimes(1);
    await pass(2000);
    expect(save).toHaveBeenCalledTimes(2);
    dispatchEvent(new Event('online'));
    await pass(0);
    expect(save).toHaveBeenCalledTimes(3);
  });

  it('does not repeat what was refused, and rests while a conflict is open', async () => {
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
