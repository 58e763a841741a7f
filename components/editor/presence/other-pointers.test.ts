import { expect, it } from 'vitest';
import type { PointerUpdate } from '@/contract/channel';
import { notePointer, otherPointersStore, setOthers } from './other-pointers';

const pointer = (connectionId: string, userId: string, x: number): PointerUpdate => ({
  type: 'pointer',
  workflowId: 'wf',
  connectionId,
  userId,
  path: [],
  at: { x, y: 0 },
  selectedIds: [],
});
const shown = () => otherPointersStore.get().pointers.map(({ connectionId, at }) => [connectionId, at?.x]);

it('shows the last place of each window of the people who are there', () => {
  setOthers([
    { userId: 'ann', name: 'Ann' },
    { userId: 'ben', name: 'Ben' },
  ]);
  notePointer(pointer('a1', 'ann', 1), 0);
  notePointer(pointer('a2', 'ann', 2), 0);
  notePointer(pointer('b', 'ben', 3), 0);
  notePointer(pointer('a1', 'ann', 4), 1);
  notePointer(pointer('x', 'stranger', 5), 1);
  expect(shown()).toEqual([
    ['a2', 2],
    ['b', 3],
    ['a1', 4],
  ]);
  setOthers([{ userId: 'ann', name: 'Ann' }]);
  expect(shown()).toEqual([
    ['a2', 2],
    ['a1', 4],
  ]);
  notePointer(pointer('a1', 'ann', 6), 60_001);
  expect(shown()).toEqual([['a1', 6]]);
});
