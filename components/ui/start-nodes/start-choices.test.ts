import { beforeEach, expect, test, vi } from 'vitest';
import { findRunStart, listStartChoices, rememberRunStart } from './start-choices';

const node = (id: string, more: object = {}) => ({ id, type: 'start', position: { x: 0, y: 0 }, config: {}, ...more });

test('enabled start nodes are offered by name, and those with the same name by their ids as well', () => {
  const nodes = [
    node('a', { name: 'Orders' }),
    node('off', { disabled: true }),
    node('b'),
    node('c', { name: ' ' }),
    node('t', { type: 'transform' }),
  ];
  expect(listStartChoices({ nodes })).toEqual([
    { id: 'a', name: 'Orders' },
    { id: 'b', name: 'Start (b)' },
    { id: 'c', name: 'Start (c)' },
  ]);
});

const STARTS = [
  { id: 'a', name: 'Orders' },
  { id: 'b', name: 'Refunds' },
];
const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test('a run begins at the start that was chosen last in this workflow, as long as it is there', () => {
  expect(findRunStart('wf_1', STARTS)?.id).toBe('a');
  rememberRunStart('wf_1', 'b');
  expect(findRunStart('wf_1', STARTS)?.id).toBe('b');
  expect(findRunStart('wf_2', STARTS)?.id).toBe('a');
  expect(findRunStart('wf_1', [STARTS[0]!, { id: 'c', name: 'New' }])?.id).toBe('a');
});

test('one start is no choice', () => {
  rememberRunStart('wf_1', 'a');
  expect(findRunStart('wf_1', STARTS.slice(0, 1))).toBeUndefined();
});
