import { expect, it } from 'vitest';
import { connection, node, START } from '@/components/graph/testing/graph';
import { runPins } from './run-pins';

it('uses the pins of nodes that leave by their one port, and none of the start node or of others', () => {
  const definition = {
    nodes: [{ ...node('s'), type: START.type }, node('a'), node('b')],
    connections: [connection('s', 'a'), { ...connection('b', 'a'), sourcePort: 'true' }],
  };
  expect(runPins(definition, { s: 1, a: null, b: 2, gone: 3 })).toEqual({ a: null });
  expect(runPins(definition, { s: 1 })).toBeUndefined();
});
