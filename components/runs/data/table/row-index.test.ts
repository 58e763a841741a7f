import { expect, test } from 'vitest';
import { RowIndex, type SortDirection } from './row-index';
import { cellValue } from './table-data';

const index = (rows: unknown[], columns = ['v']) => new RowIndex(rows, columns);

test('searches all columns in any case', async () => {
  const people = index([{ name: 'Ada', at: { city: 'London' } }, { name: 'Grace' }], ['name', 'at']);
  expect(await people.find({ text: ' LOND', order: undefined })).toEqual([0]);
  expect(await people.find({ text: ' ', order: undefined })).toEqual([0, 1]);
  expect(await people.find({ text: 'adalondon', order: undefined })).toEqual([]);
});

test('sorts numbers by size, texts with their numbers, and missing values last', async () => {
  const order = async (values: unknown[], direction: SortDirection = 'ascending') => {
    const rows = values.map((v) => ({ v }));
    const found = await index(rows).find({ text: '', order: { column: 'v', direction } });
    return found.map((at) => cellValue(rows[at], 'v'));
  };
  expect(await order([10, 9, null, -1])).toEqual([-1, 9, 10, null]);
  expect(await order([10, 9, null, -1], 'descending')).toEqual([10, 9, -1, null]);
  expect(await order(['file 10', 'file 9', '', 'Émile'])).toEqual(['Émile', 'file 9', 'file 10', '']);
  expect(await order(['b', 2, true, 1])).toEqual([1, 2, 'b', true]);
});

test('sorts many rows as the language does, equal ones in their first order, and finds among them', async () => {
  const rows = Array.from({ length: 5000 }, (_, id) => ({ id, v: (id * 7919) % 613 }));
  const all = index(rows, ['id', 'v']);
  const sorted = await all.find({ text: '', order: { column: 'v', direction: 'ascending' } });
  const expected = rows.toSorted((a, b) => a.v - b.v).map(({ id }) => id);
  expect(sorted).toEqual(expected);
  const found = await all.find({ text: '499', order: { column: 'v', direction: 'ascending' } });
  expect(found).toEqual(expected.filter((id) => `${id}\n${rows[id]?.v}`.includes('499')));
});

test('an aborted search ends', async () => {
  const rows = Array.from({ length: 200_000 }, (_, id) => ({ v: `row ${id}` }));
  const abort = new AbortController();
  const search = index(rows).find({ text: 'row', order: { column: 'v', direction: 'ascending' } }, abort.signal);
  abort.abort(new Error('superseded'));
  await expect(search).rejects.toThrow('superseded');
});
