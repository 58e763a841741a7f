import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { startRunOf } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker;
beforeAll(async () => {
  worker = await startWorker({ concurrency: 20, graceMs: 200 });
});
afterAll(() => worker.stop());

const start = { type: 'start' };
const shape = (expression: string): Sketch => ({ type: 'transform', config: { expression } });
const inJavaScript = (nodes: Record<string, Sketch>, links: string[]) => ({
  ...flow(nodes, links),
  language: 'javascript' as const,
});
const finish = async (definition: ReturnType<typeof inJavaScript>, input: object) =>
  (await startRunOf(definition, input)).finish();

it('every expression of a definition is JavaScript, those of inner definitions too', async () => {
  const body = flow({ in: start, out: shape('`${input.previous ?? ""}${input.index}`') }, ['in>out']);
  const definition = inJavaScript(
    {
      s: start,
      list: { type: 'filter', config: { items: 'input.items', where: 'item.name.startsWith("a") || index === 2' } },
      each: {
        type: 'for_each',
        config: { items: 'nodes.list', body: flow({ in: start, out: shape('input.item.name?.length') }, ['in>out']) },
      },
      again: { type: 'repeat', config: { body, until: 'output.length >= 3', maxRounds: 5 } },
      sum: shape('const n = nodes.each.reduce((sum, one) => sum + (one ?? 0), 0); return {n, last: nodes.again.last}'),
    },
    ['s>list', 'list>each', 'each>again', 'again>sum'],
  );
  const execution = await finish(definition, { items: [{ name: 'ab' }, { name: 'b' }, {}, { name: 'abc' }] });
  expect(execution.error).toMatchObject({ code: 'EXPRESSION', message: expect.stringContaining('items[2]') as string });
  const safe = {
    ...definition,
    nodes: definition.nodes.map((node) =>
      node.id === 'list'
        ? { ...node, config: { items: 'input.items', where: 'item.name?.startsWith("a") || index === 2' } }
        : node,
    ),
  };
  const finished = await finish(safe, { items: [{ name: 'ab' }, { name: 'b' }, {}, { name: 'abc' }] });
  expect(finished.error).toBeNull();
  expect(finished.output).toEqual({ n: 5, last: '012' });
});

it.each([
  ['[]', 'true'],
  ['({})', 'true'],
  ['input.empty', 'true'],
  ['""', 'false'],
  ['NaN', 'false'],
  ['input.none', 'false'],
  ['[0].find((x) => x > 1)', 'false'],
])('a condition is true as JavaScript says: %s', async (expression, port) => {
  const which = { type: 'condition', config: { expression } };
  const definition = inJavaScript({ s: start, which, yes: shape('"true"'), no: shape('"false"') }, [
    's>which',
    'which:true>yes',
    'which:false>no',
  ]);
  expect((await finish(definition, { empty: [] })).output).toEqual({ [port === 'true' ? 'yes' : 'no']: port });
});

it('a definition without a language stays in JSONata', async () => {
  const which = { type: 'condition', config: { expression: 'input.empty' } };
  const definition = flow({ s: start, which, yes: shape('"true"'), no: shape('"false" & "!"') }, [
    's>which',
    'which:true>yes',
    'which:false>no',
  ]);
  expect((await (await startRunOf(definition, { empty: [] })).finish()).output).toEqual({ no: 'false!' });
});
