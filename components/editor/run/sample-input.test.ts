import { beforeEach, expect, test, vi } from 'vitest';
import { draw, node } from '@/components/graph/testing/graph';
import { rememberRunStart } from '@/components/ui/start-nodes/start-choices';
import type { EditorDraft } from '../draft/draft';
import { findEditorStart, findStartNode } from './sample-input';

const start = (id: string, more: object = {}) => ({ ...node(id, {}, { type: 'start' }), ...more });
const TWO = draw(
  [start('off', { disabled: true }), start('one'), start('two'), node('a'), node('b')],
  'one>a',
  'two>b',
);
const saved = { id: 'wf_1' } as EditorDraft['saved'];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test('a run begins at the chosen start, and one up to a node at a start that leads to it', () => {
  expect(findEditorStart({ saved, definition: TWO })).toBe('one');
  rememberRunStart('wf_1', 'two');
  expect(findEditorStart({ saved, definition: TWO })).toBe('two');
  expect(findEditorStart({ saved, definition: TWO }, 'b')).toBe('two');
  expect(findEditorStart({ saved, definition: TWO }, 'a')).toBe('one');
  expect(findEditorStart({ saved, definition: draw([start('one'), node('a')], 'one>a') })).toBeUndefined();
});

test('the start of a sample is the enabled one that is named, else the first', () => {
  expect(findStartNode(TWO, 'two')?.id).toBe('two');
  for (const id of [undefined, null, 'off', 'gone']) expect(findStartNode(TWO, id)?.id).toBe('one');
});
