import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { parsed, startRunOf, testKinds, until, type StartedRun } from '@/server/testing/runs';
import { readNodeResult } from './node-report';
import { startWorker, type EngineWorker } from '../worker';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase();

let worker: EngineWorker;
beforeAll(async () => {
  // A node outputs as many MiB as the number at the end of its name.
  const { kinds } = testKinds(async ({ nodeId }) => 'x'.repeat(Number(/\d+$/.exec(nodeId)?.[0] ?? 0) * BYTES_PER_MIB));
  worker = await startWorker({ concurrency: 4, kinds });
});
afterAll(() => worker.stop());

const call = { type: 'call' };
const resultAt = ({ nodeResults }: ExecutionResponse, id: string) => nodeResults.find(({ nodeId }) => nodeId === id);
const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : value);

/** Reads the execution once, after its end: each read of large values is expensive. */
async function ended({ executionId, read }: StartedRun): Promise<ExecutionResponse> {
  const where = { id: executionId, completedAt: { not: null } };
  await until(async () => (await prismaClient().execution.count({ where })) > 0, 'the run to end', 60_000);
  return read();
}

it('returns large outputs up to the limit of a response, and names the omitted fields', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `n${index}_4`);
  const nodes: Record<string, Sketch> = { s: { type: 'start' }, small_1: call };
  for (const name of names) nodes[name] = call;
  const links = ['s>small_1', ...names.map((name, index) => `${names[index - 1] ?? 's'}>${name}`)];
  const run = await startRunOf(flow(nodes, links));
  const execution = await ended(run);
  const shown = execution.nodeResults.filter(({ output }) => typeof output === 'string');
  expect(shown.map(({ output }) => lengthOf(output)).toSorted()).toEqual(
    [1, 4, 4, 4].map((size) => size * BYTES_PER_MIB),
  );
  expect(lengthOf(resultAt(execution, 'small_1')?.output)).toBe(BYTES_PER_MIB);
  expect(execution.nodeResults.filter(({ omitted }) => omitted?.includes('output'))).toHaveLength(3);
  expect(resultAt(execution, 'n5_4')).toMatchObject({
    status: 'completed',
    omitted: ['input', 'output'],
    omittedBytes: { input: 4 * BYTES_PER_MIB + 2, output: 4 * BYTES_PER_MIB + 2 },
  });
  const alone = parsed(await readNodeResult(run.workspaceId, run.executionId, 'n5_4'));
  expect(alone).toMatchObject({ nodeId: 'n5_4', status: 'completed' });
  expect(alone).not.toHaveProperty('omitted');
  expect([lengthOf(alone?.input), lengthOf(alone?.output)]).toEqual([4 * BYTES_PER_MIB, 4 * BYTES_PER_MIB]);
}, 90_000);

it('omits an input that many nodes receive, but returns the output that it comes from', async () => {
  const nodes: Record<string, Sketch> = { s: { type: 'start' }, from_3: call };
  for (let index = 0; index < 30; index += 1) nodes[`to${index}_0`] = call;
  const links = Object.keys(nodes)
    .slice(2)
    .map((name) => `from_3>${name}`);
  const execution = await ended(await startRunOf(flow(nodes, ['s>from_3', ...links])));
  expect(lengthOf(resultAt(execution, 'from_3')?.output)).toBe(3 * BYTES_PER_MIB);
  const inputs = execution.nodeResults.filter(({ input }) => lengthOf(input) === 3 * BYTES_PER_MIB);
  expect(inputs).toHaveLength(5);
  expect(execution.nodeResults.filter(({ omitted }) => omitted?.includes('input'))).toHaveLength(25);
});

it('reads the result of a node at any path; null for an unknown path', async () => {
  const body = flow({ in: { type: 'start' }, x_1: call }, ['in>x_1']);
  const loop = { type: 'for_each', config: { items: '["a", "b"]', body } };
  const { workspaceId, executionId, finish } = await startRunOf(
    flow({ s: { type: 'start' }, loop, stop: { type: 'condition', config: { expression: 'false' } }, never_1: call }, [
      's>loop',
      's>stop',
      'stop:true>never_1',
    ]),
  );
  await finish();
  const read = async (id: string) => parsed(await readNodeResult(workspaceId, executionId, id));
  expect(await read('loop[1].in')).toMatchObject({ input: { item: 'b', index: 1 } });
  expect(await read('loop[1].x_1')).toMatchObject({ input: { item: 'b', index: 1 }, status: 'completed' });
  expect(await read('never_1')).toMatchObject({ status: 'skipped' });
  expect(await read('loop[2].in')).toBeNull();
  expect(await read('unknown')).toBeNull();
  expect(await readNodeResult('ws_other', executionId, 'loop')).toBeNull();
});
