import { expect, test } from 'vitest';
import { evaluateSource, TEST_SCOPE } from './testing/evaluate-source';

/** What an expression does to leave something behind, and what shows whether the next one finds it. */
const ATTEMPTS: [name: string, leave: string, look: string, untouched: unknown][] = [
  ['a global', 'globalThis.left = 1; return 1', 'typeof globalThis.left', 'undefined'],
  [
    'a global that is hidden',
    'Object.defineProperty(globalThis, "left", {value: 1}); return 1',
    'typeof globalThis.left',
    'undefined',
  ],
  ['Object.prototype', 'Object.prototype.left = 1; return 1', 'typeof ({}).left', 'undefined'],
  ['Array.prototype', 'Array.prototype.map = () => "left"; return 1', '[1].map((x) => x)', [1]],
  ['Array.prototype with an index', 'Array.prototype[7] = "left"; return 1', '[1][7] ?? "none"', 'none'],
  ['String.prototype', 'String.prototype.trim = () => "left"; return 1', '" a ".trim()', 'a'],
  ['Number.prototype', 'Number.prototype.toString = () => "left"; return 1', '(5).toString()', '5'],
  ['Function.prototype', 'Function.prototype.call = () => "left"; return 1', '((x) => x).call(null, 4)', 4],
  ['Promise.prototype', 'Promise.prototype.then = "left"; return 1', 'typeof Promise.prototype.then', 'function'],
  [
    'prototypes of iterators',
    'Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({done: true}); return 1',
    '[...[1, 2]]',
    [1, 2],
  ],
  [
    'prototypes of generators',
    'Object.getPrototypeOf(function* () {}).prototype.left = 1; return 1',
    'typeof (function* () {})().left',
    'undefined',
  ],
  ['JSON.stringify', 'JSON.stringify = () => "left"; return 1', 'JSON.stringify([1])', '[1]'],
  ['JSON.parse', 'JSON.parse = () => "left"; return 1', 'JSON.parse("[1]")', [1]],
  [
    'toJSON of a prototype',
    'Date.prototype.toJSON = () => "left"; return 1',
    'new Date(0)',
    '1970-01-01T00:00:00.000Z',
  ],
  ['Math', 'Math.max = () => "left"; return 1', 'Math.max(1, 2)', 2],
  ['Math.random as a function', 'Math.random = () => "left"; return 1', 'typeof Math.random()', 'number'],
  ['Symbol.for', 'Object.prototype[Symbol.for("left")] = 1; return 1', 'typeof ({})[Symbol.for("left")]', 'undefined'],
  [
    'Symbol.iterator of texts',
    'String.prototype[Symbol.iterator] = function* () { yield "left" }; return 1',
    '[..."ab"]',
    ['a', 'b'],
  ],
  [
    'Symbol.hasInstance',
    'Object.defineProperty(Array, Symbol.hasInstance, {value: () => true}); return 1',
    '5 instanceof Array',
    false,
  ],
  [
    'Error.prepareStackTrace',
    'Error.prepareStackTrace = () => "left"; return 1',
    'String(new Error("x").stack).includes("left")',
    false,
  ],
  ['Error.stackTraceLimit', 'Error.stackTraceLimit = 0; return 1', 'Error.stackTraceLimit !== 0', true],
  ['RegExp.lastIndex', 'RegExp.prototype.lastIndex = 9; /a/g.test("a"); return 1', '/a/g.lastIndex', 0],
  ['RegExp statics', '/(le)ft/.test("left"); return 1', 'RegExp.$1 ?? "none"', 'none'],
  ['RegExp.prototype.exec', 'RegExp.prototype.exec = () => null; return 1', '/a/.test("a")', true],
  [
    'the zone of luxon',
    'const zone = DateTime.now().zone; Object.getPrototypeOf(zone).offset = () => 600; return 1',
    'DateTime.fromMillis(0).offset',
    60,
  ],
  ['a zone that luxon keeps', 'const {zone} = DateTime.utc(); zone.fixed = 600; return 1', 'DateTime.utc().offset', 0],
  ['static fields of DateTime', 'DateTime.now = () => "left"; return 1', 'typeof DateTime.now()', 'object'],
  [
    'locales that luxon keeps',
    'DateTime.now().loc.constructor.prototype.months = () => "left"; return 1',
    'DateTime.fromMillis(0).monthLong',
    'January',
  ],
  [
    'Intl',
    'Intl.NumberFormat.prototype.formatToParts = "left"; Intl.PluralRules = 1; return 1',
    'new Intl.PluralRules("en").select(1)',
    'one',
  ],
  ['helpers', 'helpers.urlEncode = () => "left"; return 1', 'helpers.urlEncode("a b")', 'a%20b'],
  [
    'URL',
    'URL.prototype.toString = () => "left"; return 1',
    'new URL("https://a.example/").toString()',
    'https://a.example/',
  ],
  ['getters of the input', 'Object.defineProperty(input, "n", {get: () => "left"}); return input.n', 'input.n', 2],
  ['a sorted list of the input', 'input.list.sort(); return input.list', 'input.list', [3, 1, 2]],
  [
    'a changed output of a node',
    'nodes.a.ok = "left"; delete nodes["b c"]; return 1',
    '[nodes.a.ok, nodes["b c"]]',
    [true, 7],
  ],
  ['variables', 'vars.REGION = "left"; return 1', 'vars.REGION', 'eu'],
  ['a frozen input', 'Object.freeze(input); return 1', 'input.n = 3, input.n', 3],
  [
    'a WeakRef and a registry',
    'globalThis.kept = new WeakRef(input); new FinalizationRegistry(() => {}).register(input, 1); return 1',
    'typeof globalThis.kept',
    'undefined',
  ],
  [
    'a promise that goes on',
    'Promise.resolve().then(() => { globalThis.left = 1 }); return 1',
    'typeof globalThis.left',
    'undefined',
  ],
  [
    'a template object',
    'const tag = (x) => x; globalThis.left = tag`a`; return 1',
    'typeof globalThis.left',
    'undefined',
  ],
  ['the names of the scope', 'globalThis.input = "left"; return 1', 'input.n', 2],
  [
    'a thrown error with changes',
    'Object.prototype.left = 1; throw new Error("left")',
    'typeof ({}).left',
    'undefined',
  ],
  ['an endless loop with changes', 'Array.prototype.left = 1; for (;;);\nreturn 1', 'typeof [].left', 'undefined'],
  [
    'memory that is used up',
    'Array.prototype.left = 1; const all = []; for (;;) all.push(new Array(1e6).fill(1));\nreturn 1',
    'typeof [].left',
    'undefined',
  ],
];

