import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { containsExpectedJson, isEqualJson } from './json-comparison';

test('values of JSON are equal exactly if Node.js says so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
      const copy: unknown = JSON.parse(JSON.stringify(one));
      expect(await isEqualJson(one, copy)).toBe(isDeepStrictEqual(one, copy));
      expect(await isEqualJson(one, other)).toBe(isDeepStrictEqual(one, other));
    }),
    { numRuns: 200 },
  );
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: { b: [] } }, { a: { b: [], c: 1 } }, true],
  [[{ a: 1 }], [{ a: 1, b: 2 }], true],
  [[1, 2], [1, 2, 3], false],
  [[], {}, false],
  [{}, [], false],
  [{}, null, false],
  [null, undefined, false],
  [{ __proto__: null, toString: 1 }, {}, false],
])('whether %j is contained in %j: %s', async (expected, actual, isContained) => {
  expect(await containsExpectedJson(expected, actual)).toBe(isContained);
});

test('an output that is still text is read', async () => {
  const value = { items: Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'x' })) };
  expect(await isEqualJson(value, new LargeJsonText(JSON.stringify(value)))).toBe(true);
  expect(await containsExpectedJson({ items: [] }, new LargeJsonText(JSON.stringify(value)))).toBe(false);
});
