import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { EvaluationProblemError } from './evaluation-problem';
import { evaluateExpression, copyPlainValue } from './jsonata';
import { LimitExceededError, EvaluationMeter } from './meter';

const LIMITS = { cpuMs: 10_000, memoryBytes: 512 * 1024 * 1024 };
const json = (value: unknown) => JSON.stringify(value) ?? 'undefined';

/**
 * The evaluator's result: the value's JSON, or that it failed. An expression that exceeds a limit has no reference
 * result.
 */
async function ours(source: string, scope: unknown): Promise<string> {
  const meter = new EvaluationMeter(LIMITS);
  try {
    return json(copyPlainValue(await evaluateExpression(source, structuredClone(scope), meter), meter));
  } catch (error) {
    if (error instanceof EvaluationProblemError) return 'failed';
    fc.pre(!(error instanceof LimitExceededError));
    throw error;
  }
}

/** The reference result of JSONata. Results that are not JSON are useless in a workflow and count as failures. */
async function theirs(source: string, scope: unknown): Promise<string> {
  try {
    const value: unknown = await jsonata(source).evaluate(structuredClone(scope));
    return holdsFunction(value) ? 'failed' : json(value);
  } catch {
    return 'failed';
  }
}

const holdsFunction = (value: unknown): boolean =>
  typeof value === 'function' ||
  (typeof value === 'object' &&
    value !== null &&
    ('_jsonata_lambda' in value || '_jsonata_function' in value || Object.values(value).some(holdsFunction)));

const leaf = fc.constantFrom(
  'n',
  't',
  'yes',
  'list',
  'list.n',
  'deep',
  'deep.t',
  'deep.list[0]',
  'people.name',
  'people[age > 30].name',
  'gone',
  'null',
  'true',
  '2',
  '-1.5',
  '"a b"',
  '"2026-01-31T10:00:00Z"',
  '[]',
  '[1, 2, 3]',
  '{}',
  '/a(b)?/i',
  '$',
  'people.$string(age)',
);
const unary = fc.constantFrom(
  '$string',
  '$length',
  '$uppercase',
  '$lowercase',
  '$trim',
  '$number',
  '$abs',
  '$floor',
  '$round',
  '$sqrt',
  '$sum',
  '$count',
  '$max',
  '$min',
  '$average',
  '$boolean',
  '$not',
  '$exists',
  '$keys',
  '$spread',
  '$merge',
  '$reverse',
  '$distinct',
  '$type',
  '$join',
  '$sort',
  '$encodeUrlComponent',
  '$toMillis',
  '$fromMillis',
  '$flatten',
  '$each',
);
const binary = fc.constantFrom(
  '$append',
  '$contains',
  '$split',
  '$join',
  '$substringBefore',
  '$substringAfter',
  '$match',
  '$lookup',
  '$zip',
  '$pad',
  '$formatBase',
  '$substring',
  '$formatNumber',
);
const operator = fc.constantFrom(
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'or',
  'in',
  '~>',
  '.',
  '..',
);
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(unary, tie('source')).map(([name, one]) => `${name}(${one})`),
    fc.tuple(binary, tie('source'), tie('source')).map(([name, one, two]) => `${name}(${one}, ${two})`),
    fc.tuple(tie('source'), operator, tie('source')).map(([one, sign, two]) => `(${one} ${sign} ${two})`),
    fc.tuple(tie('source'), tie('source'), tie('source')).map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
    fc.tuple(tie('source'), tie('source')).map(([one, two]) => `${one}[${two}]`),
    fc.tuple(tie('source'), tie('source')).map(([one, two]) => `{"a": ${one}, "b": [${two}]}`),
    fc.tuple(tie('source'), tie('source')).map(([one, two]) => `$map(${one}, function($v, $i) { [$i, $v, ${two}] })`),
    fc.tuple(tie('source'), tie('source')).map(([one, two]) => `$filter(${one}, function($v) { $v = ${two} })`),
    fc
      .tuple(tie('source'), tie('source'))
      .map(([one, two]) => `($x := ${one}; $f := function($y) { [$x, $y] }; $f(${two}))`),
    fc.tuple(tie('source'), tie('source')).map(([one, two]) => `$replace(${one}, ${two}, "-")`),
    tie('source').map((one) => `people^(>age, ${one}).name`),
    tie('source').map((one) => `(${one} ~> |$|{"more": 1}|)`),
  ),
}));
const scope = fc.record({
  // Small: ranges and paddings of this length are computed twice. The tests of limits cover larger ones.
  n: fc.oneof(fc.integer({ min: -99, max: 99 }), fc.double({ noNaN: true, min: -1000, max: 1000 })),
  t: fc.string({ unit: 'grapheme', maxLength: 8 }),
  yes: fc.boolean(),
  list: fc.array(fc.oneof(fc.integer(), fc.string(), fc.record({ n: fc.integer() })), { maxLength: 4 }),
  deep: fc.record({ t: fc.string(), list: fc.array(fc.jsonValue(), { maxLength: 3 }) }),
  people: fc.array(fc.record({ name: fc.string(), age: fc.integer({ min: 0, max: 99 }) }), { maxLength: 3 }),
});

describe('the evaluator', () => {
  test('returns what JSONata returns', { timeout: 120_000 }, async () => {
    let values = 0;
    await fc.assert(
      fc.asyncProperty(source, scope, async (expression, data) => {
        const expected = await theirs(expression, data);
        if (expected !== 'failed') values += 1;
        expect(await ours(expression, data)).toBe(expected);
      }),
    );
    expect(values).toBeGreaterThan(fc.readConfigureGlobal().numRuns! / 10);
  });

  test('cannot be tricked by data with the fields of JSONata functions', async () => {
    const posing = { _jsonata_lambda: true, _jsonata_function: true };
    expect(await ours('$type(posing)', { posing })).toBe('"object"');
    expect(await ours('posing', { posing })).toBe(json(posing));
  });

  test('has neither $eval nor globals', async () => {
    expect(await ours('$eval("1")', {})).toBe('failed');
    expect(await ours('[globalThis, process, constructor, $sum.constructor]', {})).toBe('[]');
  });
});
