import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertedHere, failureOf, spreadsheet } from './testing/convert';

useEvaluation();

const numbers = (values: number[], style: number) =>
  values.map((value) => `<row><c s="${style}"><v>${value}</v></c></row>`).join('');
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const cellsOf = async (file: Buffer) =>
  ((await converted('xlsx', 'json', file, { header: false })) as unknown[][]).map(([cell]) => cell);

it('reads every second of a day as it is, also from numbers that programs cut off', async () => {
  const seconds = Array.from({ length: 1440 * 2 }, (_, index) => index * 30 + 1);
  const sheet = seconds.map((second) => `<row><c s="1"><v>${(45292 + second / 86_400).toFixed(10)}</v></c></row>`);
  const expected = seconds.map((second) => new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString());
  expect(await cellsOf(spreadsheet(sheet.join(''), { formats: ['yyyy\\-mm\\-dd hh:mm:ss'] }))).toEqual(expected);
});

it('reads dates of both systems, times of day and durations', async () => {
  const file = (values: number[], format: number | string, is1904 = false) =>
    cellsOf(spreadsheet(numbers(values, 1), { formats: [format], is1904 }));
  expect(await file([1, 59, 60, 61, 45_292.5, 2_958_465], 14)).toEqual([
    '1900-01-01T00:00:00.000Z',
    '1900-02-28T00:00:00.000Z',
    '1900-02-28T00:00:00.000Z',
    '1900-03-01T00:00:00.000Z',
    '2024-01-01T12:00:00.000Z',
    '9999-12-31T00:00:00.000Z',
  ]);
  expect(await file([0, 43_830], 14, true)).toEqual(['1904-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z']);
  expect(await file([0, 0.5, 0.354166666666667, 0.000011574], 20)).toEqual([
    '00:00:00',
    '12:00:00',
    '08:30:00',
    '00:00:01',
  ]);
  expect(await file([45_292.75], 'hh:mm')).toEqual(['2024-01-01T18:00:00.000Z']);
  expect(await file([1.5, 0.25, -0.0625, 100.000694444], '[h]:mm:ss')).toEqual([
    '36:00:00',
    '06:00:00',
    '-01:30:00',
    '2400:01:00',
  ]);
  expect(await file([1.5], 46)).toEqual(['36:00:00']);
  expect(await file([-1, 3_000_000], 14)).toEqual([-1, 3_000_000]);
});

describe('a format is that of a date by its letters alone', () => {
  it.each([
    ['0.00\\ [Red]', 45_292],
    ['&quot;Day&quot;\\ 0', 45_292],
    ['#,##0&quot; h&quot;', 45_292],
    ['0.00E+00', 45_292],
    ['General', 45_292],
    ['#,##0 &quot;mdy&quot;;[Red]-0', 45_292],
    ['[$-409]d\\-mmm\\-yy;@', '2024-01-01T00:00:00.000Z'],
    ['[$-F800]dddd, mmmm dd, yyyy', '2024-01-01T00:00:00.000Z'],
    ['mmm', '2024-01-01T00:00:00.000Z'],
    ['h:mm AM/PM', '2024-01-01T00:00:00.000Z'],
  ])('%s', async (format, value) => {
    expect(await cellsOf(spreadsheet(numbers([45_292], 1), { formats: [format] }))).toEqual([value]);
  });
});

it('reads the kinds of cells: shared, rich and inline texts, truth values, errors, results of formulas', async () => {
  const row = [
    '<c t="s"><v>0</v></c>',
    '<c t="s"><v>1</v></c>',
    text('a &amp;\n b_x000D_'),
    '<c t="b"><v>1</v></c>',
    '<c t="e"><v>#DIV/0!</v></c>',
    '<c t="str"><f>A1&amp;"x"</f><v>x</v></c>',
    '<c><f>1+1</f><v>2</v></c>',
    '<c><f>NOW()</f></c>',
    '<c><v>0.25</v></c>',
    '<c><v>7615917337495251231</v></c>',
    '<c t="d"><v>2024-01-31T08:30:00</v></c>',
  ].join('');
  const texts = [
    '<t xml:space="preserve"> x </t>',
    '<r><t>Mü</t></r><r><rPr/><t>ller</t></r><rPh><t>reading</t></rPh>',
  ];
  expect(await converted('xlsx', 'json', spreadsheet(`<row>${row}</row>`, { texts }), { header: false })).toEqual([
    [
      ' x ',
      'Müller',
      'a &\n b\r',
      true,
      '#DIV/0!',
      'x',
      2,
      null,
      0.25,
      '7615917337495251231',
      '2024-01-31T08:30:00.000Z',
    ],
  ]);
});

