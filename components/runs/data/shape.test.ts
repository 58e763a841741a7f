import { expect, test } from 'vitest';
import { describeValueShape, inferShape } from './shape';

const fieldOf = (value: unknown, name: string) => {
  const field = inferShape([value]).fields.get(name);
  if (!field) throw new Error(`There is no field ${name}`);
  return field;
};

test('describes the types of fields', () => {
  const value = { text: 'a', list: [{ id: 1 }, { id: 'b', more: true }], mixed: [1, null], empty: [] };
  expect(describeValueShape(fieldOf(value, 'text'))).toBe('text');
  expect(describeValueShape(fieldOf(value, 'list'))).toBe('list of objects');
  expect(describeValueShape(fieldOf(value, 'mixed'))).toBe('list of numbers or null values');
  expect(describeValueShape(fieldOf(value, 'empty'))).toBe('list');
});

test('merges the items of a list and counts how often a field occurs', () => {
  const items = fieldOf({ list: [{ id: 1 }, { id: 'b', more: true }] }, 'list').items;
  expect(items?.count).toBe(2);
  expect(describeValueShape(items?.fields.get('id') ?? inferShape([]))).toBe('number or text');
  expect(items?.fields.get('more')?.count).toBe(1);
});

test('a very deep value ends', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 10_000; depth += 1) value = { value };
  expect(describeValueShape(inferShape([value]))).toBe('object');
});
