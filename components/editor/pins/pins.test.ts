import { expect, it } from 'vitest';
import type { Definition } from '@/contract/workflows/workflow';
import { node } from '@/components/graph/testing/graph';
import { afterSave, hasNodeAt, pinPath, pinsAt, withLoaded, withPin, withStored, type StoredPins } from './pins';

const inner: Definition = { nodes: [node('a')], connections: [] };
const loop = { ...node('loop'), type: 'for_each', config: { body: inner } };
const both: Definition = { nodes: [node('a'), loop], connections: [] };
const pins: StoredPins = { a: { output: 1, version: 3 }, 'loop[].a': { output: 2, version: 1 } };

it('tells nodes of one id inside and outside of a loop apart', () => {
  expect(pinPath(['loop'], 'a')).toBe('loop[].a');
  expect(pinsAt(pins, [])).toEqual({ a: 1 });
  expect(pinsAt(pins, ['loop'])).toEqual({ a: 2 });
  expect(['a', 'loop[].a', 'loop[].b', 'b'].map((path) => hasNodeAt(both, path))).toEqual([true, true, false, false]);
});

it('replaces a pin at once, takes the answer of the service, and keeps what was pinned meanwhile', () => {
  const changed = withPin({ pins }, 'a', 'secret');
  expect(changed.pins['a']).toEqual({ output: 'secret', version: 3 });
  const answer = { nodeId: 'a', output: '••••••', version: 4 };
  expect(withStored(changed, 'secret', answer).pins['a']).toEqual({ output: '••••••', version: 4 });
  const later = withPin(changed, 'a', 'later');
  expect(withStored(later, 'secret', answer).pins['a']).toEqual({ output: 'later', version: 4 });
  expect(withStored(withPin(changed, 'a', undefined), 'secret', answer).pins['a']).toBeUndefined();
});

it('drops the pin of a node that a save removed, and pins it again once the node is back', () => {
  const without: Definition = { nodes: [loop], connections: [] };
  const removed = afterSave({ pins, droppedPins: {} }, without);
  expect(removed).toMatchObject({ state: { droppedPins: { a: 1 } }, returned: {} });
  expect(removed.state.pins['a']).toBeUndefined();
  const back = afterSave(removed.state, both);
  expect([back.returned, back.state.droppedPins]).toEqual([{ a: 1 }, {}]);
  // Another page had told of the removal before this page's save was answered.
  const told = withLoaded({ pins, droppedPins: {}, definition: without }, {});
  expect(told).toEqual({ pins: {}, droppedPins: { a: 1 } });
});
