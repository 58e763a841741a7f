import { expect, test } from 'vitest';
import { badAddressIn, entriesOf, valueOfEntries } from './addresses';

test.each([
  'ada@example.com',
  'Ada Lovelace <ada@example.com>',
  '"Doe, Jane" <j@b.example>, ada@example.com; root@localhost',
  '',
])('"%s" has addresses only', (entry) => expect(badAddressIn(entry)).toBeUndefined());

test.each([
  ['ada', 'ada'],
  ['ada@example.com, ben@', 'ben@'],
  ['Ada <ada>', 'Ada <ada>'],
  ['a b@example.com', 'a b@example.com'],
])('"%s" names what is no address', (entry, part) => expect(badAddressIn(entry)).toBe(part));

test('a long text is read in linear time', () => {
  expect(badAddressIn('@'.repeat(100_000))).toHaveLength(100_000);
});

test('entries keep the form of the value', () => {
  expect(entriesOf(undefined)).toEqual([]);
  expect(entriesOf('{{ input.email }}')).toEqual(['{{ input.email }}']);
  expect(valueOfEntries(['a@b.example', ' '], false)).toBe('a@b.example');
  expect(valueOfEntries(['a@b.example'], true)).toEqual(['a@b.example']);
  expect(valueOfEntries(['', ''], true)).toBeUndefined();
  expect(valueOfEntries(['a@b.example', '{{ input.cc }}'], false)).toEqual(['a@b.example', '{{ input.cc }}']);
});
