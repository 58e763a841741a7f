import { expect, it } from 'vitest';
import { drawingStepMs, findNodeColumns } from './draw-in';

const node = (id: string) => ({ id, type: 'transform', position: { x: 0, y: 0 }, config: {} });
const wire = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});

it('a graph is drawn column by column, each node after all that lead to it, in at most 2.4 seconds', () => {
  const columns = findNodeColumns({
    nodes: ['end', 'b', 'a', 'alone', 'start'].map(node),
    connections: [wire('start', 'a'), wire('start', 'end'), wire('a', 'b'), wire('b', 'end')],
  });
  expect(Object.fromEntries(columns)).toEqual({ start: 0, alone: 0, a: 1, b: 2, end: 3 });
  expect(drawingStepMs(columns)).toBe(220);
  const long = new Map(Array.from({ length: 200 }, (_, at) => [String(at), at]));
  expect(200 * drawingStepMs(long)).toBeLessThanOrEqual(2400);
});
