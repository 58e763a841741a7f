import { describe, expect, test } from 'vitest';
import { guessType, sampleColumns, sampleLines } from './csv-sample';

test('lines have their quoted cells, and no line that is cut off', () => {
  expect(sampleLines('a,b\r\n"x, ""y""\nz",\n\n1,2')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
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
  ])('of %j is %s', (values, type) => expect(guessType(values)).toBe(type));
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
