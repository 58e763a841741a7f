import { describe, expect, it } from 'vitest';
import { suggestInJavascript } from './suggest-in-javascript';
import { describeNameAt } from './value-hover';

const scope = {
  input: { name: 'Ada', 'post code': '1010', total: 3.5, lines: [{ price: 3, tags: ['a'] }] },
  nodes: { fetch: { body: { id: 7 } }, later: undefined },
};
const labels = (before: string) => suggestInJavascript(before, scope)?.options.map(({ label }) => label);
const described = (text: string, at: number, language: 'jsonata' | 'javascript', kind: 'template' | 'expression') =>
  describeNameAt(text, at, kind, language, scope);

describe('completion of expressions in JavaScript', () => {
  it('offers the data and the objects of the language', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['input', 'nodes', 'helpers', 'DateTime', 'Intl', 'Math']));
    expect(labels('input.')).toEqual(['name', 'post code', 'total', 'lines']);
    expect(labels('{a: input.na')).toEqual(['name', 'post code', 'total', 'lines']);
    expect(labels('nodes.fetch?.body.')).toEqual(['id']);
    expect(suggestInJavascript('input.po', scope)).toMatchObject({ from: 6 });
    expect(labels('"input.')).toBeUndefined();
    expect(labels('nodes.later.')).toBeUndefined();
  });

  it.each([
    ['input.name.', 'toUpperCase'],
    ['input.name.trim().', 'split'],
    ['input.name.split(",").', 'map'],
    ['input.lines.', 'filter'],
    ['input.lines.filter(x => x.price > 1).', 'map'],
    ['input.lines.map(line => line.', 'price'],
    ['input.lines.find(l => l.price > 1)?.', 'tags'],
    ['input.lines[0].', 'tags'],
    ['input.total.', 'toFixed'],
    ['new Date().', 'toISOString'],
    ['DateTime.', 'fromISO'],
    ['DateTime.now().plus({ days: 1 }).', 'toFormat'],
    ['helpers.', 'formatDate'],
    ['helpers.formatDate(input.name).', 'slice'],
    ['Intl.', 'NumberFormat'],
    ['Math.', 'round'],
    ['`a ${input.', 'name'],
  ])('after %s offers %s', (before, label) => expect(labels(before)).toContain(label));
});

describe('the value under the pointer', () => {
  it('is described with its type, in both languages', () => {
    const text = 'Dear {{ input.name }}, {{ input.lines.price }}';
    expect(described(text, 16, 'javascript', 'template')).toEqual({
      from: 14,
      to: 18,
      path: 'input.name',
      text: 'string\n"Ada"',
    });
    expect(described(text, 16, 'jsonata', 'template')?.path).toBe('input.name');
    expect(described('input.lines', 8, 'jsonata', 'expression')?.text).toMatch(/^object\[\]\n\[/);
    expect(described('input.lines[0].price', 17, 'javascript', 'expression')?.text).toBe('number\n3');
    // JSONata maps a path over a list; in JavaScript a list has no such field.
    expect(described('input.lines.price', 13, 'jsonata', 'expression')?.text).toBe('number\n3');
    expect(described('input.lines.price', 13, 'javascript', 'expression')).toBeUndefined();
    expect(described(text, 2, 'javascript', 'template')).toBeUndefined();
  });
});
