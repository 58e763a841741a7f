import { expect, test } from 'vitest';
import type { PreviewedNode, PreviewedNodes } from '@/contract/workflows/node-preview';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { routeWebRequest } from '@/server/api/http/routes';

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
  const files = Array.from({ length: 1001 }, (_, index) => ({ $file: `file_${index}` }));
  const known = { a: { output: files } };
  const many = await call<Refused>('POST', '/api/nodes/preview', {
    token,
    body: { nodes: two, connections: [], known },
  });
  expect([many.status, many.body.error.details]).toEqual([
    400,
    [{ field: 'known.a.output', message: 'is none that a run stores: The output names more than 1000 files.' }],
  ]);
});

test('expressions find the items that theirs came from, as far as the lists before them are known', async () => {
  const filtered = node('dear', 'filter', { items: 'input', rules: [{ field: 'price', operator: 'gt', value: 10 }] });
  const nodes = [
    node('fetch', 'http_request', { url: 'http://127.0.0.1:9' }),
    filtered,
    node('price', 'transform', { expression: 'item.price' }, { each: {} }),
    node('text', 'transform', { expression: 'paired.fetch.id & ": " & item' }, { each: {} }),
  ];
  const connections = [wire('fetch', 'dear'), wire('dear', 'price'), wire('price', 'text')];
  const fetch = { output: orders };
  expect(await preview({ nodes, connections, known: { fetch } })).toMatchObject({
    text: { output: ['2: 50', '3: 20'] },
  });
  const dear = { output: [{ price: 50, id: 2 }, orders[2]] };
  const traced = await preview({ nodes, connections, known: { fetch, dear } });
  expect(traced).toMatchObject({ text: { output: ['2: 50', '3: 20'] } });
  expect(traced).not.toHaveProperty('dear');
  // Where the items of another outcome came from, only the run knows.
  const other = { output: [orders[0]] };
  expect(await preview({ nodes, connections, known: { fetch, dear: other } })).toMatchObject({
    price: { output: [5] },
    text: { status: 'stopped' },
  });
  const remote = { ...node('text', 'transform', { expression: 'paired.far & "!"' }), each: { items: 'nodes.far' } };
  const far = { nodes: [node('start', 'start'), remote], connections: [wire('start', 'text')], input: 1 };
  expect(await preview({ ...far, known: { far: { output: [1] } } })).toMatchObject({ text: { status: 'stopped' } });
});

test('a permission on one workflow is enough; without any there is no preview', async () => {
  const owner = await buildUser();
  const { workspaceId } = owner;
  const person = await buildUser({ workspaceId, role: 'viewer' });
  const body = { nodes: [node('start', 'start')], connections: [], input: 1 };
  const ask = () => call('POST', '/api/nodes/preview', { token: person.token, body });
  expect((await ask()).status).toBe(403);
  const permissions = [
    {
      resource: 'workflow',
      action: 'update',
      conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
    },
  ];
  const role = { name: 'own workflows', permissions };
  const made = await call<{ id: string }>('POST', '/api/roles', { token: owner.token, body: role });
  const assignment = { userId: person.id, roleId: made.body.id };
  expect((await call('POST', '/auth/rbac', { token: owner.token, body: assignment })).status).toBe(201);
  expect((await ask()).status).toBe(200);
});

test('the computation ends when the client disconnects', async () => {
  const { token } = await buildUser();
  const endless = node('endless', 'code', { source: 'for (;;);' });
  const client = new AbortController();
  const request = new Request('http://weft.test/api/nodes/preview', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      nodes: [node('start', 'start'), endless],
      connections: [wire('start', 'endless')],
      input: 1,
    }),
    signal: client.signal,
  });
  const answer = routeWebRequest(request);
  setTimeout(() => client.abort(), 200);
  // Else it would fail with its limit of processor time.
  const { results } = (await (await answer).json()) as PreviewedNodes;
  expect(results).toMatchObject([{ nodeId: 'start' }, { nodeId: 'endless', status: 'omitted' }]);
});

test('a known output counts only if something comes in', async () => {
  const nodes = [
    node('start', 'start'),
    node('check', 'condition', { expression: 'input.n > 1' }),
    node('mail', 'send_email', {}),
    node('after', 'transform', { expression: '1' }),
  ];
  const connections = [wire('start', 'check'), wire('check', 'mail', 'true'), wire('mail', 'after')];
  const known = { mail: { output: 'sent' } };
  expect(await preview({ nodes, connections, known, input: { n: 1 } })).toMatchObject({
    mail: { status: 'skipped' },
    after: { status: 'skipped' },
  });
  const reached = await preview({ nodes, connections, known, input: { n: 2 } });
  expect(reached).toMatchObject({ after: { output: 1 } });
  expect(reached).not.toHaveProperty('mail');
});

test('the names of n8n read the nodes of the request', async () => {
  const nodes = [
    node('a', 'http_request', {}, { name: 'Orders' }),
    node('b', 'filter', { items: 'input', where: 'item.price > 10' }, { name: 'Dear' }),
    node(
      'c',
      'transform',
      { expression: "$json.price + ' of ' + $('Orders').item.json.id" },
      { name: 'Text', each: {} },
    ),
  ];
  const connections = [wire('a', 'b'), wire('b', 'c')];
  const body = { nodes, connections, known: { a: { output: orders } }, language: 'javascript', prelude: 'n8n' };
  expect(await preview(body)).toMatchObject({ c: { output: ['50 of 2', '20 of 3'] } });
  const { token } = await buildUser();
  const refused = await call('POST', '/api/nodes/preview', { token, body: { ...body, language: 'jsonata' } });
  expect(refused.status).toBe(400);
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
