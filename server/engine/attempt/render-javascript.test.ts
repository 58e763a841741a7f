import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { evaluateExpressions, renderConfig } from './render';

useEvaluation();

const scope: EvaluationScope = {
  input: { n: 2, name: 'Zoë', nothing: null, list: [3, 1, 2], lines: [{ price: 1 }, { price: 2 }] },
  nodes: { 'get-it': { status: 200 }, big: new LargeJsonText(JSON.stringify({ text: 'x'.repeat(70_000) })) },
  execution: {
    id: 'exec_1',
    workflowId: 'wf_1',
    input: { n: 2 },
    trigger: { kind: 'manual', id: null, name: null },
    resumeUrls: {},
  },
  vars: { REGION: 'eu' },
};
const kind = {
  config: z.object({ subject: z.string(), count: z.number() }),
  expressions: ['expression'],
  literals: ['source'],
  markup: ['html'],
};
const context = { ...PURPOSE, nodeId: 'step', language: 'javascript' as const, kind, timeZone: 'Europe/Vienna' };
const renderField = async (value: unknown, field = 'value', within = scope) =>
  (await renderConfig({ [field]: value }, within, context))[field];

describe('a text with JavaScript', () => {
  test.each([
    ['{{ input.n }}', 2],
    ['{{ input.n + 1 }} of {{input.name}}', '3 of Zoë'],
    ['{{ {a: {b: 1}} }}', { a: { b: 1 } }],
    ['{{ {a:{b:1}}}}', { a: { b: 1 } }],
    ['{{ "}} {{" + input.name }}', '}} {{Zoë'],
    ["{{ '}}' }}{{ /* }} */ 1 }}", '}}1'],
    ['{{ `${input.n}}}` }}', '2}}'],
    ['{{ /}}/.test("}}") }}', true],
    ['{{ input.lines.map(({price}) => price) }}', [1, 2]],
    ['[{{ input.missing }}{{ input.nothing }}{{ undefined }}]', '[]'],
    ['is {{ input.lines }} {{ [new Date(0)] }}', 'is [{"price":1},{"price":2}] ["1970-01-01T00:00:00.000Z"]'],
    ['{{ const x = input.list; x.sort(); return x }}', [1, 2, 3]],
    ['{{ input.list.sort() }} {{ input.list }}', '[1,2,3] [3,1,2]'],
    ['{{ nodes["get-it"].status }} {{ vars.REGION.toUpperCase() }}', '200 EU'],
    ['{{ nodes.big.text.length }}', 70_000],
    ['{{ const {big, ...rest} = nodes; return Object.keys(rest) }}', ['get-it']],
    ['{{ execution.workflowId.length + input?.missing?.more }}', undefined],
    ['{{ input === nodes }}', false],
    ['{{ DateTime.fromISO("2026-07-01T12:00:00").toISO() }}', '2026-07-01T12:00:00.000+02:00'],
  ])('%s', async (text, value) => {
    expect(await renderField(text)).toEqual(value);
  });

  test('each value of an object is rendered, and texts are escaped in HTML', async () => {
    expect(await renderField({ a: ['{{ input.n * 2 }}'], b: 'x' })).toEqual({ a: [4], b: 'x' });
    expect(await renderField('<p>{{ "<b>" }} {{ {a: {b: "<i>"}} }}</p>', 'html')).toBe(
      '<p>&lt;b&gt; {&quot;a&quot;:{&quot;b&quot;:&quot;&lt;i&gt;&quot;}}</p>',
    );
    expect(await renderField('plain {{ {a: {b: "<i>"}}.a.b }}', 'html')).toBe('plain <i>');
  });

  test('a bare field is an expression, statements, or one expression in braces', async () => {
    expect(await renderField('input.n > 1', 'expression')).toBe(true);
    expect(await renderField('if (input.n > 1) return "more"; return "less"', 'expression')).toBe('more');
    expect(await renderField('{{ input.n }}', 'expression')).toBe(2);
    expect(await renderField('{a: input.n, b: undefined}', 'expression')).toEqual({ a: 2 });
  });

  test('a scope of its own has its names only, and may have `arguments`', async () => {
    const own = { output: undefined, index: 3, arguments: { amount: 5 } };
    const { kind: _, ...place } = context;
    const evaluate = async (source: string) => (await evaluateExpressions({ x: source }, own, place))['x'];
    expect(await evaluate('index + 1')).toBe(4);
    expect(await evaluate('output?.status')).toBeUndefined();
    expect(await evaluate('arguments.amount > 4')).toBe(true);
    expect(await evaluate('[arguments.amount].map((x) => x + arguments.amount)[0]')).toBe(10);
    await expect(evaluate('typeof input + input')).rejects.toMatchObject({ code: 'EXPRESSION' });
  });
});

test.each([
  ['{{ input.missing.more }}', /TypeError: .*at position 1[0-9] of "input\.missing\.more"/],
  ['{{ input.n', /"\{\{" is not closed/],
  ['{{ input.n + }}', /Unexpected token/],
  ['{{ () => 1 }}', /The result is a function/],
  ['{{ await 1 }}', /./],
  ['{{ for (;;); return 1 }}', /CPU time/],
])('%s fails with its place', async (text, message) => {
  await expect(async () => renderField(text)).rejects.toMatchObject({
    message: expect.stringMatching(message) as string,
    by: { expression: { field: 'config.value' } },
  });
});
