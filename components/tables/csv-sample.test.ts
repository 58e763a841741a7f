import { describe, expect, test } from 'vitest';
import { guessColumnType, proposeEncoding, sampleColumns, parseSampleRows } from './csv-sample';

test('rows have their quoted cells, and no row that is cut off', () => {
  expect(parseSampleRows('a,b\r\n"x, ""y""\nz",\n\n1,2', true, {})).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
  ]);
  expect(parseSampleRows('Report\n\na|b\n1|2', false, { headerRow: 3, delimiter: '|' })).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

describe('a type', () => {
  test.each([
    [['1', '-2.5', ''], 'number'],
    [['007', '1'], 'text'],
    [['+49 123'], 'text'],
    [['true', 'FALSE'], 'boolean'],
    [['2026-01-31', '2026-01-31T08:15:30Z'], 'timestamp'],
    [['{"a":1}', '[]'], 'json'],
    [['', ''], 'text'],
    [['1', 'x'], 'text'],
  ])('of %j is %s', (values, type) => expect(guessColumnType(values)).toBe(type));
});

test('columns are named by the header; those that every row has are left out', async () => {
  expect(await sampleColumns(new Blob(['\ufeffid,email,amount\nrow_1,a,1\n,b,2']))).toEqual({
    columns: [
      { name: 'email', type: 'text' },
      { name: 'amount', type: 'number' },
    ],
  });
  expect(await sampleColumns(new Blob(['a,=b\n']))).toMatchObject({ fault: expect.stringContaining('=b') });
  expect(await sampleColumns(new Blob(['']))).toHaveProperty('fault');
});

test('files of European spreadsheet programs are read as they are', async () => {
  const columns = [
    { name: 'Größe', type: 'text' },
    { name: 'Preis', type: 'text' },
  ];
  const text = 'Größe;Preis;\n5" Rohr;2,50;\n';
  expect(await sampleColumns(new Blob([text]))).toEqual({ columns });
  const latin = new Blob([Buffer.from(text, 'latin1')]);
  expect(await proposeEncoding(latin)).toBe('windows-1252');
  expect(await sampleColumns(latin, { encoding: 'windows-1252' })).toEqual({ columns });
  expect(await sampleColumns(new Blob([Buffer.from(text, 'utf16le')]))).toEqual({ columns });
  expect(await proposeEncoding(new Blob([text]))).toBeUndefined();
  expect(await sampleColumns(new Blob(['PK\u0003\u0004x']))).toMatchObject({ fault: expect.stringContaining('ZIP') });
});
