import { expect, test } from 'vitest';
import type { PreviewedNode, PreviewedNodes } from '@/contract/workflows/node-preview';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call } from '@/server/testing/factories';

useDatabase();

const node = (id: string, type: string, config: object = {}, part: object = {}) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config,
  ...part,
});
const wire = (sourceNode: string, targetNode: string, sourcePort = 'output') => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});

async function preview(body: object) {
  const { token } = await buildUser();
  const answer = await call<PreviewedNodes>('POST', '/api/nodes/preview', { token, body });
  expect(answer.status).toBe(200);
  return Object.fromEntries(answer.body.results.map(({ nodeId, ...rest }) => [nodeId, rest])) as Record<
    string,
    Omit<PreviewedNode, 'nodeId'>
  >;
}

const orders = [
  { id: 1, price: 5 },
  { id: 2, price: 50 },
  { id: 3, price: 20 },
];

test('nodes that only compute run on the data, up to the first that acts outside', async () => {
  const results = await preview({
    nodes: [
      node('fetch', 'http_request', { url: 'http://127.0.0.1:9' }),
      node('dear', 'filter', { items: 'input', rules: [{ field: 'price', operator: 'gt', value: 10 }] }),
      node('sorted', 'sort', { items: 'input', by: [{ field: 'price', direction: 'asc' }] }),
      node('each', 'transform', { expression: 'item.price * 2' }, { each: {} }),
      node('check', 'condition', { expression: '$sum(input) > 100' }),
      node('yes', 'transform', { fields: { text: '{{ $count(nodes.fetch) }} of {{ execution.input.shop }}' } }),
      node('no', 'transform', { expression: '1' }),
      node('mail', 'send_email', { to: 'a@example.com', subject: '{{ input.text }}', text: 'x' }),
      node('after', 'transform', { expression: 'input' }),
      node('twice', 'code', { source: 'return input.map((price) => price + vars.plus);' }),
    ],
    connections: [
      wire('fetch', 'dear'),
      wire('dear', 'sorted'),
      wire('sorted', 'each'),
      wire('each', 'check'),
      wire('check', 'yes', 'true'),
      wire('check', 'no', 'false'),
      wire('yes', 'mail'),
      wire('mail', 'after'),
      wire('each', 'twice'),
    ],
    known: { fetch: { output: orders } },
    execution: { input: { shop: 'Tea' } },
    vars: { plus: 1 },
  });
  expect(results).toMatchObject({
    dear: { status: 'completed', output: [orders[1], orders[2]], port: 'output' },
    sorted: { output: [orders[2], orders[1]] },
    each: { output: [40, 100], port: 'output' },
    check: { status: 'completed', port: 'true', output: [40, 100] },
    yes: { output: { text: '3 of Tea' } },
    no: { status: 'skipped' },
    mail: { status: 'stopped' },
    twice: { output: [41, 101] },
  });
  expect(results).not.toHaveProperty('fetch');
  expect(results).not.toHaveProperty('after');
});

test('errors are results, and go on where a port handles them', async () => {
  const results = await preview({
    nodes: [
      node('start', 'start'),
      node('bad', 'transform', { expression: 'input.n + "a"' }),
      node('caught', 'transform', { expression: 'input.code' }),
      node('other', 'transform', { expression: '{ gone: ' }),
      node('next', 'transform', { expression: '1' }),
      node('odd', 'switch', { cases: 5 }),
      node('none', 'no_such_type'),
    ],
    connections: [
      wire('start', 'bad'),
      wire('bad', 'caught', 'error'),
      wire('start', 'other'),
      wire('other', 'next'),
      wire('start', 'odd'),
      wire('start', 'none'),
    ],
    input: { n: 1 },
  });
  expect(results).toMatchObject({
    start: { status: 'completed', output: { n: 1 } },
    bad: { status: 'failed', error: { code: 'EXPRESSION', nodeId: 'bad' } },
    caught: { status: 'completed', output: 'EXPRESSION' },
    other: { status: 'failed' },
    odd: { status: 'failed' },
    none: { status: 'stopped' },
  });
  expect(results).not.toHaveProperty('next');
});

