import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { startRunOf, testKinds } from '@/server/testing/runs';
import type { NodeEach } from '@/contract/workflows/each';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const start: Sketch = { type: 'start' };
const each = (expression: string, rules: NodeEach = {}): Sketch => ({
  type: 'transform',
  config: { expression },
  each: rules,
});
const rounds = (expression: string, rules: NodeEach = {}): Sketch => ({
  type: 'call',
  config: { value: `{{ ${expression} }}` },
  each: rules,
});

async function run(nodes: Record<string, Sketch>, links: string[], input: unknown): Promise<unknown> {
  const { kinds } = testKinds(async ({ config }) => config['value']);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  const execution = await (await startRunOf(flow(nodes, links), input)).finish();
  expect(execution.error).toBeNull();
  return execution.output;
}

const PEOPLE = [
  { name: 'Ada', age: 36, team: 1 },
  { name: 'Grace', age: 85, team: 2 },
  { name: 'Ada', age: 12, team: 2 },
  { name: 'Alan', age: 41, team: 1 },
];

describe('paired', () => {
  it.each([
    ['computed', each],
    ['in rounds', rounds],
  ])('leads through nodes with each, ports and left out items: %s', async (_, node) => {
    const adult: Sketch = { type: 'condition', config: { expression: 'item.age > 18' }, each: {} };
    const nodes = {
      s: start,
      names: node('item.name'),
      adult: { ...adult, each: { items: 'nodes.s' } },
      one: node('$number(item.age > 40 ? "no" : "7")', { onError: 'drop' }),
      last: node('paired.s.name & paired.adult.age & item & paired.one', { items: 'nodes.one' }),
      other: node('paired.s.age & item'),
    };
    const links = ['s>names', 'names>other', 's>adult', 'adult:true>one', 'one>last'];
    expect(await run(nodes, links, PEOPLE)).toMatchObject({
      last: ['Ada3677'],
      other: ['36Ada', '85Grace', '12Ada', '41Alan'],
    });
  });

  it.each([
    ['filter', { items: 'nodes.s', rules: [{ field: 'age', operator: 'gt', value: 40 }] }, ['Grace', 'Alan']],
    ['filter', { items: 'input', where: 'item.age > 40' }, ['Grace', 'Alan']],
    ['sort', { items: 'input', by: [{ field: 'age', direction: 'asc' }] }, ['Ada', 'Ada', 'Grace', 'Alan'].toSorted()],
    ['dedupe', { items: 'input', by: 'name' }, ['Ada', 'Grace', 'Alan']],
    ['split', { items: 'input', size: 3 }, ['Ada', 'Alan']],
    [
      'merge',
      { left: 'input', right: '[{"id": 1}, {"id": 2}]', leftKey: 'team', rightKey: 'id' },
      ['Ada', 'Grace', 'Ada', 'Alan'],
    ],
  ])('leads through %s %j', async (type, config, names) => {
    const nodes = { s: start, list: { type, config }, a: each('index', {}), b: rounds('paired.s.name', {}) };
    const found = (await run(nodes, ['s>list', 'list>a', 'a>b'], PEOPLE)) as string[];
    expect(type === 'sort' ? found.toSorted((one, other) => (one < other ? -1 : 1)) : found).toEqual(
      type === 'sort' ? ['Ada', 'Ada', 'Alan', 'Grace'] : names,
    );
  });

  it('leads through large lists, and several connections', async () => {
    const text = 'x'.repeat(100);
    const items = Array.from({ length: 3000 }, (_, index) => ({ index, text }));
    const nodes = {
      s: start,
      x: each('$string(item.index)'),
      list: { type: 'filter', config: { items: 'nodes.s', where: 'item.index % 2 = 1' } },
      both: each('paired.s.index'),
    };
    const found = await run(nodes, ['s>x', 's>list', 'list>both', 'x>both'], items);
    expect(found).toEqual([...items.filter(({ index }) => index % 2 === 1), ...items].map(({ index }) => index));
  });

  it('has no value where the way is lost, nor outside of each', async () => {
    const nodes = {
      s: start,
      sum: { type: 'aggregate', config: { items: 'input', measures: [{ name: 'n', operation: 'count' }] } },
      a: each('{"s": paired.s, "sum": paired.sum.n}'),
      fields: each('{"s": paired.s, "v": item}', { items: 'nodes.s.age' }),
      outside: { type: 'transform', config: { expression: '{"p": paired}' } },
    };
    expect(await run(nodes, ['s>sum', 'sum>a', 's>fields', 's>outside'], PEOPLE)).toEqual({
      a: [{ sum: 4 }],
      fields: PEOPLE.map(({ age }) => ({ v: age })),
      outside: {},
    });
  });
});
