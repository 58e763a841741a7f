import { expect, it } from 'vitest';
import { findNodeType } from '../index';

/** The fields that a node lacks before it can run. */
const gapsOf = (type: string, config: Record<string, unknown>) =>
  findNodeType(type)
    ?.gaps?.(config, false)
    .map(({ field }) => field);

it('a table node names what its operation lacks', () => {
  const gaps = (operation: string, config: object = {}) => gapsOf('table', { operation, ...config });
  expect(gaps('find')).toEqual([]);
  expect(gaps('get')).toEqual(['key']);
  expect(gaps('upsert')).toEqual(['key', 'row']);
  expect(gaps('increment', { key: {} })).toEqual(['column']);
  expect(gaps('insert')).toEqual(['row']);
  expect(gaps('insert', { row: {}, rows: [] })).toEqual(['row']);
  expect(gaps('insert', { rows: [] })).toEqual([]);
  expect(gaps('delete')).toEqual(['filter']);
  expect(gaps('delete', { all: true })).toEqual([]);
  expect(gaps('update', { filter: {} })).toEqual(['row']);
});

it('a table node says whether it reads or changes rows', () => {
  const { action } = findNodeType('table')?.table ?? {};
  expect(['get', 'find', 'count'].map((operation) => action?.({ operation }))).toEqual(['read', 'read', 'read']);
  const changing = ['insert', 'update', 'upsert', 'delete', 'increment', undefined];
  expect(new Set(changing.map((operation) => action?.({ operation })))).toEqual(new Set(['write']));
});

it('a remember node names what its operation lacks', () => {
  const gaps = (operation: string, config: object = {}) => gapsOf('remember', { operation, ...config });
  expect([gaps('get'), gaps('add'), gaps('set'), gaps('seen')]).toEqual([[], [], ['value'], ['items']]);
  expect([gaps('set', { value: null }), gaps('seen', { items: 'input.items' })]).toEqual([[], []]);
});
