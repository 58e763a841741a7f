import { expect, test } from 'vitest';
import { matchColumnsByName, normalizeFieldName } from './match-columns';

const column = (label: string, type: 'text' | 'number' | 'boolean' | 'timestamp' | 'json' = 'text') => ({
  value: label,
  label,
  type,
});
const written = (match: ReturnType<typeof matchColumnsByName>) =>
  Object.fromEntries(match.matched.map(({ column: name, value }) => [name, value]));

test.each([
  ['Amount due', 'amount_due'],
  ['Amount due', 'AmountDue'],
  ['amount-due', 'AMOUNT DUE'],
  ['Größe', 'größe'],
  ['Café', 'cafe\u0301'],
  ['E mail', 'email'],
])('%s and %s are the same name', (one, other) => {
  expect(normalizeFieldName(one)).toBe(normalizeFieldName(other));
});

test('a column takes the field of the same name, however it is written', () => {
  const match = matchColumnsByName(
    [column('Full name'), column('e-mail'), column('city')],
    {
      full_name: 'Ada',
      Email: 'ada@example.com',
      age: 36,
    },
    'jsonata',
  );
  expect(written(match)).toEqual({ 'Full name': '{{ input.full_name }}', 'e-mail': '{{ input.Email }}' });
  expect(match.unmatched).toEqual([{ column: 'city' }]);
  expect(match.unused).toEqual(['age']);
});

test('the exact name wins over a similar one; two similar ones are no match', () => {
  const input = { amount: 1, Amount: 2, user_name: 'a', userName: 'b' };
  const match = matchColumnsByName([column('amount', 'number'), column('UserName')], input, 'jsonata');
  expect(written(match)).toEqual({ amount: '{{ input.amount }}' });
  expect(match.unmatched).toEqual([{ column: 'UserName', reason: 'several fields of the input have this name' }]);
});

test('fields of inner objects are found by their own name or their path, those above first', () => {
  const input = { customer: { email: 'a@b.c', address: { city: 'Oslo' } }, city: 'Bergen' };
  const match = matchColumnsByName([column('customer email'), column('email'), column('city')], input, 'jsonata');
  expect(written(match)).toEqual({
    'customer email': '{{ input.customer.email }}',
    email: '{{ input.customer.email }}',
    city: '{{ input.city }}',
  });
  expect(match.unused).toEqual([]);
});

test('a value is converted where that is certain, and left out where it is not', () => {
  const match = matchColumnsByName(
    [
      column('count', 'number'),
      column('total', 'number'),
      column('code'),
      column('paid', 'boolean'),
      column('at', 'timestamp'),
      column('tags', 'json'),
      column('note'),
      column('unknown', 'number'),
    ],
    { count: '12', total: 'many', code: 7, paid: 'yes', at: 'soon', tags: ['a'], note: { a: 1 }, unknown: null },
    'jsonata',
  );
  expect(written(match)).toEqual({
    count: '{{ $number(input.count) }}',
    code: '{{ $string(input.code) }}',
    tags: '{{ input.tags }}',
    unknown: '{{ input.unknown }}',
  });
  expect(match.unmatched.map(({ column: name, reason }) => `${name}: ${reason}`)).toEqual([
    'total: its field has a text, the column takes a number',
    'paid: its field has a text, the column takes yes or no',
    'at: its field has a text, the column takes a time',
    'note: its field has an object, the column takes a text',
  ]);
});

test('names that JSONata must quote are quoted, and those that it cannot write are left out', () => {
  const match = matchColumnsByName([column('first name'), column('a b')], { 'first name': 'x', 'a`b': 'y' }, 'jsonata');
  expect(written(match)).toEqual({ 'first name': '{{ input.`first name` }}' });
  expect(match.unmatched).toEqual([{ column: 'a b', reason: 'an expression can’t name its field' }]);
});

test('columns and fields without letters match by their exact name only', () => {
  expect(matchColumnsByName([column('_')], { '-': 1, __: 2 }, 'jsonata').matched).toEqual([]);
  expect(written(matchColumnsByName([column('_', 'number')], { _: 1 }, 'jsonata'))).toEqual({ _: '{{ input._ }}' });
});
