import { expect, test } from 'vitest';
import {
  cellValue,
  inferColumns,
  formatCsvHeader,
  formatCsvLine,
  findLists,
  appendPathStep,
  tableCellText,
  SCALAR_COLUMN,
} from './table-data';

const csvOf = (rows: unknown[], columns: string[]) =>
  [formatCsvHeader(columns), ...rows.map((row) => formatCsvLine(row, columns))].join('\r\n');

test('finds the lists inside a value, the outermost first', () => {
  const value = { status: 200, body: { items: [{ id: 1 }], 'odd name': [2], none: [] }, tags: ['a'] };
  expect(findLists(value).map(({ path }) => path)).toEqual(['tags', 'body.items', 'body.`odd name`']);
  expect(findLists([[1], [2]])).toEqual([{ path: '', rows: [[1], [2]] }]);
  expect(findLists('text')).toEqual([]);
  expect(findLists(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, [i]])))).toHaveLength(50);
});

test('a path quotes names that are no JSONata names', () => {
  expect(appendPathStep('input', 'a b')).toBe('input.`a b`');
  expect(appendPathStep('', 'a')).toBe('a');
  expect(appendPathStep('input', '3', true)).toBe('input[3]');
});

test('columns are the fields of all rows; a row that is no object has one value', () => {
  const rows = [{ a: 1 }, { b: 2, a: 3 }, 'text', null, [1]];
  expect(inferColumns(rows)).toEqual(['a', 'b', SCALAR_COLUMN]);
  expect(rows.map((row) => tableCellText(cellValue(row, SCALAR_COLUMN)))).toEqual(['', '', 'text', '', '[1]']);
  expect(cellValue({}, 'toString')).toBeUndefined();
});

test('texts of CSV are no formulas', () => {
  expect(csvOf([{ a: '=1+1' }, { a: '-x' }, { a: -5 }, { a: "'=1" }], ['a'])).toBe("a\r\n'=1+1\r\n'-x\r\n-5\r\n''=1");
});

test('CSV quotes separators, quotes and line breaks', () => {
  const rows = [{ a: 'x,y', b: 'say "hi"' }, { a: 'two\nlines', b: { c: 1 } }, { b: null }];
  expect(csvOf(rows, ['a', 'b'])).toBe('a,b\r\n"x,y","say ""hi"""\r\n"two\nlines","{""c"":1}"\r\n"",');
});
