import { expect, it } from 'vitest';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { spokenReference } from '@/components/code/pills/reference-description';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { describeReference } from './describe-reference';
import { buildExecutionVariables } from './preview-expression';

const call = { status: 200, body: { id: 42, rows: [{ sku: 'A', n: [1] }, { sku: 'B' }] } };
const scope = {
  input: call,
  nodes: { call, later: { id: 'x' }, never: undefined },
  execution: buildExecutionVariables(undefined),
  vars: { shop: 'North' },
};
const preview = {
  scope,
  names: { call: 'Call API', later: 'Later', never: 'Never' },
  inputFrom: ['Call API'],
  expected: new Set(['nodes.later']),
};
const shown = (path: string, language: ExpressionLanguage = 'jsonata', data: object = {}) => {
  const description = describeReference(parseExpressionPath(path, language)!, { ...preview, ...data }, language);
  return description && spokenReference(description);
};

it('names what a path leads to as the canvas does, with a sample', () => {
  expect(shown('nodes.call.body.id')).toBe('Call API › body.id, 42');
  expect(shown('nodes.call.body.rows')).toBe('Call API › body.rows, 2 items');
  expect(shown('nodes.call')).toBe('Call API, { }');
  expect(shown('input.status')).toBe('Call API › status, 200');
  expect(shown('input.status', 'jsonata', { inputFrom: ['A', 'B'] })).toBe('Input › status, 200');
  expect(shown('vars.shop')).toBe('Variables › shop, "North"');
  expect(shown('nodes["call"].body.rows[1]?.sku', 'javascript')).toBe('Call API › body.rows[1].sku, "B"');
});

it('names items where the node runs for each, and where an item came from', () => {
  const each = { scope: { ...scope, item: { sku: 'A' }, input: { sku: 'A' }, paired: { call: { id: 1 } } } };
  expect(shown('item.sku', 'jsonata', each)).toBe('Item › sku, "A"');
  expect(shown('input.sku', 'jsonata', each)).toBe('Item › sku, "A"');
  expect(shown('paired.call.id', 'jsonata', each)).toBe('Call API, same item › id, 1');
});

it('shows a sample only where it is the value of the path', () => {
  expect(shown('nodes.call.body.rows.sku')).toBe('Call API › body.rows.sku, 2 items');
  expect(shown('nodes.call.body.rows.n')).toBe('Call API › body.rows.n');
  expect(shown('nodes.call.body.rows.sku', 'javascript')).toBe('Call API › body.rows.sku');
  expect(shown('nodes.call.body.rows.sku[0]')).toBe('Call API › body.rows.sku[0]');
  expect(shown('nodes.call.body.none')).toBe('Call API › body.none');
  expect(shown('nodes.later.id')).toBe('Later › id, for example "x"');
  expect(shown('nodes.never.id')).toBe('Never › id');
});

it('leaves paths as text that begin with what is not known', () => {
  expect(shown('nodes.gone.id')).toBeUndefined();
  expect(shown('nodes')).toBeUndefined();
  expect(shown('name')).toBeUndefined();
  expect(shown('item.sku')).toBeUndefined();
});