test.each(ATTEMPTS)('%s', async (_, leave, look, untouched) => {
  expect(await evaluateSource(look)).toEqual(untouched);
  await evaluateSource(leave).catch(() => undefined);
  expect(await evaluateSource(look)).toEqual(untouched);
});

/** After so many evaluations of one expression in succession they share its compiled function. */
const MANY = 9;

test.each(ATTEMPTS)('%s, in a function that was compiled before', async (_, leave, look, untouched) => {
  const isRefused = await evaluateSource(leave).then(
    () => false,
    (error: Error) => error.message.includes('not available'),
  );
  const source = isRefused
    ? look
    : `if (vars.looks) { return (${look}) }\n${/return|throw/.test(leave) ? leave : `return (${leave})`}`;
  const scope = (looks: boolean) => ({ ...TEST_SCOPE, vars: { ...TEST_SCOPE.vars, looks } });
  for (let time = 0; time < MANY; time += 1) await evaluateSource(source, scope(true));
  await evaluateSource(source, scope(false)).catch(() => undefined);
  expect(await evaluateSource(source, scope(true))).toEqual(untouched);
});

test('expressions in turns get the values of their own functions', async () => {
  for (let time = 0; time < 3 * MANY; time += 1) {
    const source = time % (MANY + 5) < MANY ? 'input.n + 1' : '`${input.n}!`';
    const n = `${time}`.repeat(1 + (time % 3) * 20_000);
    expect(await evaluateSource(source, { input: { n } })).toBe(source.includes('!') ? `${n}!` : `${n}1`);
  }
  await expect(evaluateSource('input.(')).rejects.toThrow();
  expect(await evaluateSource('input.n')).toBe(2);
});

test('random numbers are those of no other evaluation', async () => {
  const numbers = await Promise.all(Array.from({ length: 20 }, () => evaluateSource('[Math.random(), Math.random()]')));
  expect(new Set(numbers.flat()).size).toBe(40);
});

test('functions of the service work after expressions that dropped them', async () => {
  for (let time = 0; time < 3; time += 1) {
    await evaluateSource(
      'for (const name of ["helpers", "Intl", "URL", "URLSearchParams", "JSON", "Math", "DateTime"]) delete globalThis[name]; const all = []; for (let i = 0; i < 1e5; i++) all.push({}); return 1',
    );
    expect(
      await evaluateSource(
        '[helpers.urlEncode("a b"), (1.5).toLocaleString("de"), Math.random() < 1, JSON.parse("1"), DateTime.utc(2026).year]',
      ),
    ).toEqual(['a%20b', '1,5', true, 1, 2026]);
  }
});
