import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { omittedDataUpstream, buildNodePreview } from './preview-scope';

const node = (id: string) => ({ id, type: 'transform', position: { x: 0, y: 0 }, config: {} });
const connection = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});
const definition: WorkflowDefinition = {
  nodes: ['a', 'b', 'c', 'd'].map(node),
  connections: [connection('a', 'b'), connection('b', 'c'), connection('a', 'd'), connection('b', 'd')],
};
const large = (nodeId: string, omitted: NodeResult['omitted']): [string, NodeResult] => [
  nodeId,
  { nodeId, status: 'completed', error: null, attempts: 1, omitted, omittedBytes: { input: 7, output: 9 } },
];
const results = new Map([large('a', undefined), large('b', ['output']), large('c', ['input']), large('d', ['input'])]);

const preview = (
  of: WorkflowDefinition,
  nodeId: string,
  given: ReadonlyMap<string, NodeResult>,
  pins: Record<string, unknown>,
) => buildNodePreview(of, nodeId, { results: given, pins, execution: undefined, titles: { a: 'Orders', b: 'Paid' } });

it('loads the output of a single source once, as the input too', () => {
  expect(omittedDataUpstream(definition, 'c', results, {})).toEqual([{ label: 'input', nodeId: 'b', bytes: 9 }]);
});

it('loads the combined input of several sources', () => {
  expect(omittedDataUpstream(definition, 'd', results, {})).toEqual([
    { label: 'input', nodeId: 'd', bytes: 7 },
    { label: 'nodes.b', nodeId: 'b', bytes: 9 },
  ]);
});

it('does not load pinned data, and reports whether all data is loaded', () => {
  expect(omittedDataUpstream(definition, 'c', results, { b: [1] })).toEqual([]);
  expect(preview(definition, 'c', results, {}).isPartial).toBe(true);
  expect(preview(definition, 'c', results, { b: [1] }).isPartial).toBe(false);
});

it('knows what started the run, and the names of nodes with addresses', () => {
  const wait = { id: 'w', type: 'wait_for_call', position: { x: 0, y: 0 }, config: {} };
  const { scope } = preview({ ...definition, nodes: [...definition.nodes, wait] }, 'c', results, {});
  expect(scope.execution).toMatchObject({ trigger: { kind: 'manual', id: null, name: null } });
  expect(Object.keys(scope.execution.resumeUrls)).toEqual(['w']);
});

const chain = (types: Record<string, [type: string, config?: Record<string, unknown>]>): WorkflowDefinition => {
  const ids = Object.keys(types);
  return {
    nodes: ids.map((id) => ({ ...node(id), type: types[id]?.[0] ?? '', config: types[id]?.[1] ?? {} })),
    connections: ids.slice(1).map((id, index) => connection(ids[index] ?? '', id)),
  };
};
const orders = new Map<string, NodeResult>([
  [
    'a',
    {
      nodeId: 'a',
      status: 'completed',
      error: null,
      attempts: 1,
      output: [
        { id: 1, price: 5 },
        { id: 2, price: 7 },
      ],
    },
  ],
]);

it('knows the fields of list nodes that have not run', () => {
  const grouped = {
    items: 'input',
    groupBy: ['id'],
    measures: [{ name: 'sum_price', operation: 'sum', field: 'price' }],
  };
  const { scope, notes, expected } = preview(
    chain({
      a: ['http_request'],
      b: ['filter', { items: 'input' }],
      c: ['sort', { items: 'nodes.b' }],
      d: ['aggregate', grouped],
      e: ['split', { items: 'input' }],
      f: ['code'],
    }),
    'f',
    orders,
    {},
  );
  expect(scope.nodes).toMatchObject({
    b: [{ id: 1, price: 5 }],
    c: [{ id: 1, price: 5 }],
    d: [{ id: 1, sum_price: 5 }],
    e: [[{ id: 1, sum_price: 5 }]],
  });
  expect(scope.input).toEqual([[{ id: 1, sum_price: 5 }]]);
  expect(expected).toEqual(new Set(['nodes.b', 'nodes.c', 'nodes.d', 'nodes.e', 'input']));
  expect(notes?.['input']).toContain('has not run');
});

it('says which data leaves out a node that has not run', () => {
  const definition = chain({ a: ['http_request'], b: ['code'], c: ['sort'] });
  const { scope, notes } = preview(definition, 'c', orders, {});
  expect(scope.input).toBeUndefined();
  expect(notes).toEqual({ 'nodes.a': 'leaves out “Paid”, which has not run' });
  expect(Object.keys(scope.nodes)).toEqual(['b', 'a']);
  expect(preview(definition, 'c', orders, { b: [1] }).notes).toEqual({});
});

it('takes the fields of the declared input', () => {
  const line = {
    type: 'object',
    properties: { sku: { type: 'string', examples: ['A-1'] }, count: { type: 'integer' } },
  };
  const inputSchema = { type: 'object', properties: { lines: { type: 'array', items: line } } };
  const { scope } = preview(chain({ a: ['start', { inputSchema }], b: ['sort'] }), 'b', new Map(), {});
  expect(scope.input).toEqual({ lines: [{ sku: 'A-1', count: 0 }] });
});

it('knows nothing of a node that has not run for each item', () => {
  const definition = chain({ a: ['http_request'], b: ['filter', { items: 'input' }], c: ['sort'] });
  const [first, filter, last] = definition.nodes;
  const nodes = first && filter && last ? [first, { ...filter, each: {} }, last] : [];
  expect(preview({ ...definition, nodes }, 'c', orders, {}).scope.input).toBeUndefined();
});

it('takes no input from a run in which the node had another source', () => {
  const definition = chain({ a: ['http_request'], b: ['code'], c: ['sort'] });
  const old = new Map(orders).set('c', { nodeId: 'c', status: 'completed', error: null, attempts: 1, input: [7] });
  expect(preview(definition, 'c', old, {}).scope.input).toBeUndefined();
});
