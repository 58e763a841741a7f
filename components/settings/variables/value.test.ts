import { expect, it } from 'vitest';
import { readValue, writtenValue } from './value';

it.each([['text'], ['{"a": 1}'], [''], [7], [null], [{ a: [1] }], [false]])('%j stays the same', (value) => {
  const { kind, text } = writtenValue(value);
  expect(readValue(kind, text)).toEqual({ value });
});

it('reports text that is no JSON', () => {
  expect(readValue('json', '{a')).toEqual({ fault: expect.stringContaining('not valid JSON') as string });
});
