import { expect, test } from 'vitest';
import { isHttpResponseValue, entriesToRead } from '@/components/ui/values/reading-order';
import { FieldSearch } from './field-search';

const order = { id: 7, customer: { name: 'Ada', mail: null }, lines: [{ sku: 'A-1' }, { sku: 'B-2' }] };

test('finds fields by name and by content, also inside of others', () => {
  const shown = (text: string) => {
    const search = new FieldSearch(text);
    return Object.entries(order).flatMap(([name, value]) => (search.isShown(name, value) ? [name] : []));
  };
  expect(shown('ada')).toEqual(['customer']);
  expect(shown(' B-2 ')).toEqual(['lines']);
  expect(shown('NULL')).toEqual(['customer']);
  expect(shown('7')).toEqual(['id']);
  expect(shown('sku')).toEqual(['lines']);
  // Positions are no names.
  expect(shown('0')).toEqual([]);
  expect(new FieldSearch('customer').isMatch('customer', order.customer)).toBe(true);
});

test('says that a large value was read only in part', () => {
  const search = new FieldSearch('nowhere');
  expect([search.isShown('x', [[1], [2]]), search.isCut]).toEqual([false, false]);
  const large = Array.from({ length: 600_000 }, () => [1, 2]);
  expect([search.isShown('x', large), search.isCut]).toEqual([false, true]);
});

test('the body of an HTTP response is read before its headers', () => {
  const names = (value: object) => entriesToRead(value).map(([name]) => name);
  expect(names({ status: 200, headers: {}, body: 1 })).toEqual(['status', 'body', 'headers']);
  expect(names({ status: 200, headers: {} })).toEqual(['status', 'headers']);
  expect(isHttpResponseValue({ status: 200, headers: {}, body: 1, more: 1 })).toBe(false);
});
