import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { FALL_BACK_TO_EVALUATOR } from '../fast-path';
import { isExpressionProblem } from '../expression-problem';
import { parseJavaScript } from './parse';
import { createRandomExpressions } from './testing/random-expressions';

const QUICK_COUNT = 4000;
const WHOLE_COUNT = 20_000;

/** What the service keeps of a value: that of JSON, and null for nothing. */
const toStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value === undefined ? null : value)) as unknown;

/** The result of Node.js for an expression on a scope that it may not share with another. */
function evaluateInNode(source: string, scopeJson: string, names: string[]): { value: unknown } | 'threw' {
  const code = `'use strict'; ((${names.join(', ')}) => (\n${source}\n))`;
  const compiled = vm.runInThisContext(code) as (...values: unknown[]) => unknown;
  const scope = JSON.parse(scopeJson) as Record<string, unknown>;
  try {
    return { value: toStored(compiled(...names.map((name) => scope[name]))) };
  } catch {
    return 'threw';
  }
}

function compareWithNode(count: number, seed: number) {
  const random = createRandomExpressions(seed);
  const found = { computed: 0, leftToEvaluator: 0, tooComplex: 0, threw: 0 };
  for (let index = 0; index < count; index += 1) {
    const scope = random.scope();
    const source = random.expression();
    const parsed = parseJavaScript(source, 'text');
    if (isExpressionProblem(parsed)) throw new Error(`${source}: ${parsed.message}`);
    const expected = evaluateInNode(source, JSON.stringify(scope), Object.keys(scope));
    if (expected === 'threw') found.threw += 1;
    if (!parsed.fastPath) {
      found.tooComplex += 1;
      continue;
    }
    const value = parsed.fastPath(scope);
    if (value === FALL_BACK_TO_EVALUATOR) {
      found.leftToEvaluator += 1;
      continue;
    }
    found.computed += 1;
    expect({ source, scope, value: toStored(value) }).toEqual({
      source,
      scope,
      value: expected === 'threw' ? 'an error' : expected.value,
    });
  }
  return found;
}

describe('results of the fast path are those of Node.js', () => {
  test('for random expressions and data', () => {
    const found = compareWithNode(QUICK_COUNT, 1);
    expect(found.computed).toBeGreaterThan(QUICK_COUNT / 4);
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(QUICK_COUNT / 100);
  });

  test('for 20,000 random expressions and data', { tags: 'long' }, () => {
    expect(compareWithNode(WHOLE_COUNT, 2).computed).toBeGreaterThan(WHOLE_COUNT / 4);
  });
});

const run = (source: string, scope: object) => {
  const parsed = parseJavaScript(source, 'text');
  if (isExpressionProblem(parsed) || !parsed.fastPath) return 'too complex';
  const value = parsed.fastPath(scope);
  return value === FALL_BACK_TO_EVALUATOR ? 'evaluator' : value;
};

test.each([
  ['input.a.b', 'evaluator'],
  ['input.a?.b', undefined],
  ['input.a?.b.c.d', undefined],
  ['(input.a?.b).c', 'evaluator'],
  ['input.constructor', 'evaluator'],
  ['input.list.map', 'evaluator'],
  ['input.list.length', 2],
  ['input.text[1]', 'b'],
  ['input === nodes.same', 'evaluator'],
  ['input.list == "1,2"', 'evaluator'],
  ['input.list == null', false],
  ['`${input.list}`', 'evaluator'],
  ['`${input.n} of ${null} ${input.none}`', '2 of null undefined'],
  ['input.text + input.n', 'abc2'],
  ['input.n / 0', null],
  ['-0 * input.n', 0],
  ['unknown', 'evaluator'],
  ['typeof input', 'too complex'],
  ['input.n ** 2', 'too complex'],
  ['{a: input.n, b: input.none, ["c" + 1]: [input.none, {}]}', { a: 2, c1: [null, {}] }],
  ['{...input.object, n: 1, __proto__: null}', 'too complex'],
  ['{...input.object, n: 1}', { x: 1, n: 1 }],
  ['{...input.list}', 'evaluator'],
])('%s', (source, value) => {
  const input = { n: 2, text: 'abc', list: [1, 2], object: { x: 1, n: 2 } };
  expect(run(source, { input, nodes: { same: input } })).toEqual(value);
});
