import { expect, it } from 'vitest';
import { parseVariableText, variableToText } from './value';

it.each([['text'], ['{"a": 1}'], [''], [7], [null], [{ a: [1] }], [false]])('%j stays the same', (value) => {
  const { kind, text } = variableToText(value);
  expect(parseVariableText(kind, text)).toEqual({ value });
});

it('reports text that is no JSON', () => {
  expect(parseVariableText('json', '{a')).toEqual({ fault: expect.stringContaining('not valid JSON') as string });
});
