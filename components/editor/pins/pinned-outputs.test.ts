import { expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { node } from '@/components/graph/testing/graph';
import {
  reconcilePinsOnSave,
  hasNodeAtPinPath,
  pinnedNodePath,
  pinnedOutputsAt,
  applyLoadedPins,
  setPinnedOutput,
  applyStoredPin,
  type PinnedOutputsByPath,
} from './pinned-outputs';

const inner: WorkflowDefinition = { nodes: [node('a')], connections: [] };
const loop = { ...node('loop'), type: 'for_each', config: { body: inner } };
const both: WorkflowDefinition = { nodes: [node('a'), loop], connections: [] };
const pins: PinnedOutputsByPath = { a: { output: 1, version: 3 }, 'loop[].a': { output: 2, version: 1 } };

it('tells nodes of one id inside and outside of a loop apart', () => {
  expect(pinnedNodePath(['loop'], 'a')).toBe('loop[].a');
  expect(pinnedOutputsAt(pins, [])).toEqual({ a: 1 });
  expect(pinnedOutputsAt(pins, ['loop'])).toEqual({ a: 2 });
  expect(['a', 'loop[].a', 'loop[].b', 'b'].map((path) => hasNodeAtPinPath(both, path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('replaces a pin at once, takes the answer of the service, and keeps what was pinned meanwhile', () => {
  const changed = setPinnedOutput({ pins }, 'a', 'secret');
  expect(changed.pins['a']).toEqual({ output: 'secret', version: 3 });
  const answer = { nodeId: 'a', output: '••••••', version: 4 };
  expect(applyStoredPin(changed, 'secret', answer).pins['a']).toEqual({ output: '••••••', version: 4 });
  const later = setPinnedOutput(changed, 'a', 'later');
  expect(applyStoredPin(later, 'secret', answer).pins['a']).toEqual({ output: 'later', version: 4 });
  expect(applyStoredPin(setPinnedOutput(changed, 'a', undefined), 'secret', answer).pins['a']).toBeUndefined();
});

it('drops the pin of a node that a save removed, and pins it again once the node is back', () => {
  const without: WorkflowDefinition = { nodes: [loop], connections: [] };
  const removed = reconcilePinsOnSave({ pins, droppedPins: {} }, without);
  expect(removed).toMatchObject({ state: { droppedPins: { a: 1 } }, returned: {} });
  expect(removed.state.pins['a']).toBeUndefined();
  const back = reconcilePinsOnSave(removed.state, both);
  expect([back.returned, back.state.droppedPins]).toEqual([{ a: 1 }, {}]);
  // Another page had told of the removal before this page's save was answered.
  const told = applyLoadedPins({ pins, droppedPins: {}, definition: without }, {});
  expect(told).toEqual({ pins: {}, droppedPins: { a: 1 } });
});
