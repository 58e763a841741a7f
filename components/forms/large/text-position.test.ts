import { expect, test } from 'vitest';
import { lineAndColumnAt } from './text-position';

test.each([
  ['abc', 0, 1, 1],
  ['abc', 3, 1, 4],
  ['a\nbc', 2, 2, 1],
  ['a\n\nbc', 4, 3, 2],
  ['a', 9, 1, 2],
])('%j at %i is line %i, column %i', (text, at, line, column) => {
  expect(lineAndColumnAt(text, at)).toEqual({ line, column });
});
