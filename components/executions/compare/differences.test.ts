import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { differences } from './differences';
import type { Run } from '../live';

const run = (nodeResults: Partial<NodeResult>[]) =>
  ({ nodeResults: nodeResults.map((part) => ({ status: 'completed', error: null, attempts: 1, ...part })) }) as Run;

it('lists the differences of two runs by node, in the order of the later one', () => {
  const left = run([{ nodeId: 'a', output: { n: 1, m: 2 } }, { nodeId: 'b', output: 1 }, { nodeId: 'c' }]);
  const right = run([{ nodeId: 'a', output: { m: 2, n: 1 } }, { nodeId: 'b', status: 'failed' }, { nodeId: 'd' }]);
  expect(differences(left, right).map(({ nodeId, of }) => [nodeId, ...of])).toEqual([
    ['a'],
    ['b', 'status', 'output'],
    ['d', 'status', 'error'],
    ['c', 'status', 'error'],
  ]);
});

it('compares omitted data by size', () => {
  const large = (output: number) => run([{ nodeId: 'a', omitted: ['output'], omittedBytes: { output } }]);
  expect(differences(large(9), large(9))[0]?.of).toEqual([]);
  expect(differences(large(9), large(8))[0]?.of).toEqual(['output']);
});
