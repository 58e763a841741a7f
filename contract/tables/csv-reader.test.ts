import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UniqueColumnNames, CsvReader, type CsvReaderOptions, type CsvRecord } from './csv-reader';
import { formatCsvRow } from './csv-text';

function recordsOf(text: string, format: CsvReaderOptions = {}, size = text.length || 1): CsvRecord[] {
  const records: CsvRecord[] = [];
  const reader = new CsvReader(format, (record) => records.push(record));
  for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
  reader.end();
  return records;
}

const rowsOf = (text: string, format?: CsvReaderOptions) => recordsOf(text, format).map(({ cells }) => cells);

describe('quotes are read as spreadsheet programs read them', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\n5" pipe,x\n6,"y, z"',
      [
        ['a', 'b'],
        ['5" pipe', 'x'],
        ['6', 'y, z'],
      ],
    ],
    [
      'a,b\n"say ""hi""",2',
      [
        ['a', 'b'],
        ['say "hi"', '2'],
      ],
    ],
    [
      'a,b\n"x"y "z",2',
      [
        ['a', 'b'],
        ['xy "z"', '2'],
      ],
    ],
    [
      'a,b\n"x" ,2',
      [
        ['a', 'b'],
        ['x ', '2'],
      ],
    ],
    [
      'a,b\n x "y",""',
      [
        ['a', 'b'],
        [' x "y"', ''],
      ],
    ],
    [
      'a,b\n12" x 5",1',
      [
        ['a', 'b'],
        ['12" x 5"', '1'],
      ],
    ],
    [
      'a,b\n"two\r\nlines",1',
      [
        ['a', 'b'],
        ['two\r\nlines', '1'],
      ],
    ],
  ])('%j', (text, rows) => expect(rowsOf(text)).toEqual(rows));

  test('a quote that is never closed is an error at its line', () => {
    expect(() => rowsOf('a,b\n1,2\n3,"x\ny\n')).toThrow('A quote is opened and never closed (line 3)');
  });
});

describe('the delimiter is found', () => {
  test.each(['\n', '\r\n', '\r'])('behind thousands of empty lines that end with %j', (end) => {
    const text = `${end.repeat(20_000)}a;b${end}1;2,5${end}`;
    for (const size of [text.length, 1000, 4097])
      expect(recordsOf(text, {}, size).map(({ cells, line, row }) => [cells, line, row])).toEqual([
        [['a', 'b'], 20_001, 20_001],
        [['1', '2,5'], 20_002, 20_002],
      ]);
    expect(recordsOf(`\ufeff${text}`)[0]?.cells).toEqual(['a', 'b']);
  });

  test.each<[string, string[]]>([
    ['size;name\n1;"a;b"', ['size', 'name']],
    ['name;price\nA;1,5\nB;2,25\n', ['name', 'price']],
    ['1,5;2,5\n3,5;4,5', ['1,5', '2,5']],
    ['sep=;\na;b,c\n', ['a', 'b,c']],
    ['\ufeffSEP=|\r\na|b;c;d\r\n', ['a', 'b;c;d']],
    ['sep=\t\na\tb,c,d', ['a', 'b,c,d']],
    ['id\ttext\n1\tHello, world; again\n2\tBye, now', ['id', 'text']],
    ['a|b\n1,2|3\n4|5', ['a', 'b']],
    ['Sales, all of 2024\n\nid;name;x\n1;a;2\n2;b;3', ['Sales, all of 2024']],
    ['id,tags\n1,"x;y;z"\n2,"x;y;z"', ['id', 'tags']],
    ['a,"b;c;d"\n1,"x;y;z"', ['a', 'b;c;d']],
    ['name\nAnn; B\nBob', ['name']],
    ['5";x\n6";y', ['5"', 'x']],
  ])('%j', (text, first) => expect(rowsOf(text)[0]).toEqual(first));

  test('a line that names it is no row, also beside a given one', () => {
    expect(rowsOf('sep=;\na,b', { delimiter: ',' })).toEqual([['a', 'b']]);
    expect(rowsOf('"sep=;"\nx')).toEqual([['sep=;'], ['x']]);
  });
});

test('lines end with LF, CR LF or CR; rows without a value are passed over and counted', () => {
  const text = 'a;b\r\n\r\n;;\r1;2\n"";\n\n3;"4\n5"\r\n6';
  expect(recordsOf(text).map(({ cells, line, row }) => [cells.join('|'), line, row])).toEqual([
    ['a|b', 1, 1],
    ['1|2', 4, 4],
    ['|', 5, 5],
    ['3|4\n5', 7, 7],
    ['6', 9, 8],
  ]);
});

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r', ' ', '1', '=', '\ufeff', 'é', "'") }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('sep=;', '2023', '__proto__', ''),
);

test('what is written is read as it was, by any reader of parts', () => {
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(fc.oneof(cell, fc.constant(null)), { minLength: width, maxLength: width }), { minLength: 1 }),
    );
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(',', ';', '\t', '|', '::'),
      fc.integer({ min: 1, max: 7 }),
      (rows, delimiter, size) => {
        const text = rows.map((row) => `${formatCsvRow(row, delimiter)}\r\n`).join('');
        const expected = rows.map((row) => row.map((one) => one ?? ''));
        expect(recordsOf(text, { delimiter }, size).map(({ cells }) => cells)).toEqual(expected);
        expect(recordsOf(text, { delimiter }).map(({ isQuoted }) => isQuoted.length)).toEqual(
          rows.map((row) => row.length),
        );
      },
    ),
  );
});

test('a text in parts has the rows of the whole text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (all, size) => {
      const read = (parts?: number) => {
        try {
          return recordsOf(all, { delimiter: ',' }, parts);
        } catch (error) {
          return String(error);
        }
      };
      expect(read(size)).toEqual(read());
    }),
  );
});

test('names of columns are each there once, in linear time', () => {
  const names = new UniqueColumnNames({
    cells: ['a', '', 'a', ' a ', 'a_2', '2024', '2023', ' b'],
    isQuoted: [false, false, false, false, false, false, false, true],
  });
  names.extend(9);
  expect(names.names).toEqual(['a', 'column_2', 'a_2', 'a_3', 'a_2_2', '2024', '2023', ' b', 'column_9']);
  const many = new UniqueColumnNames({ cells: Array.from({ length: 200_000 }, () => 'x') }).names;
  expect(new Set(many).size).toBe(200_000);
});
