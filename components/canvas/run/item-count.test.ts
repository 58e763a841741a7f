import { expect, test } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { connectionData, outputList } from './item-count';

const response = (body: unknown) => ({ status: 200, headers: {}, body });

test.each([
  ['a list', [1, 2, 3], 3],
  ['the empty list', [], 0],
  ['a response with a list', response([1, 2]), 2],
  ['a response with one list among its fields', response({ items: ['a'], total: 7 }), 1],
  [
    'a response with a named list and what is known about it',
    response({ orders: ['a', 'b'], total: 2, next: null }),
    2,
  ],
  ['a response with one order and its lines', response({ id: 7, customer: 'Ada', lines: ['a', 'b'] }), undefined],
  ['a response with one order and its items', response({ id: 7, items: ['a', 'b'] }), undefined],
  ['a response with two lists', response({ items: ['a'], errors: [] }), undefined],
  ['a response with a text', response('[1, 2]'), undefined],
  ['a response without a body', response(null), undefined],
  ['all pages of a list', { items: [1, 2, 3, 4], pages: 2, status: 200, headers: {} }, 4],
  ['an object that is no response', { body: [1] }, undefined],
  ['a text', 'text', undefined],
  ['nothing', undefined, undefined],
])('items in %s', (_, output, count) => expect(outputList(output)?.length).toBe(count));

const result = (part: Partial<NodeResult>): NodeResult => ({
  nodeId: 'a',
  status: 'completed',
  error: null,
  attempts: 1,
  port: 'output',
  ...part,
});

test('what passed a connection', () => {
  expect(connectionData(result({ output: [1, 2] }), undefined, 'output')).toEqual({
    count: 2,
    rows: [1, 2],
    isEnd: false,
  });
  expect(connectionData(result({ output: [1, 2] }), undefined, 'other')).toBeUndefined();
  expect(connectionData(undefined, undefined, 'output')).toBeUndefined();
  expect(connectionData(result({ output: response({ id: 1, lines: [1, 2] }) }), undefined, 'output')).toEqual({
    count: undefined,
    rows: [{ id: 1, lines: [1, 2] }],
    isEnd: false,
  });
});

test('a branch ends at a node without items', () => {
  const none = result({ output: [], port: undefined, ports: {} });
  expect(connectionData(result({ output: [] }), none, 'output')).toEqual({ count: 0, rows: [], isEnd: true });
  expect(connectionData(none, undefined, 'output')).toMatchObject({ count: 0, isEnd: true });
  expect(connectionData(none, undefined, 'error')).toBeUndefined();
  expect(connectionData(result({ output: [] }), result({}), 'output')).toMatchObject({ count: 0, isEnd: false });
});

test('of several ports each says how many items left there', () => {
  const parted = result({ output: [1, 2, 3], ports: { true: 2, false: 1 }, port: undefined });
  expect(connectionData(parted, undefined, 'true')).toEqual({ count: 2, rows: undefined, isEnd: false });
  expect(connectionData(parted, undefined, 'default')).toBeUndefined();
});
