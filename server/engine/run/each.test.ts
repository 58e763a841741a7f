import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import type { NodeMocks } from '@/contract/workflows/workflow-test';
import { submitTestRun } from '../queue/test-run';
import { readExecutionReport } from '../report/report';
import { startWorker, type EngineWorker } from '../worker';
import type { NodeEach } from '@/contract/workflows/each';
import type { ExecutionResponse } from '@/contract/execution';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour = async ({ input }) => input): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const start: Sketch = { type: 'start' };
const shape = (expression: string, each?: NodeEach): Sketch => ({
  type: 'transform',
  config: { expression },
  ...(each && { each }),
});
const call = (config: Record<string, unknown> = {}, each: NodeEach = {}, more: Partial<Sketch> = {}): Sketch => ({
  type: 'call',
  config,
  each,
  ...more,
});
const run = async (nodes: Record<string, Sketch>, links: string[], input: unknown) =>
  (await startRunOf(flow(nodes, links), input)).finish();
const resultOf = (execution: ExecutionResponse, id: string) =>
  execution.nodeResults.find(({ nodeId }) => nodeId === id);
const NUMBERS = { items: [1, 2, 3, 4] };

describe.each(['transform', 'call'])('a %s with each', (type) => {
  /** A node that returns the value of an expression for each item: computed, or by an outside node. */
  const node = (expression: string, each: NodeEach = {}): Sketch =>
    type === 'transform' ? shape(expression, each) : call({ value: `{{ ${expression} }}` }, each);
  const begin = () => work(async ({ config }) => config['value']);

  it('sees item, index, items and, as input, the item', async () => {
    await begin();
    const expression = '{"item": item, "index": index, "input": input, "first": items[0], "all": nodes.s.items[3]}';
    const execution = await run({ s: start, a: node(expression, { items: 'input.items' }) }, ['s>a'], NUMBERS);
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual(
      NUMBERS.items.map((item, index) => ({ item, index, input: item, first: 1, all: 4 })),
    );
    expect(resultOf(execution, 'a')).toMatchObject({ status: 'completed', port: 'output', input: NUMBERS });
  });

  it.each([
    ['a list', [1, 2], [1, 2]],
    ['nested lists', [[1], [2, 3], []], [[1], [2, 3], []]],
    ['an object', { a: 1 }, [{ a: 1 }]],
    ['a text', 'x', ['x']],
    ['zero', 0, [0]],
    ['false', false, [false]],
    ['a list of nulls', [null, null], [null, null]],
  ])('takes %s', async (_, input, output) => {
    await begin();
    expect(await run({ s: start, a: node('item') }, ['s>a'], input)).toMatchObject({ status: 'completed', output });
  });

  it.each([[null], [[]]])('has no items in %j, so that the branch ends', async (input) => {
    await begin();
    const nodes = { s: start, a: node('item'), b: shape('"reached"') };
    const execution = await run(nodes, ['s>a', 'a>b'], input);
    expect(resultOf(execution, 'a')).toMatchObject({ status: 'completed', output: [], ports: {} });
    expect(resultOf(execution, 'b')).toMatchObject({ status: 'skipped' });
    expect(execution).toMatchObject({ status: 'completed', output: null });
    const last = await run({ s: start, a: node('item'), e: shape('1') }, ['s>a', 'a:error>e'], input);
    expect(last).toMatchObject({ status: 'completed', output: [] });
  });

  it('passes the empty list on if it is told to', async () => {
    await begin();
    const nodes = { s: start, a: node('item', { onEmpty: 'pass' }), b: shape('{"got": input}') };
    const execution = await run(nodes, ['s>a', 'a>b'], []);
    expect(execution).toMatchObject({ status: 'completed', output: { got: [] } });
    expect(resultOf(execution, 'a')).toMatchObject({ port: 'output', output: [] });
  });

  it('joins the lists of several connections in their order', async () => {
    await begin();
    const nodes = {
      s: start,
      x: shape('[1, 2]'),
      y: shape('3'),
      z: shape('[]'),
      large: shape('$map([1..20000], function($n) { "n" & $n })'),
      a: node('item'),
    };
    const links = ['s>x', 's>y', 's>z', 's>large'];
    const small = await run(nodes, [...links, 'y>a', 'z>a', 'x>a'], {});
    expect(resultOf(small, 'a')).toMatchObject({ output: [3, 1, 2] });
    if (type === 'call') return;
    const joined = await run(nodes, [...links, 'y>a', 'large>a', 'x>a'], {});
    const output = resultOf(joined, 'a')?.output as unknown[];
    expect([output.length, output.slice(0, 2), output.slice(-3)]).toEqual([20_003, [3, 'n1'], ['n20000', 1, 2]]);
  });

  it('fails for a path that leads to nothing, and names the field', async () => {
    await begin();
    const { error } = await run({ s: start, a: node('item', { items: 'input.itmes' }) }, ['s>a'], NUMBERS);
    expect(error).toMatchObject({ code: 'EXPRESSION', nodeId: 'a', expression: { field: 'each.items' } });
    expect(error?.message).toContain('each.items');
    expect(error?.message).not.toContain('config.items');
  });

  it('flattens lists', async () => {
    await begin();
    const nodes = { s: start, a: node('item', { flatten: true }), n: shape('$count(input)') };
    const execution = await run(nodes, ['s>a', 'a>n'], [[1, 2], [], 3, [[4]]]);
    expect(resultOf(execution, 'a')?.output).toEqual([1, 2, 3, [4]]);
    expect(execution.output).toBe(4);
  });

  it('refuses too many items', async () => {
    await begin();
    const nodes = { s: start, a: node('item', { items: '[1..100001]' }) };
    const { error } = await run(nodes, ['s>a'], {});
    expect(error).toMatchObject({ code: 'TOO_MANY_ITEMS', nodeId: 'a' });
    const huge = await run({ s: start, a: node('item', { items: '[1..10000000]' }) }, ['s>a'], {});
    expect(huge.status).toBe('failed');
  });

  describe('at an item that fails', () => {
    const failing = '$number(item)';
    const input = ['1', 'x', '3'];

    it('fails with the item, and its error port gets the error', async () => {
      await begin();
      const nodes = { s: start, a: node(failing), e: shape('input') };
      const execution = await run(nodes, ['s>a', 'a:error>e'], input);
      expect(resultOf(execution, 'a')).toMatchObject({ status: 'failed', port: 'error', error: { nodeId: 'a[1]' } });
      expect(execution.output).toMatchObject({ code: 'EXPRESSION', nodeId: 'a[1]' });
      const uncaught = await run({ s: start, a: node(failing) }, ['s>a'], input);
      expect(uncaught).toMatchObject({ status: 'failed', error: { code: 'EXPRESSION', nodeId: 'a[1]' } });
    });

    it('continues with the error in its place', async () => {
      await begin();
      const execution = await run({ s: start, a: node(failing, { onError: 'continue' }) }, ['s>a'], input);
      const error = { code: 'EXPRESSION', nodeId: 'a[1]', message: expect.any(String) };
      expect(execution.output).toEqual([1, { error }, 3]);
    });

    it('drops it', async () => {
      await begin();
      const nodes = { s: start, a: node(failing, { onError: 'drop' }), b: shape('"reached"') };
      const execution = await run(nodes, ['s>a', 'a>b'], input);
      expect(resultOf(execution, 'a')?.output).toEqual([1, 3]);
      const nothing = await run(nodes, ['s>a', 'a>b'], ['x', 'y']);
      expect(resultOf(nothing, 'a')).toMatchObject({ status: 'completed', output: [], ports: {} });
      expect(resultOf(nothing, 'b')).toMatchObject({ status: 'skipped' });
    });
  });
});

