import fc from 'fast-check';
import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { compileFastPath, FALL_BACK_TO_EVALUATOR, type SyntaxTree } from './fast-path';

const direct = (source: string) => compileFastPath(jsonata(source).ast() as unknown as SyntaxTree);

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
    fc.tuple(tie('source'), tie('source')).map(([one, other]) => `{"a": ${one}, "b c": ${other}}`),
    fc
      .tuple(fc.constantFrom('$type', '$exists', '$not', ''), tie('source'))
      .map(([name, argument]) => `${name}(${argument})`),
    fc
      .tuple(anyLeaf, fc.constantFrom('"number"', '"string"', '"null"'), anyLeaf)
      .map(([field, type, value]) => `$type(${field}) = ${type} and ${field} > ${value}`),
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
      const value = direct(source)?.(scope) ?? FALL_BACK_TO_EVALUATOR;
      if (value === FALL_BACK_TO_EVALUATOR || Array.isArray(value)) return;
      told += 1;
      expect(value).toEqual(await jsonata(source).evaluate(scope));
    }),
  );
  expect(told).toBeGreaterThan(fc.readConfigureGlobal().numRuns! / 10);
});

test.each([
  'a[0]',
  'a[]',
  '$sum(a)',
  'a ~> $f',
  '(a; b)',
  '$type(a)[0]',
  '$type(a, b)',
  '$type := a',
  'a.$type(b)',
  '$hash(a)',
  'a^(b)',
  'a.*',
  '{"a": $sum(a)}',
  '{a: a}',
  '{"a": a}.b',
  '{"a": 1, "a": 2}',
  '{"__proto__": a}',
  'list{"a": n}',
  '[a]',
  'a.$string()',
  '-a',
  'a in b',
])('falls back to JSONata for %s', (source) => expect(direct(source)).toBeUndefined());

test('computes what the rows of the editor are written with', () => {
  const scope = { input: { total: 120, note: null, name: 'Ada' } };
  const value = (source: string) => direct(source)?.(scope);
  expect(value('$type(input.total) = "number" and input.total > 100')).toBe(true);
  expect(value('($type(input.note) = "number" and input.note > 100) or $not(input.gone = "x")')).toBe(true);
  expect(value('$exists(input.note) and input.note != null')).toBe(false);
  expect(value('$not($exists(input.gone) and input.gone != null)')).toBe(true);
});
