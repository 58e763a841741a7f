import { expect, test } from 'vitest';
import { rowConditionSql, parseRowFilter } from './filter';
import { joinTrigrams } from './rare-parts';
import { toIsoTimestamp, SqlParameters } from './sql';
import { listTableFields } from './table';

test('parts that follow each other are one', () => {
  const characters = Array.from('ticket 1234.');
  expect(joinTrigrams(characters, [6, 7, 8, 9])).toEqual([' 1234.']);
  expect(joinTrigrams(characters, [0, 2, 8])).toEqual(['tic', 'cke', '234']);
});

test('rare parts narrow the search, and the whole text decides', () => {
  const column = { id: 'c1', name: 'note', type: 'text', isRequired: false, isUnique: false } as const;
  const condition = parseRowFilter(listTableFields({ columns: [column] }), {
    column: 'note',
    operator: 'contains',
    value: 'a 50%',
  });
  if (!condition || !('operator' in condition) || condition.operator !== 'contains') expect.unreachable();
  else condition.rareParts = [' 50', '50%'];
  const parameters = new SqlParameters();
  const sql = rowConditionSql(condition as NonNullable<typeof condition>, parameters);
  expect(sql).toBe('(c1 LIKE $1::text AND c1 LIKE $2::text AND strpos(c1, $3::text) > 0)');
  expect(parameters.values).toEqual(['% 50%', '%50\\%%', 'a 50%']);
});

test('times of the database are texts in ISO 8601', () => {
  expect(toIsoTimestamp('2026-01-31 08:15:30+00')).toBe('2026-01-31T08:15:30.000Z');
  expect(toIsoTimestamp('2026-01-31 08:15:30.05+00')).toBe('2026-01-31T08:15:30.050Z');
  expect(toIsoTimestamp('2026-01-31 09:15:30.123+01')).toBe('2026-01-31T08:15:30.123Z');
  expect(toIsoTimestamp('0001-01-01 00:00:00+00')).toBe('0001-01-01T00:00:00.000Z');
});
