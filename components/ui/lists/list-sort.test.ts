import { expect, test } from 'vitest';
import { nextSort, parseSort } from './list-sort';

test('a click on a header gives the first order of its column, and then the reverse', () => {
  expect(nextSort<string>('-createdAt', 'name')).toBe('name');
  expect(nextSort<string>('name', 'name')).toBe('-name');
  expect(nextSort<string>('-name', 'name')).toBe('name');
  expect(nextSort<string>('name', '-updatedAt')).toBe('-updatedAt');
  expect(nextSort<string>('-updatedAt', '-updatedAt')).toBe('updatedAt');
});

test('an order that does not exist counts as the first one', () => {
  expect(parseSort(['-createdAt', 'name'], 'name')).toBe('name');
  expect(parseSort(['-createdAt', 'name'], 'size')).toBe('-createdAt');
  expect(parseSort(['-createdAt', 'name'], null)).toBe('-createdAt');
});