describe('ports', () => {
  const sides = { yes: shape('{"yes": input}'), no: shape('{"no": input}') };

  it.each([
    [[5, 20, 7, 30], { yes: { yes: [20, 30] }, no: { no: [5, 7] } }, { false: 2, true: 2 }],
    [[20], { yes: { yes: [20] } }, { true: 1 }],
  ])('a condition sends each of %j to its port', async (items, output, ports) => {
    await work();
    const condition: Sketch = { type: 'condition', config: { expression: 'item > 10' }, each: {} };
    const nodes = { s: start, c: condition, ...sides };
    const execution = await run(nodes, ['s>c', 'c:true>yes', 'c:false>no'], items);
    expect(resultOf(execution, 'c')).toMatchObject({ status: 'completed', output: items, ports });
    expect(execution.output).toEqual(Object.keys(output).length > 1 ? output : { yes: output.yes });
  });

  it('large lists are divided alike', async () => {
    await work();
    const condition: Sketch = {
      type: 'condition',
      config: { expression: 'index % 3 = 0' },
      each: { items: '$map([1..3000], function($n) { {"n": $n, "text": "a text that is long enough"} })' },
    };
    const nodes = { s: start, c: condition, yes: shape('input.n'), no: shape('$count(input)') };
    const execution = await run(nodes, ['s>c', 'c:true>yes', 'c:false>no'], {});
    const expected = Array.from({ length: 1000 }, (_, index) => 3 * index + 1);
    expect(execution.output).toEqual({ yes: expected, no: 2000 });
    expect(resultOf(execution, 'c')?.ports).toEqual({ true: 1000, false: 2000 });
    expect(resultOf(execution, 'no')?.input).toHaveLength(2000);
  });

  it('a switch leaves ports alone that no item takes', async () => {
    await work();
    const cases = ['NO', 'SE', 'FR'].map((value) => ({ value, port: value }));
    const route: Sketch = { type: 'switch', config: { expression: 'item.to', cases }, each: {} };
    const nodes = { s: start, r: route, no: shape('input.at'), se: shape('input.at'), rest: shape('input') };
    const items = [
      { to: 'NO', at: 1 },
      { to: 'DK', at: 2 },
      { to: 'NO', at: 3 },
    ];
    const execution = await run(nodes, ['s>r', 'r:NO>no', 'r:SE>se', 'r:default>rest'], items);
    expect(execution.output).toEqual({ no: [1, 3], rest: [{ to: 'DK', at: 2 }] });
    expect(resultOf(execution, 'se')).toMatchObject({ status: 'skipped' });
  });
});

