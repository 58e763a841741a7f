import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainMissingValue, toFieldErrors } from './zod-issues';

const errorsOf = (schema: z.ZodType, value: unknown) =>
  toFieldErrors(schema.safeParse(value, { error: explainMissingValue }).error!);

test('paths read as in the source of a definition', () => {
  const schema = z.strictObject({
    definition: z.strictObject({ nodes: z.array(z.strictObject({ config: z.strictObject({ url: z.string() }) })) }),
  });
  expect(errorsOf(schema, { definition: { nodes: [{ config: { url: 7 } }] } })).toMatchObject([
    { field: 'nodes[0].config.url' },
  ]);
  expect(errorsOf(schema, { definition: 'none' })).toMatchObject([{ field: 'definition' }]);
});

test('every unknown field is reported separately, with its path', () => {
  const schema = z.strictObject({ inner: z.strictObject({}) });
  const errors = errorsOf(schema, { inner: { a: 1, b: 2 }, createdAt: '' });
  expect(errors.map(({ field }) => field).toSorted()).toEqual(['createdAt', 'inner.a', 'inner.b']);
});

test('missing fields are reported as required', () => {
  expect(errorsOf(z.strictObject({ name: z.string(), kind: z.enum(['a']) }), {})).toEqual([
    { field: 'name', message: 'is required' },
    { field: 'kind', message: 'is required' },
  ]);
});

test('a __proto__ key is an unknown field like any other', () => {
  expect(errorsOf(z.strictObject({}), JSON.parse('{"__proto__":{"isAdmin":true}}'))).toMatchObject([
    { field: '__proto__' },
  ]);
});
