import { describe, expect, test } from 'vitest';
import type { EvaluationLimits } from '../../jobs';
import { EvaluationProblemError } from '../evaluation-problem';
import type { LimitExceededError } from '../meter';
import { evaluateSource, TEST_LIMITS } from './testing/evaluate-source';

const evaluate = (source: string, scope?: object, limits?: EvaluationLimits) => evaluateSource(source, scope, limits);
const failureOf = (source: string, scope?: object, limits?: EvaluationLimits) =>
  evaluate(source, scope, limits).then(
    (value) => ({ value }),
    (error: unknown) => error as EvaluationProblemError & LimitExceededError,
  );

test.each([
  ['input.n + 1', 3],
  ['{a: 1}', { a: 1 }],
  ['const x = input.list.toSorted(); return x[0]', 1],
  ['for (const x of input.list) { if (x < 3) return x }', 1],
  ['const input = 5; return input', 5],
  ['input.list.map((x) => x * 2) // doubled', [6, 2, 4]],
  ['nodes["b c"]', 7],
  ['const {a} = nodes; return a.ok', true],
  ['vars.REGION + execution.id', 'euexec_1'],
  ['undefined', undefined],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['new Date(NaN)', null],
  ['[new Date(0), undefined, NaN, -Infinity, -0]', ['1970-01-01T00:00:00.000Z', null, null, null, 0]],
  ['({a: undefined, b: 1})', { b: 1 }],
  ['10n', 10],
  ['2n ** 70n', '1180591620717411303424'],
  ['[new Map([[1, 2]]), new Set([1]), /x/]', [{}, {}, {}]],
  ['new URL("/a?b=1", "https://example.com").searchParams.get("b")', '1'],
  ['JSON.parse("[12345678901234567890, 5]")', ['12345678901234567890', 5]],
  ['helpers.formatDate("2026-01-31T23:30:00Z", "dd.MM. HH:mm")', '01.02. 00:30'],
  ['DateTime.fromISO("2026-07-01T12:00:00").toISO()', '2026-07-01T12:00:00.000+02:00'],
  [
    'DateTime.fromISO("2026-07-01T12:00:00Z").setLocale("de").toFormat("cccc, d. LLLL yyyy, HH:mm")',
    'Mittwoch, 1. Juli 2026, 14:00',
  ],
  ['DateTime.fromISO("2026-01-31").plus({months: 1}).toISODate()', '2026-02-28'],
  ['(1234.5).toLocaleString("de-DE")', '1.234,5'],
  ['new Intl.NumberFormat("en", {style: "currency", currency: "EUR"}).format(12)', '€12.00'],
  ['new Date("2026-07-01T12:00:00Z").toLocaleString("de-AT")', '1.7.2026, 14:00:00'],
  ['new Intl.PluralRules("en").select(1)', 'one'],
  ['new Intl.ListFormat("en").format(["a", "b"])', 'a and b'],
  ['new Intl.RelativeTimeFormat("en").format(-1, "day")', '1 day ago'],
  ['["ä", "a", "z"].sort(new Intl.Collator("de").compare)', ['a', 'ä', 'z']],
  ['["ä", "a", "z"].sort((x, y) => x.localeCompare(y, "sv"))', ['a', 'z', 'ä']],
  ['"ab".replace(/(?<=a)b/, "c")', 'ac'],
  ['input.list.sort()[0]', 1],
  ['typeof process + typeof require + typeof fetch + typeof setTimeout', 'undefinedundefinedundefinedundefined'],
])('%s', async (source, value) => {
  expect(await evaluate(source)).toEqual(value);
});

describe('failures', () => {
  test.each([
    ['input.a.b', "TypeError: cannot read property 'b' of undefined", 8],
    ['input\n  .nested\n  .c.d', "TypeError: cannot read property 'd' of undefined", 20],
    ['() => 1', 'The result is a function, not a value', 0],
    ['[Math.max]', 'The result is a function, not a value', 0],
    ['Symbol("x")', 'The result is a symbol, not a value', 0],
    ['(async () => 1)()', 'The result is a promise: an expression cannot wait', 0],
    ['const a = {}; a.a = a; return a', 'TypeError: circular reference', 0],
    ['throw new Error("no stock")', 'no stock', 16],
    ['throw "text"', 'text', 0],
    ['throw {get message() { throw 1 }}', 'The expression threw a value without a message', 0],
    ['missing + 1', "ReferenceError: 'missing' is not defined", 0],
    ['(() => {}).constructor("return 1")()', 'EvalError: Code from text is not available: data is never evaluated', 0],
  ])('%s', async (source, message, position) => {
    const failure = await failureOf(source);
    expect(failure).toBeInstanceOf(EvaluationProblemError);
    expect(failure).toMatchObject({ message });
    if (position > 0) expect(Math.abs((failure as EvaluationProblemError).position - position)).toBeLessThan(4);
  });

  test.each(['for (;;);', 'while (true) { try { for (;;); } catch { } }', '/^(a+)+$/.test("a".repeat(40) + "b")'])(
    '%s ends in time',
    async (source) => {
      const failure = await failureOf(source.startsWith('/') ? source : `${source} return 1`);
      expect(failure).toMatchObject({ code: 'EVALUATION_TIMEOUT' });
    },
  );

  test.each([
    'const a = []; for (;;) a.push(new Array(1000).fill(1.5))',
    '"x".repeat(1e9).length',
    'new Array(1e8).fill(0).length',
    'let s = "ab"; for (let i = 0; i < 40; i++) s += s; return s.length',
    'const f = () => f() + 1; return f()',
  ])('%s', async (source) => {
    const failure = await failureOf(
      source.includes('return') || source.startsWith('"') || source.startsWith('new') ? source : `${source} return 1`,
      undefined,
      { ...TEST_LIMITS, cpuMs: 20_000 },
    );
    expect(['EVALUATION_MEMORY', undefined]).toContain((failure as { code?: string }).code);
    expect(failure).toBeInstanceOf(Error);
    // Another expression is not affected.
    expect(await evaluate('input.n')).toBe(2);
  });
});
