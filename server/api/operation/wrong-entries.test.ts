import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainMissingValue } from '@/server/platform/errors/zod-issues';
import { findWrongEntries } from './wrong-entries';

const Point = z.strictObject({ x: z.number(), tags: z.array(z.string()).optional() });
const Body = z.strictObject({
  points: z.array(Point).max(10_000).optional(),
  byName: z.record(z.string(), Point).nullable().optional(),
  lazy: z.lazy(() => z.array(z.number())).optional(),
  piped: z
    .array(z.string())
    .transform((list) => list.join())
    .optional(),
});

const points = (count: number): unknown[] => Array.from({ length: count }, (_, x) => ({ x }));
const paths = async (value: unknown, schema: z.ZodType = Body) =>
  (await findWrongEntries(schema, value))?.map(({ path }) => path.join('.'));

test('right entries, and short lists, are left to the schema', async () => {
  expect(await findWrongEntries(Body, { points: points(1000), byName: null, lazy: [1] })).toBeUndefined();
  expect(await findWrongEntries(Body, { points: [...points(63), 'wrong'] })).toBeUndefined();
  expect(await findWrongEntries(Body, 'wrong')).toBeUndefined();
});

test('the first wrong entries are named by their place in the whole', async () => {
  const list = points(1000);
  list[700] = { x: 'wrong', y: 1 };
  list[999] = 'wrong';
  expect(await paths({ points: list })).toEqual(['points.700.x', 'points.700']);
  expect(await paths({ byName: Object.fromEntries(list.map((one, at) => [`n${at}`, one])) })).toEqual([
    'byName.n700.x',
    'byName.n700',
  ]);
  expect(
    await paths({ points: [{ x: 1, tags: Array.from({ length: 100 }, (_, at) => (at === 90 ? 1 : 'a')) }] }),
  ).toEqual(['points.0.tags.90']);
  expect(await paths({ lazy: Array(100).fill('a'), piped: Array(100).fill(1) })).toHaveLength(64);
  expect((await paths({ piped: Array(100).fill(1) }))?.[63]).toBe('piped.63');
});

test('what the schema passes over is passed over', async () => {
  const inner = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, 'wrong']));
  const body = JSON.parse(`{"byName":{"__proto__":${JSON.stringify(inner)}}}`) as unknown;
  expect(Body.safeParse(body).success).toBe(true);
  expect(await findWrongEntries(Body, body)).toBeUndefined();
});

test('a check that waits is left to the schema', async () => {
  const waiting = z.array(z.string().refine(async () => false));
  expect(await paths(Array(100).fill('a'), waiting)).toBeUndefined();
});

test('finds nothing that the schema does not find', async () => {
  const entry = fc.oneof(fc.record({ x: fc.integer() }), fc.constant({ x: 1, tags: ['a'] }), fc.constant('wrong'));
  const body = fc.record({
    points: fc.array(entry, { maxLength: 200, size: 'max' }),
    byName: fc.dictionary(fc.string(), entry, { maxKeys: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const all = Body.safeParse(value, { error: explainMissingValue }).error?.issues ?? [];
      for (const issue of (await findWrongEntries(Body, value)) ?? []) expect(all).toContainEqual(issue);
    }),
  );
});
