import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { jsonata as converted } from './jsonata';
import type { Scope } from './scope';
import { Unsupported } from './syntax';

const needs: string[] = [];
const scope: Scope = {
  json: 'input',
  all: '[input]',
  index: undefined,
  nodes: new Map([
    ['Get user', { code: 'nodes.get_user.body', isList: false }],
    ['Rows', { code: 'nodes.rows', isList: true }],
  ]),
  workflowName: 'Mine',
  resumeUrl: 'execution.resumeUrls.wait',
  need: (sentence) => needs.push(sentence),
};
const code = (source: string) => converted(source, scope).code;

const DATA = {
  input: {
    name: ' Ada ',
    price: 12.5,
    count: 2,
    none: null,
    tags: ['a', 'b', 'c'],
    lines: [
      { sku: 'x', price: 3 },
      { sku: 'y', price: 8 },
    ],
    'two words': 'yes',
    and: 1,
    deep: { list: [{ id: 7 }] },
  },
  nodes: { get_user: { body: { email: 'ada@example.com' } }, rows: [{ id: 1 }, { id: 2 }] },
  execution: { id: 'ex_1', workflowId: 'wf_1', resumeUrls: { wait: 'https://example.com/r' } },
  vars: { REGION: 'eu' },
};

const CASES: readonly (readonly [string, unknown])[] = [
  ['$json.price', 12.5],
  ['$json["two words"]', 'yes'],
  ["$json['and'] + 1", 2],
  ['$json.deep.list[0].id', 7],
  ['$json?.missing?.field ?? "none"', 'none'],
  ['$json.tags[$json.count]', 'c'],
  ['$json.tags[$json.tags.length - 1]', 'c'],
  ['$json["two" + " words"]', 'yes'],
  ['$json.price * $json.count + 1', 26],
  ['($json.price + 1) * 2', 27],
  ['10 - 2 - 3', 5],
  ['-$json.count', -2],
  ['"a" + 1 + 2', 'a12'],
  ['$json.name.trim() + "!"', 'Ada!'],
  ['`${$json.name.trim()}: ${$json.tags.join("/")}`', 'Ada: a/b/c'],
  ['$json.name.trim().toUpperCase().replace("A", "O")', 'ODA'],
  ['$json.tags.length', 3],
  ['$json.name.length', 5],
  ['$json.tags.includes("b")', true],
  ['$json.name.includes("da")', true],
  ['"abcdef".slice(1, 3)', 'bc'],
  ['$json.tags.slice(1)', ['b', 'c']],
  ['"a,b".split(",")', ['a', 'b']],
  ['$json.lines.map(l => l.sku)', ['x', 'y']],
  ['$json.lines.filter((l) => l.price > 5).map(l => l.sku)', ['y']],
  ['$json.lines.find(l => l.sku === "x").price', 3],
  ['$json.lines.some(l => l.price > 5) && !$json.lines.every(l => l.price > 5)', true],
  ['$json.lines.map(line => line.price).sum()', 11],
  ['$json.price > 10 ? "large" : "small"', 'large'],
  ['$json.price > 10 && $json.count === 2', true],
  ['$json.price !== 12.5 || !$json.missing', true],
  ['$json.missing == null', true],
  ['$json.none === null', true],
  ['$json.price != undefined', true],
  ['$json.missing || "otherwise"', 'otherwise'],
  ['Math.round($json.price)', 13],
  ['Math.max(1, $json.count, 0)', 2],
  ['Number("4") + parseInt("2")', 6],
  ['JSON.stringify($json.tags)', '["a","b","c"]'],
  ['Object.keys($json.deep)', 'list'],
  ['{ a: $json.count, "b c": [1, { d: $json.name }] }', { a: 2, 'b c': [1, { d: ' Ada ' }] }],
  ['{ ...$json.deep, extra: 1 }', { list: [{ id: 7 }], extra: 1 }],
  ["$('Get user').item.json.email", 'ada@example.com'],
  ["$('Get user').first().json.email", 'ada@example.com'],
  ['$node["Get user"].json.email', 'ada@example.com'],
  ["$('Rows').all().length", 2],
  ["$('Rows').all().map(row => row.json.id)", [1, 2]],
  ["$('Rows').last().json.id", 2],
  ["$items('Rows')[1].json.id", 2],
  ['$input.first().json.count', 2],
  ['$input.item.json.count', 2],
  ['$input.all().length', 1],
  ['$execution.id', 'ex_1'],
  ['$execution.resumeUrl', 'https://example.com/r'],
  ['$workflow.name', 'Mine'],
  ['$vars.region', 'eu'],
  ['$if($json.count > 1, "many", "one")', 'many'],
  ['typeof $json.count', 'number'],
  ["'it\\'s \\u0041'", "it's A"],
  ['"{{ }}"', '{{ }}'],
];

describe('an expression of n8n', () => {
  it.each(CASES)('%s', async (source, expected) => {
    const value: unknown = await jsonata(code(source)).evaluate(DATA);
    expect(JSON.parse(JSON.stringify(value ?? null)), code(source)).toEqual(expected ?? null);
  });

  it('becomes a function of Weft for times and texts', () => {
    expect(code('$now.toISO()')).toBe('$now()');
    expect(code('$now.minus({ days: 7, hours: 1 }).toFormat("yyyy-MM-dd")')).toBe(
      '$formatDate($addTime($addTime($now(), -7, "days"), -1, "hours"), "yyyy-MM-dd")',
    );
    expect(code('$today.plus(1, "week").startOf("month")')).toBe(
      '$startOf($addTime($startOf($now(), "day"), 1, "weeks"), "month")',
    );
    expect(code('DateTime.fromISO($json.at).toFormat("HH:mm")')).toBe('$formatDate(input.at, "HH:mm")');
    expect(code('new Date($json.at).getTime()')).toBe('$toMillis(input.at)');
    expect(code('JSON.parse($json.text).a')).toBe('$parseJson(input.text).a');
    expect(code('encodeURIComponent($json.q)')).toBe('$urlEncode(input.q & "")');
  });

  it('names what it needs', () => {
    needs.length = 0;
    expect(code('$env.API_KEY')).toBe('vars.API_KEY');
    expect(needs).toEqual(['It reads the variable API_KEY: create it under Settings, Variables.']);
  });

  it.each([
    '$("Nobody").item.json.a',
    '$("Rows").item.json.id',
    '$json.text.match(/a+/)',
    '(() => { return 1; })()',
    'function () {}',
    '$json.items.reduce((a, b) => a + b)',
    '$binary.data',
    '$secrets.vault.key',
    '$jmespath($json, "a")',
    '$json.a = 1',
    '$json..a',
    '$json.a b',
    '$now.toFormat("ccc ZZZZ")',
    'require("fs")',
    'this.helpers',
    '"open',
    '',
    '$json.constructor.constructor("x")()',
  ])('%s has no counterpart', (source) => {
    expect(() => code(source)).toThrow(Unsupported);
  });
});
