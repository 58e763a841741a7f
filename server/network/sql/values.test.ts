import { expect, it } from 'vitest';
import { toMysqlParameter as boundToMysql } from './mysql-values';
import { toPostgresParameter, postgresValueReader } from './postgres-values';
import { parseExactNumber } from './values';

it.each([
  ['0', 0],
  ['-12', -12],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['1.50', 1.5],
  ['0.1', 0.1],
  ['-0.000000000000001', -0.000000000000001],
  ['12345678901234.5', 12345678901234.5],
  ['123456789012345.6', '123456789012345.6'],
  ['0.12345678901234567890', '0.12345678901234567890'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['', ''],
])('the number %j is read as %j', (text, value) => {
  expect(parseExactNumber(text)).toBe(value);
});

it.each([
  [16, 't', true],
  [17, '\\x00ff', 'AP8='],
  [701, '1e-7', 1e-7],
  [701, 'NaN', 'NaN'],
  [1114, '2026-01-02 03:04:05.6', '2026-01-02T03:04:05.6'],
  [1184, '2026-01-02 03:04:05.678901+00', '2026-01-02T03:04:05.678901Z'],
  [1184, 'infinity', 'infinity'],
  [1114, '0044-03-15 12:00:00 BC', '0044-03-15 12:00:00 BC'],
  [1082, '2026-01-02', '2026-01-02'],
  [1016, '{1,NULL,9007199254740993}', [1, null, '9007199254740993']],
  [1009, '{a,"b,c",NULL}', ['a', 'b,c', null]],
  [
    1007,
    '{{1,2},{3,4}}',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [3807, '{"{\\"a\\": 1}"}', [{ a: 1 }]],
  [600, '(1,2)', '(1,2)'],
])('type %i of PostgreSQL: %s', (oid, text, value) => {
  expect(postgresValueReader(oid)(text)).toEqual(value);
});

it('binds lists of scalars as arrays of PostgreSQL, and everything else that is not scalar as JSON', () => {
  expect(toPostgresParameter([1, 'a', null])).toEqual([1, 'a', null]);
  expect(toPostgresParameter([[1], [2]])).toEqual([[1], [2]]);
  expect(toPostgresParameter([{ a: 1 }])).toBe('[{"a":1}]');
  expect(toPostgresParameter({ a: 1 })).toBe('{"a":1}');
  expect(boundToMysql([1, 2])).toBe('[1,2]');
  expect([toPostgresParameter(null), toPostgresParameter('x'), boundToMysql(null), boundToMysql(1)]).toEqual([
    null,
    'x',
    null,
    1,
  ]);
});
