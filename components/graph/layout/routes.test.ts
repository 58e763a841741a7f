import { expect, it } from 'vitest';
import { indexNodeTypes } from '../cards-and-edges';
import { connection, kind, node, START } from '../testing/graph';
import { findConnectionRoutes } from './routes';

const catalogue = indexNodeTypes([START, kind('step')]);

it('ends soon in a dense graph of 2,000 nodes with long connections', () => {
  const nodes = Array.from({ length: 2000 }, (_, index) => ({
    ...node(`n${index}`),
    position: { x: (index % 50) * 250, y: Math.floor(index / 50) * 75 },
  }));
  const connections = nodes.map((_, index) => connection(`n${index}`, `n${(index * 7 + 1031) % 2000}`));
  // Without a bound the search takes minutes, and the test its time limit.
  expect(findConnectionRoutes({ nodes, connections }, catalogue).size).toBeLessThan(2000);
});
