import { expect, test } from 'vitest';
import { isReadableSource, splitText } from './parameter-source';

test.each([
  ['=a {{ x }} b', [{ text: 'a ' }, { source: 'x' }, { text: ' b' }]],
  ['=a {{ x', [{ text: 'a ' }, { source: 'x' }]],
  [String.raw`=a \{{ x }} {{ y }}`, [{ text: String.raw`a \{{ x }} ` }, { source: 'y' }]],
  [String.raw`={{ "\}}" }}`, [{ source: '"}}"' }]],
])('%s', (text, pieces) => {
  expect(splitText(text)).toEqual(pieces);
});

test.each([
  ['x // why', true],
  ['[\n// first\nx]', true],
  ['x; y', false],
  ['x) ; (y', false],
  ['const x = 1', false],
])('%j is an expression: %s', (source, isReadable) => {
  expect(isReadableSource(source)).toBe(isReadable);
});
