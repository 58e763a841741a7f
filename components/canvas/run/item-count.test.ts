import { expect, test } from 'vitest';
import { outputItemCount } from './item-count';

const response = (body: unknown) => ({ status: 200, headers: {}, body });

test.each([
  ['a list', [1, 2, 3], 3],
  ['the empty list', [], 0],
  ['a response with a list', response([1, 2]), 2],
  ['a response with one list among its fields', response({ items: ['a'], total: 7 }), 1],
  ['a response with two lists', response({ items: ['a'], errors: [] }), undefined],
  ['a response with a text', response('[1, 2]'), undefined],
  ['a response without a body', response(null), undefined],
  ['all pages of a list', { items: [1, 2, 3, 4], pages: 2, status: 200, headers: {} }, 4],
  ['an object that is no response', { body: [1] }, undefined],
  ['a text', 'text', undefined],
  ['nothing', undefined, undefined],
])('items in %s', (_, output, count) => expect(outputItemCount(output)).toBe(count));
