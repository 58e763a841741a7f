import { describe, expect, it } from 'vitest';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { buildExecutionVariables, findSyntaxProblem, previewExpression, previewJsonValue } from './preview-expression';

const scope = {
  input: { name: 'Ada', lines: [{ n: 1 }, { n: 2 }] },
  nodes: { fetch: { body: { id: 7 } } },
  execution: buildExecutionVariables({ id: 'exec_1', workflowId: 'wf_1', trigger: 'schedule', input: {} }),
};
const value = async (text: string, isBare = false) => {
  const outcome = await previewExpression(text, scope, isBare);
  return 'value' in outcome ? outcome.value : outcome;
};
/** The range of the reported error. */
const marked = async (text: string, isBare = false, language: ExpressionLanguage = 'jsonata') => {
  const found = await findSyntaxProblem(text, isBare, language);
  return found && text.slice(found.from, found.to);
};

describe('resolve', () => {
  it('keeps the type of a single expression, and joins several to text', async () => {
    expect(await value('{{ nodes.fetch.body.id }}')).toBe(7);
    expect(await value('Hello {{ input.name }} no. {{ nodes.fetch.body.id }}')).toBe('Hello Ada no. 7');
    expect(await value('{{ {"a": {"b": 1}} }}')).toEqual({ a: { b: 1 } });
  });

  it('evaluates bare JSONata', async () => {
    expect(await value('$sum(input.lines.n)', true)).toBe(3);
    expect(await value(' {{ input.name }} ', true)).toBe('Ada');
  });

  it('resolves every text of a JSON value', async () => {
    expect(await previewJsonValue({ id: '{{ nodes.fetch.body.id }}', list: ['{{ input.name }}', 1] }, scope)).toEqual({
      value: { id: 7, list: ['Ada', 1] },
    });
    expect(await previewJsonValue(['{{ $sum("x") }}'], scope)).toMatchObject({ problem: expect.any(String) as string });
  });

  it('reports an error with its range, anywhere in the text', async () => {
    expect(await marked('Dear {{ input.')).toBe('{{ input.');
    expect(await marked('Dear {{ input.name }}, {{ 1 + ) }}')).toBe(')');
    expect(await marked('input.name ) 2', true)).toBe(')');
    expect(await marked('input.name', true)).toBeUndefined();
    expect(await marked('no expression at all')).toBeUndefined();
    expect(await marked('Dear {{ input.name }}, {{ 1 + ) }}', false, 'javascript')).toBe(')');
    expect(await marked('{{ {a: {b: 1}} }} {{ `${input.a}}}` }}', false, 'javascript')).toBeUndefined();
    expect(await marked('const x = 1; return x', true, 'javascript')).toBeUndefined();
    expect(await marked('input.name ) 2', true, 'javascript')).toBe(')');
    const failed = await previewExpression('Sum: {{ $sum("text") }}', scope, false);
    expect(failed).toMatchObject({ problem: expect.any(String) as string });
  });
});
