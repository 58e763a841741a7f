import { expect, it } from 'vitest';
import { runOperation, sentValue } from '../../testing/run-steps';

const fields = {
  body: [
    { id: 12, name: 'Name' },
    { id: 13, name: 'Price' },
  ],
};

it('rows are written and read by the names of fields, in the order of n8n', () => {
  const values = { table: '7', values: { Name: 'Tea', field_13: 2, Other: 1 } };
  const answer = { body: { id: 1, field_12: 'Tea', order: '1.0', field_13: 2 } };
  const { requests, result } = runOperation('baserow', 'rows.create', values, fields, answer);
  expect(requests[0]).toEqual({ path: '/database/fields/table/7/' });
  expect(requests.map(sentValue)[1]).toEqual({ field_12: 'Tea', field_13: 2, Other: 1 });
  expect(JSON.stringify(result)).toBe('{"id":1,"order":"1.0","Name":"Tea","Price":2}');
});

it('a list has pages up to its limit, with conditions and an order by names', () => {
  const values = { table: '7', conditions: { Name: 'Tea', Price__higher_than: 1 }, order: '-Price, Name', limit: 3 };
  const page = (ids: number[], next: string | null) => ({ body: { results: ids.map((id) => ({ id })), next } });
  const { requests, result } = runOperation(
    'baserow',
    'rows.list',
    values,
    fields,
    page([1, 2], 'x'),
    page([3, 4], 'y'),
  );
  expect(requests[2]).toMatchObject({
    path: '/database/rows/table/7/',
    query: {
      filter__field_12__equal: 'Tea',
      filter__field_13__higher_than: 1,
      order_by: '-field_13,field_12',
      page: 2,
      size: 100,
    },
  });
  expect(result).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

it('conditions of any length are read in linear time, and rows that are none are left out', () => {
  const name = `${'a__'.repeat(300_000)}!`;
  const values = { table: '7', conditions: { [name]: 1, a__b__contains: 'c' } };
  const startedAt = performance.now();
  const { requests, result } = runOperation('baserow', 'rows.list', values, fields, { body: { results: 5 } });
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(requests[1]?.query).toMatchObject({ [`filter__${name}__equal`]: 1, filter__a__b__contains: 'c' });
  expect(result).toEqual([]);
});
