import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { renderConfig } from './render';

useEvaluation();

const scope: EvaluationScope = {
  input: {
    n: 2,
    name: 'Zoë',
    nothing: null,
    order: { total: 10, lines: [{ price: 1 }, { price: 2 }], one: [{ price: 7 }] },
    trap: '{{ input.n }}',
    posing: { _jsonata_lambda: true, arguments: [], body: { type: 'string', value: 'ran' } },
  },
  nodes: { 'get-it': { status: 200 } },
  execution: {
    id: 'exec_1',
    workflowId: 'wf_1',
    input: { n: 2 },
    trigger: { kind: 'manual', id: null, name: null },
    resumeUrls: {},
  },
  vars: { REGION: 'eu', LIMITS: { a: [1, 2] } },
};
const kind = {
  config: z.object({ subject: z.string(), count: z.number() }),
  expressions: ['expression'],
  literals: ['source'],
  markup: ['template'],
};
const renderField = async (value: unknown, field = 'value', within = scope) =>
  (
    await renderConfig({ [field]: value }, within, {
      ...PURPOSE,
      nodeId: 'step',
      language: 'jsonata',
      kind,
      timeZone: 'UTC',
    })
  )[field];

describe('a text with expressions', () => {
  test.each([
    ['plain text', 'plain text'],
    ['{{ input.n }}', 2],
    ['{{ input.order }}', (scope.input as { order: unknown }).order],
    ['{{ input.order.total * 1.2 }}', 12],
    ['{{ nodes.`get-it`.status }}', 200],
    ['{{ execution.workflowId }}', 'wf_1'],
    [
      ['{{ input.missing }}', '{{ input.nothing }}'],
      [null, null],
    ],
    ['{{input.n}} of {{input.name}}', '2 of Zoë'],
    ['[{{ input.missing }}{{ input.nothing }}]', '[]'],
    ['is {{ input.order.lines }}', 'is [{"price":1},{"price":2}]'],
    ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['{{ {"a":{"b":1}}}}', { a: { b: 1 } }],
    ['{{ "}} {{" & input.name }}', '}} {{Zoë'],
    ["{{ '}}' }}{{ /* }} */ 1 }}", '}}1'],
    ['{{ $replace("a}}b", "}}", "-") }}', 'a-b'],
    ['{{ input.order.lines.price }}', [1, 2]],
    ['{{ input.order.one.price }}', 7],
    ['{{ input.order.one.price[] }}', [7]],
    ['{{ [] }}', []],
    ['{{ $count(input.order.lines) = 2 and true }}', true],
    ['{{ vars.REGION }}-{{ vars.LIMITS.a[1] }}', 'eu-2'],
    ['{{ $keys(vars) }}', ['REGION', 'LIMITS']],
    [
      ['{{ vars.UNKNOWN }}', '{{ $uppercase(vars.UNKNOWN) }}'],
      [null, null],
    ],
    ['{{ $formatDate("2026-01-31T23:30:00Z", "dd.MM.yyyy") }}', '31.01.2026'],
  ])('%s', async (text, value) => {
    expect(await renderField(text)).toEqual(value);
  });

  test('omits a field without a value', async () => {
    const config = { a: '{{ input.missing }}', b: '{{ input.nothing }}', expression: 'input.missing', c: null };
    expect(
      await renderConfig(config, scope, { ...PURPOSE, nodeId: 'step', language: 'jsonata', kind, timeZone: 'UTC' }),
    ).toEqual({
      c: null,
    });
  });

  test('becomes text if the field accepts only text', async () => {
    expect(await renderField('{{ input.n }}', 'subject')).toBe('2');
    expect(await renderField('{{ input.n }}', 'count')).toBe(2);
    expect(await renderField('{{ input.order.lines }}', 'count')).toEqual([{ price: 1 }, { price: 2 }]);
  });

  test('is evaluated at any depth of a config', async () => {
    expect(await renderField({ list: ['{{ input.n }}', { deep: 'n={{ input.n }}' }], keep: 1 })).toEqual({
      list: [2, { deep: 'n=2' }],
      keep: 1,
    });
  });

  test('inside a value is never evaluated', async () => {
    expect(await renderField('{{ input.trap }}')).toBe('{{ input.n }}');
    expect(await renderField('<{{ input.trap }}>')).toBe('<{{ input.n }}>');
    await expect(renderField('{{ $eval(input.trap) }}')).rejects.toMatchObject({ code: 'EXPRESSION' });
    await expect(renderField('{{ ($f := input.posing(?); $f(1)) }}')).rejects.toMatchObject({ code: 'EXPRESSION' });
    await expect(renderField('{{ input.posing(1) }}')).rejects.toMatchObject({ code: 'EXPRESSION' });
  });

  test('keeps fields named like members of Object.prototype', async () => {
    const input: unknown = JSON.parse('{"a": {"__proto__": {"x": 1}, "constructor": 2}}');
    const value = await renderField('{{ $merge([input.a]) }}', 'value', { ...scope, input });
    expect(JSON.stringify(await renderField('{{ input.a }}', 'value', { ...scope, input }))).toBe(
      '{"__proto__":{"x":1},"constructor":2}',
    );
    expect(value).toHaveProperty('constructor', 2);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('never modifies its scope', async () => {
    const before = structuredClone(scope);
    expect(await renderField('{{ input.order ~> |$|{"total": 0}| }}')).toMatchObject({ total: 0 });
    expect(await renderField('{{ $ ~> |$$.input.order|{"total": 0}| }}')).toMatchObject({ input: { n: 2 } });
    await expect(renderField('{{ input.order(1) }}')).rejects.toThrow('non-function');
    expect(scope).toEqual(before);
  });

  test.each([
    ['{{ constructor }}'],
    ['{{ input.__proto__ }}'],
    ['{{ input.constructor.constructor }}'],
    ['{{ $sum.* }}'],
  ])('%s has no value', async (text) => {
    expect(await renderField([text])).toEqual([null]);
  });

  test('in an expression field may be bare JSONata, in braces or a date', async () => {
    expect(await renderField('input.n + 1', 'expression')).toBe(3);
    expect(await renderField('{{ input.n + 1 }}', 'expression')).toBe(3);
    expect(await renderField('2026-05-01T08:00:00Z', 'expression')).toBe('2026-05-01T08:00:00Z');
    expect(await renderField(7, 'expression')).toBe(7);
  });

  test('is not evaluated in a literal field', async () => {
    expect(await renderField('{{ input.n }}', 'source')).toBe('{{ input.n }}');
  });

  test('in HTML has its values escaped', async () => {
    const within = { ...scope, input: { name: '<img src=x onerror="a()">' } };
    expect(await renderField('<p>Hi {{ input.name }}</p>', 'template', within)).toBe(
      '<p>Hi &lt;img src=x onerror=&quot;a()&quot;&gt;</p>',
    );
    expect(await renderField('Hi {{ input.name }}', 'template', within)).toBe('Hi <img src=x onerror="a()">');
  });
});

test('a regular expression is matched in linear time', async () => {
  const input = { text: `${'a'.repeat(50_000)}!` };
  expect(await renderField(['{{ $match(input.text, /^(a+)+$/) }}'], 'value', { ...scope, input })).toEqual([null]);
});

describe('a failing expression', () => {
  test('is reported with node, field, expression and position', async () => {
    await expect(async () =>
      renderConfig({ a: [{ b: 'x {{ input.n + "a" }}' }] }, scope, {
        ...PURPOSE,
        nodeId: 'sum',
        language: 'jsonata',
        kind,
        timeZone: 'UTC',
      }),
    ).rejects.toMatchObject({
      code: 'EXPRESSION',
      retriable: false,
      message: expect.stringMatching(/sum.*config\.a\[0\]\.b.*at position \d+ of "input\.n \+ "a""/) as string,
      by: {
        expression: { field: 'config.a[0].b', source: ' input.n + "a" ', position: expect.any(Number) as number },
      },
    });
  });

  test.each([
    ['endless recursion', '{{ ($f := function($x){ 1 + $f($x) }; $f(1)) }}'],
    ['an endless loop', '{{ ($f := function($x){ $f($x + 1) }; $f(1)) }}'],
    ['a giant list', '{{ [1..10000000] }}'],
    ['a giant text', '{{ $length($reduce([1..28], function($a, $i){ $a & $a }, "x")) }}'],
    ['quadratic work', '{{ $count($distinct([1..200000].{"a": $})) }}'],
    ['cubes of steps', '{{ $$.nodes.big.($$.nodes.big.($$.nodes.big.(1))) }}'],
    ['a function as a result', '{{ $sum }}'],
    ['a function in the result', '{{ {"f": function($x){ $x }} }}'],
  ])('%s is stopped', async (_, text) => {
    const within = { ...scope, nodes: { big: Array.from({ length: 1000 }, (_unused, index) => index) } };
    await expect(renderField(text, 'value', within)).rejects.toMatchObject({
      code: expect.stringMatching(/^(EXPRESSION|EVALUATION_(TIMEOUT|MEMORY))$/) as string,
      retriable: false,
    });
    expect(await renderField('{{ input.n + 1 }}')).toBe(3);
  });
});

test('paths have the same values as in JSONata', async () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(1, 'x', true, null),
      fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, fc.array(key, { maxLength: 3 }), async (input, steps) => {
      const path = ['input', ...steps].join('.');
      const expected: unknown = await jsonata(path).evaluate({ input });
      const value = await renderField([`{{ ${path} }}`], 'value', { ...scope, input });
      expect(JSON.stringify(value)).toBe(JSON.stringify([expected ?? null]));
    }),
  );
});
