import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker;
let user: TestUser;
beforeAll(async () => {
  worker = await startWorker({ concurrency: 20, graceMs: 200 });
  user = await buildUser();
});
afterAll(() => worker.stop());

const start = { type: 'start' };
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const code = (source: string) => ({ type: 'code', config: { source } });
const condition = (expression: string) => ({ type: 'condition', config: { expression } });

/** Only the error port of its last node has a connection. */
const HANDLED = flow(
  {
    start,
    work: code("const at = input.item ?? input; if (at.bad) throw new Error('bad'); return { ok: 1 };"),
    onError: shape('{"failed": input.message}'),
  },
  ['start>work', 'work:error>onError'],
);
const BRANCH = flow({ s: start, which: condition('input.yes'), yes: shape('{"yes": 1}') }, [
  's>which',
  'which:true>yes',
]);
const SWITCH = flow(
  {
    s: start,
    which: { type: 'switch', config: { expression: 'input.kind', cases: [{ port: 'a', value: 'a' }] } },
    a: shape('"A"'),
  },
  ['s>which', 'which:a>a'],
);

const outputOf = async (definition: Parameters<typeof startRunOf>[0], input: unknown = {}) => {
  const execution = await (await startRunOf(definition, input)).finish();
  expect(execution.error).toBeNull();
  return execution.output;
};

describe('the output of a run', () => {
  test('is that of the completed node whose taken port leads nowhere', async () => {
    expect(await outputOf(HANDLED)).toEqual({ ok: 1 });
    expect(await outputOf(HANDLED, { bad: true })).toEqual({ failed: expect.stringContaining('bad') });
    expect(await outputOf(BRANCH, { yes: true })).toEqual({ yes: 1 });
    expect(await outputOf(BRANCH, { yes: false })).toEqual({ yes: false });
    expect(await outputOf(SWITCH, { kind: 'a' })).toBe('A');
    expect(await outputOf(SWITCH, { kind: 'b' })).toEqual({ kind: 'b' });
  });

  test('is an object by node where several leaves completed, or several nodes have no connections', async () => {
    const nodes = { s: start, which: condition('input.yes'), yes: shape('1'), other: shape('2') };
    // One node at the end, and a port that leads nowhere beside it.
    const beside = flow(nodes, ['s>which', 's>other', 'which:true>yes', 'yes>other']);
    expect(await outputOf(beside, { yes: false })).toEqual({ which: { yes: false }, other: 2 });
    expect(await outputOf(beside, { yes: true })).toBe(2);
    const twoEnds = flow(nodes, ['s>which', 'which:true>yes', 's>other']);
    expect(await outputOf(twoEnds, { yes: false })).toEqual({ which: { yes: false }, other: 2 });
    const onePasses = flow(nodes, ['s>which', 'which:true>yes', 'which:false>other']);
    expect(await outputOf(onePasses, { yes: false })).toEqual({ other: 2 });
  });

  test('holds for large outputs, which are not in memory', async () => {
    const large = flow({ start, work: code("return 'x'.repeat(300000)"), onError: shape('1') }, [
      'start>work',
      'work:error>onError',
    ]);
    expect(await outputOf(large)).toHaveLength(300_000);
  });
});

describe('rounds of loops', () => {
  test('give it as their outputs', async () => {
    const each = flow({ s: start, l: { type: 'for_each', config: { items: 'input', body: HANDLED } } }, ['s>l']);
    expect(await outputOf(each, [{}, { bad: true }, {}])).toEqual([
      { ok: 1 },
      { failed: expect.stringContaining('bad') },
      { ok: 1 },
    ]);
  });

  test('judge it, pass it to the next round, and collect it, also of rounds that are not in memory', async () => {
    const body = flow(
      {
        in: start,
        count: shape('{"n": (input.previous ? input.previous.n : 0) + 1, "pad": "xxxxxxxxxxxxxxxx"}'),
        even: condition('input.n % 2 = 0'),
        double: shape('$merge([input, {"even": true}])'),
      },
      ['in>count', 'count>even', 'even:true>double'],
    );
    const config = { body, until: 'output.n >= 5', maxRounds: 10, collect: true };
    const output = await outputOf(flow({ s: start, r: { type: 'repeat', config } }, ['s>r']));
    expect(output).toMatchObject({ rounds: 5, last: { n: 5 }, isDone: true });
    expect((output as { outputs: { n: number; even?: true }[] }).outputs.map(({ n, even }) => [n, even])).toEqual([
      [1, undefined],
      [2, true],
      [3, undefined],
      [4, true],
      [5, undefined],
    ]);
  });
});

test('a sub-workflow gives it to its parent', async () => {
  const { workspaceId } = user;
  const workflowId = await buildWorkflow({ workspaceId, status: 'active', definition: HANDLED });
  const parent = flow({ s: start, sub: { type: 'sub_workflow', config: { workflowId, input: {} } } }, ['s>sub']);
  const run = await startRun(await storeWorkflow(parent, workspaceId));
  expect(await run.finish()).toMatchObject({ error: null, output: { ok: 1 } });
});
