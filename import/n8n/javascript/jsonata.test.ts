import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { expressionToJsonata as converted } from './jsonata';
import type { ExpressionScope } from './scope';
import { UnsupportedSyntaxError } from './syntax';

const needs: string[] = [];
const scope: ExpressionScope = {
  json: 'input',
  all: '[input]',
  index: undefined,
  nodes: new Map([
    ['Get user', { code: 'nodes.get_user.body', isList: false }],
    ['Rows', { code: 'nodes.rows', isList: true }],
    ['Looped', { code: 'nodes.rows', isList: true, item: '(nodes.rows)[1]' }],
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
    mail: 'ada+shop@example.com',
    one: { a: 1 },
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
  // Patterns.
  [String.raw`$json.mail.match(/\+([^@]+)@/)[1]`, 'shop'],
  [String.raw`$json.mail.match(/(\w+)\+/)[0]`, 'ada+'],
  [String.raw`$json.mail.match(/(x)(y)/)?.[1] ?? "none"`, 'none'],
  [String.raw`($json.mail.match(/(\w+)\+(\w+)/) || []).length`, 3],
  [String.raw`$json.mail.match(/[a-z]+/g)`, ['ada', 'shop', 'example', 'com']],
  [String.raw`$json.mail.replace(/[^a-z]/g, "")`, 'adashopexamplecom'],
  [String.raw`$json.mail.replace(/(\w+)@(.*)/, "$2 at $1, $&")`, 'ada+example.com at shop, shop@example.com'],
  [String.raw`$json.name.replace(/^\s+/, "").split(/\s+/)`, ['Ada', '']],
  [String.raw`/^ADA/i.test($json.mail)`, true],
  [String.raw`/(\d+)/.exec("room 12")[1]`, '12'],
  [String.raw`"a(b)/c\\d".replace(/[()\/\\]/g, '"')`, 'a"b""c"d'],
  [String.raw`"x {{ y }}".replace(/\{\{ (.) \}\}/, "$1")`, 'x y'],
  [String.raw`"[ab12] {x}".match(/\[ab(\d{2})] {(.)}/)[2]`, 'x'],
  ['8 / 2 / $json.count', 2],
  // Functions with statements, comments and parts of values.
  ['(() => { const a = $json.count; let b = a * 2; return a + b; })()', 6],
  ['(function (n) { if (n > 3) return "many"; else if (n > 1) { return "some" } return "one"; })($json.count)', 'some'],
  ['$json.lines.map(line => { const { sku, price: p } = line; return `${sku}${p}`; }).join()', 'x3,y8'],
  ['$json.lines.filter(({ price }) => price > 5)[0].sku', 'y'],
  ['Object.entries({ a: 1, b: 2 }).map(([k, v]) => `${k}${v}`)', ['a1', 'b2']],
  ['Object.entries($json.one).map(([k, v]) => `${k}=${v}`)', ['a=1']],
  ['Object.fromEntries($json.lines.map(l => [l.sku, l.price]))', { x: 3, y: 8 }],
  ['Object.assign({}, $json.one, { b: 2 })', { a: 1, b: 2 }],
  ['// the price\n$json.price /* net */ * 2;', 25],
  ['[...$json.tags, "d"].length', 4],
  ['[...[1, 2], 3]', [1, 2, 3]],
  ['Math.max(...$json.lines.map(l => l.price))', 8],
  ['$json.lines.reduce((sum, l) => sum + l.price, 1)', 12],
  ['$json.lines.flatMap(l => [l.sku, l.price])', ['x', 3, 'y', 8]],
  ['$json.lines.sort((a, b) => b.price - a.price)[0].sku', 'y'],
  ['$json.tags.indexOf("c") + "abc".indexOf("c") + $json.tags.indexOf("z")', 3],
  ['"7".padStart(3, "0")', '007'],
  ['"a/b/c".split("/").pop()', 'c'],
  ['"abc"[1] + $json.tags["0"]', 'ba'],
  ['Math.trunc(-1.5) + Math.pow(2, 3)', 7],
  ['$json.mail.extractEmail()', 'ada+shop@example.com'],
  ['"https://www.example.com/a?b".extractDomain()', 'www.example.com'],
  ['$json.one.hasOwnProperty("a") && !$json.one.hasOwnProperty("b")', true],
  ['$jmespath($json, "lines[*].sku")', ['x', 'y']],
  // Nodes of lists, and of the first items.
  ['$item("0").$node["Get user"].json["email"]', 'ada@example.com'],
  ['$item(1).$node["Rows"].json.id', 2],
  ['$node["Get user"].data["email"]', 'ada@example.com'],
  ["$('Looped').item.json.id", 2],
  ['$(`Get user`).first().json.email', 'ada@example.com'],
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
    expect(code('$now.setZone("Europe/Vienna").plus(1, "day").toFormat("HH")')).toBe(
      '$formatDate($addTime($now(), 1, "days"), "HH", "Europe/Vienna")',
    );
    expect(code('$now.diff(DateTime.fromISO($json.at), "days").days')).toBe('$diffTime(input.at, $now(), "days")');
    expect(code('$now.toLocaleString(DateTime.DATE_FULL)')).toBe('$formatDate($now(), "MMMM d, yyyy")');
    expect(code('new Date($json.at).getMonth()')).toBe('$number($formatDate(input.at, "M")) - 1');
    expect(code('$json.text.hash("sha256")')).toBe('$hash(input.text & "", "sha256")');
  });

  it('finds the item of another list by the number of its own', () => {
    const rows = new Map([['Rows', 'nodes.sorted']]);
    const each = { ...scope, json: '$item', index: '$index', rows };
    expect(converted("$('Rows').item.json.id", each).code).toBe('($key := $index; (nodes.sorted)[$key]).id');
  });

  it('names what it needs', () => {
    needs.length = 0;
    expect(code('$env.API_KEY')).toBe('vars.API_KEY');
    expect(needs).toEqual(['It reads the variable API_KEY: create it under Settings, Variables.']);
  });

  it.each([
    '$("Nobody").item.json.a',
    '$("Rows").item.json.id',
    '$json.text.match(/(?=a)a+/)',
    String.raw`$json.text.match(/(a)\1/)`,
    '$json.text.replace(/a*/, "")',
    '$json.text.match(/(?:a{90}){90}/)',
    '$json.text.match(/[/)',
    '(() => { $json.a = 1; return 1; })()',
    '(() => { if ($json.a) { $json.b } return 1; })()',
    '(() => { for (const a of $json.tags) { return a; } })()',
    `(() => { ${'const a = 1; '.repeat(40)} return a; })()`,
    'function () {}',
    '$json.items.reduce(sum)',
    '$binary.data',
    '$secrets.vault.key',
    '$jmespath($json, "a[?b]")',
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
    expect(() => code(source)).toThrow(UnsupportedSyntaxError);
  });
});
