import { describe, expect, it } from 'vitest';
import { resolve } from './resolve';

const scope = {
  input: { name: 'Ada', lines: [{ n: 1 }, { n: 2 }] },
  nodes: { fetch: { body: { id: 7 } } },
  execution: { id: 'exec_1', workflowId: 'wf_1', input: {} },
};
const value = async (text: string, isBare = false) => {
  const outcome = await resolve(text, scope, isBare);
  return 'value' in outcome ? outcome.value : outcome;
};

describe('resolve', () => {
  it('keeps the type of one expression, and makes text of several', async () => {
    expect(await value('{{ nodes.fetch.body.id }}')).toBe(7);
    expect(await value('Hello {{ input.name }} no. {{ nodes.fetch.body.id }}')).toBe('Hello Ada no. 7');
    expect(await value('{{ {"a": {"b": 1}} }}')).toEqual({ a: { b: 1 } });
  });

  it('reads bare JSONata where a field is one', async () => {
    expect(await value('$sum(input.lines.n)', true)).toBe(3);
    expect(await value('{{ input.name }}', true)).toBe('Ada');
  });

  it('says what is wrong and where', async () => {
    expect(await resolve('{{ input.', scope, false)).toMatchObject({ position: 0 });
    expect(await resolve('input.name +', scope, true)).toMatchObject({ problem: expect.any(String) as string });
  });
});
