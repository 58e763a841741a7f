import { expect, test } from 'vitest';
import { findBadAddress, listAddressEntries, joinAddressEntries } from './email-addresses';

test.each([
  'ada@example.com',
  'Ada Lovelace <ada@example.com>',
  '"Doe, Jane" <j@b.example>, ada@example.com; root@localhost',
  '',
])('"%s" has addresses only', (entry) => expect(findBadAddress(entry)).toBeUndefined());

test.each([
  ['ada', 'ada'],
  ['ada@example.com, ben@', 'ben@'],
  ['Ada <ada>', 'Ada <ada>'],
  ['a b@example.com', 'a b@example.com'],
])('"%s" names what is no address', (entry, part) => expect(findBadAddress(entry)).toBe(part));

test('a long text is read in linear time', () => {
  expect(findBadAddress('@'.repeat(100_000))).toHaveLength(100_000);
});

test('entries keep the form of the value', () => {
  expect(listAddressEntries(undefined)).toEqual([]);
  expect(listAddressEntries('{{ input.email }}')).toEqual(['{{ input.email }}']);
  expect(joinAddressEntries(['a@b.example', ' '], false)).toBe('a@b.example');
  expect(joinAddressEntries(['a@b.example'], true)).toEqual(['a@b.example']);
  expect(joinAddressEntries(['', ''], true)).toBeUndefined();
  expect(joinAddressEntries(['a@b.example', '{{ input.cc }}'], false)).toEqual(['a@b.example', '{{ input.cc }}']);
});