describe('pins and mocks', () => {
  const definition = flow(
    {
      s: start,
      a: { type: 'http_request', config: { url: 'https://api.example.com/{{ item }}' }, each: {} },
      n: shape('input'),
    },
    ['s>a', 'a>n'],
  );
  /** Runs it as a test with mocks, or with pins. */
  const given = async (override: { pins: Record<string, unknown> } | { mocks: NodeMocks }) => {
    const { workspaceId, workflowId } = await storeWorkflow(definition);
    const test = {
      workspaceId,
      workflowId,
      workflowVersion: 1,
      input: [1, 2, 3],
      createdBy: 'usr_1',
      replayOf: null,
      startNodeId: null,
    };
    const executionId = await runInDatabaseTransaction(true, async (db) => {
      const id = await submitTestRun(db, { ...test, mocks: {} });
      await db.execution.update({ where: { id }, data: { override: JSON.parse(JSON.stringify(override)) as object } });
      return id;
    });
    return until(async () => {
      const execution = await readExecutionReport(workspaceId, executionId);
      return execution?.completedAt !== undefined && execution;
    }, 'the run to end');
  };

  it.each([
    [{ a: ['x', 'y'] }, ['x', 'y']],
    [{ 'a[]': 'every' }, ['every', 'every', 'every']],
    [{ 'a[]': 'every', 'a[1]': 'one' }, ['every', 'one', 'every']],
  ])('%j stands for the whole list, for every item or for one', async (outputs, output) => {
    await work();
    const mocks = Object.fromEntries(Object.entries(outputs).map(([id, value]) => [id, { output: value }]));
    expect(await given({ mocks })).toMatchObject({ status: 'completed', output });
    expect(await given({ pins: outputs })).toMatchObject({ status: 'completed', output });
  });

  it('an item without a mock fails the test, and an empty list ends the branch', async () => {
    await work();
    const { error } = await given({ mocks: { 'a[0]': { output: 1 } } });
    expect(error).toMatchObject({ code: 'NOT_MOCKED', nodeId: 'a[1]' });
    const empty = await given({ mocks: { a: { output: [] } } });
    expect(empty.status).toBe('completed');
    expect(resultOf(empty, 'n')).toMatchObject({ status: 'skipped' });
  });
});
