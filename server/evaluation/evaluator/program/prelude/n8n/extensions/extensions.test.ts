import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { callExtension } from '.';

/** What the test reads of luxon's DateTime: the library comes without types. */
interface DateTimeValue {
  toUTC(): DateTimeValue;
  toISODate(): string;
  toMillis(): number;
}

beforeAll(() => {
  // The sandbox has these names as globals.
  const helpers = { base64encode: (text: string) => Buffer.from(text).toString('base64') };
  Object.assign(globalThis, createRequire(import.meta.url)('luxon'), { helpers });
});

test.each<[unknown, string, unknown[], unknown]>([
  ['a@b.example', 'isEmail', [], true],
  ['Ada <a@b.example>', 'extractEmail', [], 'a@b.example'],
  ['https://a.example/x/y?z=1', 'extractDomain', [], 'a.example'],
  ['https://a.example/x/y?z=1', 'extractUrlPath', [], '/x/y'],
  ['see ftp://a.example/x now', 'extractUrl', [], 'ftp://a.example/x'],
  ['http://nodots/ http://localhost:3000/a?b#c', 'extractUrl', [], 'http://localhost:3000/a?b#c'],
  ['www.a.example', 'extractUrl', [], undefined],
  ['helloBig world', 'toSnakeCase', [], 'hellobig_world'],
  ['hello big world', 'toTitleCase', [], 'Hello Big World'],
  ['Zoë', 'replaceSpecialChars', [], 'Zoe'],
  ['€ 12.50', 'toNumber', [], 12.5],
  ['12px', 'toInt', [], 12],
  [new Date('2025-05-05T00:00:00Z'), 'plus', [1, 'day'], new Date('2025-05-06T00:00:00Z')],
  ['<b>a</b>', 'removeTags', [], 'a'],
  ['12.5', 'toNumber', [], 12.5],
  ['no', 'toBoolean', [], false],
  ['', 'isEmpty', [], true],
  [undefined, 'isEmpty', [], true],
  ['Zoë', 'base64Encode', [], 'Wm/Dqw=='],
  ['Wm/Dqw==', 'base64Decode', [], 'Zoë'],
  ['a b', 'urlEncode', [], 'a%20b'],
  [1234.567, 'round', [1], 1234.6],
  [1234.5, 'format', ['en-US'], '1,234.5'],
  [3, 'isOdd', [], true],
  [[1, 2, 3], 'chunk', [2], [[1, 2], [3]]],
  [[1, 1, 2], 'unique', [], [1, 2]],
  [[{ a: 1 }, { a: 2 }], 'pluck', ['a'], [1, 2]],
  [[0, null, '', {}, 'x'], 'compact', [], [0, 'x']],
  [[1, 2], 'union', [[2, 3]], [1, 2, 3]],
  [[1, 2], 'sum', [], 3],
  [[1, 2], 'includes', [2], true],
  [{ a: 1 }, 'hasField', ['a'], true],
  [{ a: 1, b: null }, 'compact', [], { a: 1 }],
  [{ a: 1, b: 2 }, 'removeField', ['a'], { b: 2 }],
  [{ a: 'x y' }, 'urlEncode', [], 'a=x+y'],
  [true, 'toInt', [], 1],
  ['a "b"', 'toJsonString', [], '"a \\"b\\""'],
  ['abc', 'length', [], 3],
  ['one. two', 'toSentenceCase', [], 'One. Two'],
  ['2024-03-05T14:07:09.123Z', 'isEmpty', [], false],
  [[], 'average', [], 0],
  [[3, 1], 'reverse', [], [1, 3]],
  [[{ a: 1 }, { a: 1 }, { a: 2 }], 'unique', [], [{ a: 1 }, { a: 2 }]],
  [
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
      { a: '1', b: [2] },
    ],
    'unique',
    [],
    [
      { a: 1, b: [2] },
      { a: '1', b: [2] },
    ],
  ],
  [[new Date(0), new Date(0), {}, null, 'null', 0, -0], 'unique', [], [new Date(0), {}, null, 'null', 0]],
  [[{ a: 1 }, { a: 2, b: 3 }], 'merge', [], { a: 1, b: 3 }],
  [[{ a: 1 }], 'mergeIntoObject', [[{ b: 2 }]], { a: 1, b: 2 }],
  ['https://a.example:8080/x?y#z', 'isUrl', [], true],
  ['https://a.example/x y', 'isUrl', [], false],
  ['a.example/x#y?z', 'isDomain', [], true],
  ['a.example!', 'isDomain', [], false],
])('%j.%s(…)', (value, name, given, result) => {
  expect(callExtension(value, name, false, ...given)).toEqual(result);
});

test('long lists and texts take linear time', () => {
  const objects = Array.from({ length: 30_000 }, (_, id) => ({ id, [`field${id}`]: id }));
  expect(callExtension(objects, 'unique', false)).toHaveLength(objects.length);
  expect(Object.keys(callExtension(objects, 'merge', false) as object)).toHaveLength(objects.length + 1);
  expect(callExtension(`https://${'aa.'.repeat(100_000)} `, 'isUrl', false)).toBe(false);
  expect(callExtension(`a.example/${'#'.repeat(300_000)} `, 'isDomain', false)).toBe(false);
});

test('dates', () => {
  const moment = callExtension('2024-05-06T07:08:09Z', 'toDateTime', false) as DateTimeValue;
  const utc = moment.toUTC();
  expect(callExtension(utc, 'format', false, 'dd.MM.yyyy')).toBe('06.05.2024');
  expect((callExtension(utc, 'plus', false, 2, 'days') as DateTimeValue).toISODate()).toBe('2024-05-08');
  expect(callExtension(utc, 'isWeekend', false)).toBe(false);
  expect(callExtension(utc, 'diffTo', false, '2024-05-08T07:08:09Z', 'days')).toBe(-2);
  expect((callExtension(1_714_979_289, 'toDateTime', false, 's') as DateTimeValue).toMillis()).toBe(1_714_979_289_000);
});

test('what has no such method throws, and no value gives none where that is expected', () => {
  expect(() => callExtension(undefined, 'toTitleCase', false)).toThrow('toTitleCase');
  expect(callExtension(undefined, 'toTitleCase', true)).toBeUndefined();
});

test.each<[unknown, string, unknown[]]>([
  ['x', 'parseJson', []],
  ['x', 'toDateTime', []],
  ['x', 'toNumber', []],
  ['x', 'sum', []],
  [1.5, 'isEven', []],
  [['1'], 'sum', []],
  [[1], 'chunk', []],
  [[1], 'union', []],
  [{}, 'keepFieldsContaining', ['']],
])('%j.%s(…) fails as in n8n, which is shown', (value, name, given) => {
  expect(() => callExtension(value, name, false, ...given)).toThrow(expect.objectContaining({ isShown: true }));
});
