import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isLargeJson, LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { findNodeType } from '../index';
import type { NodeRunContext } from '../node-type';

useEvaluation();

/** Runs a node with this config like the engine. A large output is parsed. */
async function run(type: string, config: Record<string, unknown>): Promise<unknown> {
  const context = {
    config,
    language: 'jsonata',
    signal: new AbortController().signal,
    waitForSlot: async () => undefined,
    ...PURPOSE,
  };
  const outcome = await findNodeType(type)?.run(context as unknown as NodeRunContext<Record<string, unknown>>);
  if (outcome?.kind !== 'done') throw new Error('The node is not done');
  return isLargeJson(outcome.output) ? (JSON.parse(outcome.output.text) as unknown) : outcome.output;
}

const failureOf = (running: Promise<unknown>) =>
  running.then(
    () => undefined,
    (error: unknown) => (error instanceof NodeFailure ? error : undefined),
  );

const NUMBERS = Array.from({ length: 30_000 }, (_, index) => ({ n: 30_000 - index }));
const LARGE = new LargeJsonText(JSON.stringify(NUMBERS), { isTrue: true, length: NUMBERS.length });
const byN = [{ field: 'n' }];

it('computes small and large lists alike', async () => {
  expect(await run('sort', { items: [{ n: 2 }, { n: 1 }], by: byN })).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await run('sort', { items: LARGE, by: byN })).toEqual(NUMBERS.toReversed());
  // Too many steps for the service itself.
  const some = NUMBERS.slice(0, 3000);
  expect(await run('sort', { items: some, by: byN })).toEqual(some.toReversed());
});

it('treats one value as a list of one, and none as the empty list', async () => {
  expect(await run('split', { items: { n: 1 }, size: 2 })).toEqual([[{ n: 1 }]]);
  expect(await run('dedupe', { items: null })).toEqual([]);
  expect(await run('aggregate', { measures: [{ name: 'n', operation: 'count' }] })).toEqual([{ n: 0 }]);
});

it('merges a small list with a large one', async () => {
  const config = { left: [{ id: 7 }], right: LARGE, leftKey: 'id', rightKey: 'n' };
  expect(await run('merge', config)).toEqual([{ id: 7, n: 7 }]);
});

it('filters by rules and by an expression on the item', async () => {
  const items = [{ price: 3 }, { price: 12 }, { price: 20 }];
  const rules = [{ field: 'price', operator: 'gt', value: 10 }];
  expect(await run('filter', { items, rules })).toEqual([{ price: 12 }, { price: 20 }]);
  expect(await run('filter', { items, where: 'item.price > 10 and index < 2' })).toEqual([{ price: 12 }]);
  expect(await run('filter', { items: LARGE, where: 'item.n <= 2' })).toEqual([{ n: 2 }, { n: 1 }]);
});

it('names the item for which an expression fails', async () => {
  const failure = await failureOf(run('filter', { items: [{ a: 1 }, { a: 'x' }], where: 'item.a + 1 > 0' }));
  expect(failure).toMatchObject({ code: 'EXPRESSION', retriable: false });
  expect(failure?.message).toMatch(/^items\[1\]: .*left side of the "\+" operator/);
  expect(failure?.by.expression).toMatchObject({ field: 'config.where', source: 'item.a + 1 > 0' });
});

it('limits a result that is far larger than the lists', async () => {
  const same = Array.from({ length: 1000 }, () => ({ k: 1 }));
  const failure = await failureOf(run('merge', { left: same, right: same, leftKey: 'k', rightKey: 'k' }));
  expect(failure).toMatchObject({ code: 'TOO_MANY_ITEMS', retriable: false });
});

it('does what the examples of the documentation say', async () => {
  const json = '```json\\n([^]*?)```';
  const pattern = new RegExp(`Example:\\s+${json}\\s+With the input\\s+${json}\\s+the result is\\s+${json}`, 'g');
  const examples = [...readFileSync('docs/build/lists.md', 'utf8').matchAll(pattern)].map((match) =>
    match.slice(1).map((text): unknown => JSON.parse(text)),
  );
  const seen: string[] = [];
  for (const [node, input, result] of examples) {
    const { type, config } = node as { type: string; config: Record<string, unknown> };
    // The expressions of the examples are paths in the input.
    const valueOf = (value: unknown) => {
      const [, path] = typeof value === 'string' ? (/^input\b\.?(\w*)$/.exec(value) ?? []) : [];
      if (path === undefined) return value;
      return path ? (input as Record<string, unknown>)[path] : input;
    };
    const evaluated = Object.fromEntries(Object.entries(config).map(([field, value]) => [field, valueOf(value)]));
    expect(await run(type, evaluated), type).toEqual(result);
    seen.push(type);
  }
  expect(seen.sort()).toEqual(['aggregate', 'dedupe', 'filter', 'merge', 'sort', 'split']);
});
