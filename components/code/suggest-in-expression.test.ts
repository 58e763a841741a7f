import { describe, expect, it } from 'vitest';
import { suggestInExpression } from './suggest-in-expression';

const scope = {
  input: { name: 'Ada', 'post code': '1010', lines: [{ price: 3, tags: ['a'] }] },
  nodes: { fetch: { body: { id: 7 } }, later: undefined },
  execution: { id: 'exec_1' },
};
const labels = (before: string) => suggestInExpression(before, scope)?.options.map(({ label }) => label);

describe('completion in an expression', () => {
  it('follows the current data, through lists as JSONata does', () => {
    expect(labels('')).toEqual(['input', 'nodes', 'execution']);
    expect(labels('i')).toEqual(['input', 'nodes', 'execution']);
    expect(labels('input.')).toEqual(['name', 'post code', 'lines']);
    expect(labels('1 + nodes.fe')).toEqual(['fetch', 'later']);
    expect(labels('nodes.fetch.body.')).toEqual(['id']);
    expect(labels('$sum(input.lines[price > 2].')).toEqual(['price', 'tags']);
    expect(labels('input.`post code`.')).toBeUndefined();
    expect(labels('nodes.later.')).toBeUndefined();
  });

  it('quotes names that are no identifiers, and shows a short value', () => {
    const { from, options = [] } = suggestInExpression('input.po', scope) ?? {};
    expect(from).toBe(6);
    expect(options[0]).toEqual({ label: 'name', text: 'name', detail: '"Ada"' });
    expect(options[1]).toMatchObject({ label: 'post code', text: '`post code`' });
    expect(options[2]).toMatchObject({ label: 'lines', detail: 'list of 1' });
  });

  it('offers functions, and nothing for unknown paths', () => {
    expect(labels('$su')).toContain('$sum');
    expect(suggestInExpression('$formatD', scope)?.options.find(({ label }) => label === '$formatDate')).toMatchObject({
      detail: '(value, pattern, zone)',
      help: expect.stringContaining('yyyy-MM-dd') as string,
    });
    expect(labels('foo().')).toBeUndefined();
    expect(labels('unknown.')).toBeUndefined();
    expect(labels('input.constructor.')).toBeUndefined();
  });
});