describe('a table begins anywhere', () => {
  const header = `<row r="3"><c r="B3" t="inlineStr"><is><t>name</t></is></c><c r="D3" t="inlineStr"><is><t>2024</t></is></c></row>`;
  const gaps = `<row r="1"/>${header}<row r="5"><c r="B5"><v>1</v></c><c r="D5"><v>2</v></c></row><row r="6"><c r="A6" s="1"/></row><row r="9"><c r="D9"><v>3</v></c></row>`;

  it('after empty rows and columns, with empty rows inside', async () => {
    const rows = [
      { name: 1, 2024: 2 },
      { name: null, 2024: 3 },
    ];
    expect(await converted('xlsx', 'json', spreadsheet(gaps))).toEqual(rows);
    expect(await converted('xlsx', 'csv', spreadsheet(gaps))).toBe('name,2024\n1,2\n,3\n');
  });

  it('below a title, in the row that the option names', async () => {
    const title = spreadsheet(`<row r="1">${text('Report of 2024')}</row>${gaps.replace('<row r="1"/>', '')}`);
    expect(await converted('xlsx', 'csv', title, { headerRow: 3 })).toBe('name,2024\n1,2\n,3\n');
    expect(await failureOf(converted('xlsx', 'json', title, { headerRow: 2 }))).toBe(
      'CONVERT_FAILED: options.headerRow: row 2 is empty, or there is none.',
    );
    expect(await failureOf(converted('xlsx', 'json', title, { headerRow: 99 }))).toMatch(/row 99 is empty/);
    expect(await failureOf(converted('xlsx', 'json', title, { headerRow: 1, header: false }))).toMatch(
      /options.header/,
    );
  });

  it('also without references, and with prefixes of names', async () => {
    const bare = `<row>${text('a')}${text('b')}</row><row><c><v>1</v></c><c><v>2</v></c></row>`;
    expect(await converted('xlsx', 'json', spreadsheet(bare))).toEqual([{ a: 1, b: 2 }]);
    const prefixed = bare.replaceAll(/<(\/?)(\w)/g, '<$1x:$2');
    expect(await converted('xlsx', 'json', spreadsheet(prefixed))).toEqual([{ a: 1, b: 2 }]);
  });
});

describe('what is no spreadsheet is refused in words', () => {
  const archive = (files: Record<string, string>) =>
    Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)]))));
  const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Buffer.alloc(600)]);
  it.each<[string, Buffer, RegExp]>([
    ['xls', old, /old spreadsheet \(xls\)/],
    ['a password', Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]), /has a password/],
    ['xlsb', archive({ 'xl/workbook.bin': 'x' }), /xlsb/],
    ['ods', archive({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' }), /\(ods\)/],
    ['docx', archive({ 'word/document.xml': '<a/>' }), /Word document/],
    ['another archive', archive({ 'a.txt': 'x' }), /ZIP archive without a spreadsheet/],
    ['CSV', Buffer.from('a;b\n1;2'), /is text, not a spreadsheet.*csv/],
    ['HTML', Buffer.from('<html><table><tr><td>1'), /HTML with the name of a spreadsheet/],
    ['PDF', Buffer.from('%PDF-1.7'), /a PDF document, not a spreadsheet/],
    ['an empty file', Buffer.alloc(0), /is empty/],
    ['half a file', spreadsheet(numbers([1], 0)).subarray(0, 900), /The spreadsheet is cut off or not a ZIP archive/],
    ['a broken part', spreadsheet('<row><c><v>1</v>'), /the part xl\/worksheets\/sheet1.xml is not XML/],
    ['a text instead of a number', spreadsheet('<row><c r="A1"><v>x</v></c></row>'), /cell A1 should be a number/],
    ['a missing text', spreadsheet('<row><c r="A1" t="s"><v>7</v></c></row>'), /the text of cell A1 is missing/],
  ])('%s', async (_, file, message) => {
    expect(await failureOf(converted('xlsx', 'json', file))).toMatch(
      new RegExp(`^CONVERT_FAILED: .*(${message.source})`),
    );
  });

  it('also where a text format is expected', async () => {
    expect(await failureOf(converted('csv', 'json', spreadsheet('')))).toMatch(/The file is a ZIP archive, such as/);
    expect(await failureOf(converted('json', 'csv', Buffer.from('%PDF-1.7')))).toMatch(/The file is a PDF document/);
  });
});

it('reads back what it writes', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('_', 'x', '0', 'A', '\r', '\n', '\u0001', '<', '&', ' ', '\ud800', '=') }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Number.isInteger(one)),
    fc.boolean(),
    fc.constant(null),
  );
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).map((one) => one.trim() || 'x');
  const table = fc
    .uniqueArray(name, { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc
        .array(fc.array(value, { minLength: names.length, maxLength: names.length }), { minLength: 1, maxLength: 5 })
        .map((rows) => rows.map((cells) => Object.fromEntries(names.map((one, index) => [one, cells[index]])))),
    );
  const isEmpty = (row: object) => Object.values(row).every((cell) => cell === null || cell === '');
  const plain = (cell: unknown) => (cell === '' ? null : cell);
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const file = await convertedHere('json', 'xlsx', rows);
      const back = (await convertedHere('xlsx', 'json', file)) as Record<string, unknown>[];
      const expected = rows.filter((row) => !isEmpty(row));
      expect(back).toHaveLength(expected.length);
      for (const [index, row] of expected.entries())
        for (const [key, cell] of Object.entries(row)) expect([key, back[index]?.[key]]).toEqual([key, plain(cell)]);
    }),
  );
});
