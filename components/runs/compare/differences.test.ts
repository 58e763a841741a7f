import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { compareRunResults } from './differences';
import type { LiveRun } from '../live';

const run = (nodeResults: Partial<NodeResult>[]) =>
  ({ nodeResults: nodeResults.map((part) => ({ status: 'completed', error: null, attempts: 1, ...part })) }) as LiveRun;

it('lists the differences of two runs by node, in the order of the later one', () => {
  const left = run([{ nodeId: 'a', output: { n: 1, m: 2 } }, { nodeId: 'b', output: 1 }, { nodeId: 'c' }]);
  const right = run([{ nodeId: 'a', output: { m: 2, n: 1 } }, { nodeId: 'b', status: 'failed' }, { nodeId: 'd' }]);
  expect(compareRunResults(left, right).map(({ nodeId, changedParts: of }) => [nodeId, ...of])).toEqual([
    ['a'],
    ['b', 'status', 'output'],
    ['d', 'status', 'error'],
    ['c', 'status', 'error'],
  ]);
});

it('compares omitted data by size', () => {
  const large = (output: number) => run([{ nodeId: 'a', omitted: ['output'], omittedBytes: { output } }]);
  expect(compareRunResults(large(9), large(9))[0]?.changedParts).toEqual([]);
  expect(compareRunResults(large(9), large(8))[0]?.changedParts).toEqual(['output']);
});
