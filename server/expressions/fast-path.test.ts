import fc from 'fast-check';
import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { fastPathOf, FALL_BACK, type Tree } from './fast-path';

const direct = (source: string) => fastPathOf(jsonata(source).ast() as unknown as Tree);

const OPERATORS = ['+', '-', '*', '/', '%', '&', '=', '!=', '<', '<=', '>', '>=', 'and', 'or'];
const anyLeaf = fc.constantFrom(
  'n',
  'm',
  't',
  'u',
  'yes',
  'nothing',
  'list',
  'deep.n',
  'deep.t',
  'list.n',
  'gone',
  '2.5',
  '-1',
  '"x"',
  'true',
  'null',
);
const anySource = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small' },
    anyLeaf,
    fc
      .tuple(tie('source'), fc.constantFrom(...OPERATORS), tie('source'))
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
  ),
})).source;
const anyScope = fc.record({
  n: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  m: fc.integer({ min: -2, max: 2 }),
  t: fc.string({ maxLength: 2 }),
  u: fc.constantFrom('', 'x', 'é', '😀'),
  yes: fc.boolean(),
  nothing: fc.constant(null),
  list: fc.array(fc.oneof(fc.integer(), fc.record({ n: fc.integer() })), { maxLength: 2 }),
  deep: fc.record({ n: fc.integer(), t: fc.string({ maxLength: 2 }) }),
});

test('returns what JSONata returns, or falls back', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(anySource, anyScope, async (source, scope) => {
      const value = direct(source)?.(scope) ?? FALL_BACK;
      if (value === FALL_BACK || Array.isArray(value)) return;
      told += 1;
      expect(value).toEqual(await jsonata(source).evaluate(scope));
    }),
    { numRuns: 500 },
  );
  expect(told).toBeGreaterThan(50);
});

test.each([
  'a[0]',
  'a[]',
  '$sum(a)',
  'a ~> $f',
  '(a)',
  'a^(b)',
  'a.*',
  '{"a": a}',
  '[a]',
  'a.$string()',
  '-a',
  'a in b',
])('falls back to JSONata for %s', (source) => expect(direct(source)).toBeUndefined());