test('what waits, loops, has a credential, or reads the workspace is stopped, whatever its config says', async () => {
  const stopped = [
    node('a', 'approval'),
    node('b', 'for_each', { items: 'input', body: 5 }),
    node('c', 'repeat', { body: { nodes: [null] } }),
    node('d', 'transform', { expression: '1' }, { credentialId: 'cred_1' }),
    node('e', 'table', { tableId: 'tbl_1', operation: 'find' }),
    node('f', 'agent', { tools: 3 }),
    node('g', 'sub_workflow', { workflowId: 'wf_1' }),
    node('h', 'transform', { expression: 'paired.start' }, { each: {} }),
    node('i', 'convert', { from: 'csv' }),
    node('j', 'remember', {}),
    node('k', 'wait_for_call'),
  ];
  const results = await preview({
    nodes: [node('start', 'start'), ...stopped, node('pause', 'delay', { seconds: 60 })],
    connections: [...stopped.map(({ id }) => wire('start', id)), wire('start', 'pause')],
    input: [1],
  });
  expect(stopped.map(({ id }) => results[id]?.status)).toEqual(stopped.map(() => 'stopped'));
  expect(results['pause']).toMatchObject({ status: 'completed', output: [1] });
});

test('a source that was skipped delivers nothing, and two workspaces see nothing of each other', async () => {
  const results = await preview({
    nodes: [
      node('yes', 'transform'),
      node('no', 'transform'),
      node('end', 'transform', { expression: 'input' }),
      node('late', 'transform', { expression: '1' }),
    ],
    connections: [wire('yes', 'end'), wire('no', 'end'), wire('no', 'late')],
    known: { yes: { output: 1 }, no: { output: null, port: null } },
  });
  expect(results).toEqual({
    end: { status: 'completed', output: 1, port: 'output', error: null },
    late: { status: 'skipped', error: null },
  });
  const owner = await buildUser();
  const variable = { name: 'SHOP', value: 'of the owner' };
  expect((await call('POST', '/api/variables', { token: owner.token, body: variable })).status).toBe(201);
  const other = await preview({
    nodes: [node('start', 'start'), node('read', 'transform', { expression: 'vars.SHOP' })],
    connections: [wire('start', 'read')],
  });
  expect(other['read']).toMatchObject({ status: 'completed', output: null });
});

test('what is too large is left out, and what is no graph refused', async () => {
  const { token } = await buildUser();
  const large = await preview({
    nodes: [
      node('start', 'start'),
      node('big', 'transform', { expression: '[1..200000]' }),
      node('next', 'transform', { expression: '1' }),
    ],
    connections: [wire('start', 'big'), wire('big', 'next')],
  });
  expect(large).toMatchObject({ big: { status: 'omitted' } });
  expect(large).not.toHaveProperty('next');
  const refused = async (body: object) => (await call('POST', '/api/nodes/preview', { token, body })).status;
  const two = [node('a', 'transform'), node('b', 'transform')];
  expect(await refused({ nodes: two, connections: [wire('a', 'b'), wire('b', 'a')] })).toBe(400);
  expect(await refused({ nodes: two, connections: [wire('a', 'z')] })).toBe(400);
  expect(await refused({ nodes: [two[0], two[0]], connections: [] })).toBe(400);
  expect(await refused({ nodes: two, connections: [], timeZone: 'Mars/Crater' })).toBe(400);
});

test('what acts outside behind a branch that is not taken is skipped, and holds nothing up', async () => {
  const results = await preview({
    nodes: [
      node('start', 'start'),
      node('check', 'condition', { expression: 'input.n > 1' }),
      node('mail', 'send_email', { to: 'a@example.com', subject: 'x', text: 'x' }),
      node('constructor', 'transform', { expression: 'input.n' }),
      node('join', 'transform', { expression: '"joined"' }),
    ],
    connections: [
      wire('start', 'check'),
      wire('check', 'mail', 'true'),
      wire('check', 'constructor', 'false'),
      wire('mail', 'join'),
      wire('constructor', 'join'),
    ],
    input: { n: 1 },
  });
  expect(results).toMatchObject({
    mail: { status: 'skipped' },
    constructor: { status: 'completed' },
    join: { status: 'completed', output: 'joined' },
  });
});
