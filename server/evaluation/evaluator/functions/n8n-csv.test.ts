import { expect, it } from 'vitest';
import { readN8nCsvFile, readN8nCsvRows, type CsvOptions } from './n8n-csv';

const DEFAULTS: CsvOptions = {
  delimiter: ',',
  hasNames: true,
  fromLine: 0,
  most: -1,
  relaxesQuotes: false,
  skipsFaults: false,
};
const read = (text: string, options: Partial<CsvOptions> = {}) => readN8nCsvRows(text, { ...DEFAULTS, ...options });

it('reads fields in quotes, with delimiters, quotes and lines in them', () => {
  expect(read('a,b\r\n"x, ""y""\r\nz",1\r\n\r\n,""')).toEqual([
    { a: 'x, "y"\r\nz', b: '1' },
    { a: '', b: '' },
  ]);
  expect(read('a||b\n1||2', { delimiter: '||', hasNames: false })).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

it('reads quotes at any place of a cell', () => {
  const rows = [
    ['a', '"', 'x"","y'],
    ['"b"', ',', 'c"'],
    ['', '""', 'd'],
  ];
  const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
  expect(read(text, { hasNames: false })).toEqual(rows);
  expect(read('"a"\n"\n"\n"b"', { hasNames: false })).toEqual([['a'], ['\n'], ['b']]);
});

it('ends lines as the first line ends', () => {
  expect(read('a,b\n1,2\r\n3,"4"\n')).toEqual([
    { a: '1', b: '2\r' },
    { a: '3', b: '4' },
  ]);
  expect(read('a\r1\r\n2')).toEqual([{ a: '1' }, { a: '\n2' }]);
});

it('reads files in the encodings of Node.js, with or without their byte order mark', () => {
  const readFile = (
    text: string,
    encoding: BufferEncoding,
    more: Partial<CsvOptions & { leavesMarkOut: boolean }> = {},
  ) =>
    readN8nCsvFile(Buffer.from(text, encoding).toString('base64'), {
      ...DEFAULTS,
      encoding,
      leavesMarkOut: false,
      ...more,
    });
  expect(readFile('ä\n€', 'utf8')).toEqual([{ ä: '€' }]);
  expect(readFile('ä\nö', 'latin1')).toEqual([{ ä: 'ö' }]);
  expect(readFile('\uFEFFa\n1', 'utf16le')).toEqual([{ '\uFEFFa': '1' }]);
  expect(readFile('\uFEFFa\n1', 'utf8', { leavesMarkOut: true })).toEqual([{ a: '1' }]);
  expect(() => readFile('a', 'utf8', { delimiter: '' })).toThrow('The delimiter is empty');
  expect(() => readN8nCsvFile('', { ...DEFAULTS, encoding: 'utf-32', leavesMarkOut: false })).toThrow(
    'Unknown encoding',
  );
});

it('refuses faulty rows, or leaves them out', () => {
  expect(() => read('a,b\n1')).toThrow('Invalid Record Length: columns length is 2, got 1 on line 2');
  expect(() => read('a\n1"2')).toThrow('Invalid Opening Quote');
  expect(() => read('a\n"1"2')).toThrow('Invalid Closing Quote');
  expect(() => read('a\n"1')).toThrow('Quote Not Closed');
  expect(read('a,b\n1\n2,3', { skipsFaults: true })).toEqual([{ a: '2', b: '3' }]);
  expect(read('a\n1"2\n"3"4', { relaxesQuotes: true })).toEqual([{ a: '1"2' }, { a: '"3"4' }]);
});

it('begins at a line, and ends after a number of rows', () => {
  expect(read('x\n"a",b\n1,2\n3,4', { fromLine: 2, most: 1 })).toEqual([{ a: '1', b: '2' }]);
});

it('takes a time that grows with the text alone', () => {
  const measure = (count: number) => {
    const text = `a,b\n${'"1"2,"'.repeat(count)}`;
    const start = performance.now();
    expect(() => read(text, { relaxesQuotes: true })).toThrow();
    return performance.now() - start;
  };
  measure(1000);
  expect(measure(100_000)).toBeLessThan(2000);
});
