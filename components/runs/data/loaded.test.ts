import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { LiveRun } from '../live';
import { mergeLoadedResults } from './loaded';

const result = (nodeId: string, more: Partial<NodeResult> = {}): NodeResult => ({
  nodeId,
  status: 'completed',
  error: null,
  attempts: 1,
  ...more,
});
const run = {
  nodeResults: [
    result('a', { output: 1 }),
    result('b', { input: 1, omitted: ['output'], omittedBytes: { output: 9 } }),
  ],
} as unknown as LiveRun;

it('fills in loaded data where it was omitted', () => {
  const { nodeResults } = mergeLoadedResults(run, { b: result('b', { input: 1, output: 'whole' }) });
  expect(nodeResults[0]).toBe(run.nodeResults[0]);
  expect(nodeResults[1]).toMatchObject({ input: 1, output: 'whole', omitted: undefined });
});

it('returns the same run without loaded data, and keeps what is still omitted', () => {
  expect(mergeLoadedResults(run, {})).toBe(run);
  expect(mergeLoadedResults(run, { a: result('a') })).toBe(run);
  const still = mergeLoadedResults(run, { b: result('b', { output: 2, omitted: ['input'] }) }).nodeResults[1];
  expect(still).toMatchObject({ output: 2, omitted: ['input'] });
});
