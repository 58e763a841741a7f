import { expect, it } from 'vitest';
import { findMissingName } from './missing-name';

const scope = {
  input: { body: { total: 7, items: [{ price: 1 }, { price: 2, name: 'a' }] }, 'a b': { c: 1 } },
  nodes: { get_order: { id: 1 } },
};

it.each([
  ['input.body.totl > 1000', { within: 'input.body', name: 'totl', near: 'total' }],
  ['nodes.get_ordr.id', { within: 'nodes', name: 'get_ordr', near: 'get_order' }],
  ['$sum(input.body.items.prize)', { within: 'input.body.items', name: 'prize', near: 'price' }],
  ['input.body.total + input.`a b`.d', { within: 'input.a b', name: 'd', near: 'c' }],
  ['input.something', { within: 'input', name: 'something', near: undefined }],
])('finds what %s lacks', (source, missing) => expect(findMissingName(source, scope)).toEqual(missing));

it.each([
  'input.body.items.name',
  'input.body.total.deeper',
  '"input.nothing" & input.body.total',
  '/* input.nothing */ 1',
  'other.name',
  '$x.name',
  'input.body.items[price > 1].name',
  'item.name',
])('finds nothing in %s', (source) => expect(findMissingName(source, scope)).toBeUndefined());
