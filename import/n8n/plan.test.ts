import { describe, expect, test } from 'vitest';
import { ordersInN8n } from '@/server/testing/servers/n8n';
import { addCalledWorkflow, findNamesakes, sortByCalls, type CalledWorkflow } from './called-workflows';
import { listLostFields, markLostExpressions } from './report/lost-expressions';
import { readPinnedOutputs, recordN8nRuns } from './proof/recorded-tests';
import { listN8nWorkflows, planN8nImport } from './plan';

const { workflows, executions } = ordersInN8n();
const [orders = { nodes: [], connections: {} }] = workflows;

const withNodes = (nodes: object[], further: object = {}) => ({ ...orders, pinData: undefined, nodes, ...further });
const node = (name: string, type: string, parameters: object = {}, further: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...further,
});

test('runs become tests: what acts outside is answered from the record, the rest is expected', () => {
  const { tests, pins, light, tags, record, triggers, runsLeftOut } = planN8nImport(orders, {
    url: 'https://n8n.example.com',
    runs: [...executions, { id: '0', status: 'success' }],
  });
  expect([light, tags, runsLeftOut]).toEqual(['green', ['Sales'], 1]);
  expect(record).toMatchObject({ source: 'n8n', sourceId: 'orders', wasActive: true });
  expect(record.nodes.map(({ name, nodeId }) => [name, nodeId !== null])).toContainEqual(['Fetch', true]);
  expect(triggers).toMatchObject([{ kind: 'webhook', settings: { path: 'orders' } }]);
  const [fetchId = '', labelId = ''] = ['Fetch', 'Label'].map(
    (name) => record.nodes.find((one) => one.name === name)?.nodeId ?? '',
  );
  expect(tests.map(({ name }) => name)).toEqual([
    'n8n run 2, 2026-11-20 10:00',
    'n8n run 1, 2026-11-20 10:00',
    'n8n: pinned data',
  ]);
  expect(tests[0]).toMatchObject({
    input: { body: { order: 2 } },
    mocks: { [fetchId]: {} },
    expectations: { status: 'completed', nodes: { [labelId]: { items: [{ label: '2 of Ada' }] } } },
  });
  expect(JSON.stringify(tests[0]?.mocks[fetchId])).toContain('Ada');
  expect(pins.map(({ nodeId }) => nodeId)).toEqual([fetchId, `${fetchId}_call`]);
});

test('what proves who has called is no part of a test', () => {
  const headers = { authorization: 'Bearer abc', Cookie: 'a=b', 'x-api-key': 'k', accept: '*/*' };
  const runData = { Webhook: [{ data: { main: [[{ json: { headers, body: { n: 1 } } }]] } }] };
  const { tests } = planN8nImport(orders, { runs: [{ id: 1, status: 'success', data: { resultData: { runData } } }] });
  expect(tests[0]?.input).toEqual({ headers: { accept: '*/*' }, body: { n: 1 } });
});

test('failures, nodes that did not run and several items of a trigger are part of a test', () => {
  const file = withNodes([
    node('Start', 'manualTrigger'),
    node('Ask', 'httpRequest', { url: 'https://a.example' }),
    node('Split', 'noOp'),
    node('Never', 'noOp'),
  ]);
  const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
  const runData = {
    Start: [{ data: { main: [items] } }],
    Ask: [{ executionStatus: 'error', error: { message: 'refused' } }],
    Split: [{ data: { main: [[items[0]]] } }, { data: { main: [[items[1]]] } }],
  };
  const { tests } = planN8nImport(file, { runs: [{ id: 7, status: 'error', data: { resultData: { runData } } }] });
  const [recorded] = tests;
  const { nodes } = recorded?.expectations ?? {};
  expect(recorded?.expectations.status).toBe('failed');
  expect(Object.values(nodes ?? {})).toEqual([
    { status: 'completed', items: [{ n: 1 }, { n: 2 }] },
    { status: 'not_run' },
  ]);
  expect(Object.values(recorded?.mocks ?? {})).toEqual([
    { output: [{ n: 1 }, { n: 2 }] },
    { error: { code: 'N8N', message: 'refused' } },
  ]);
});

test('what is to do is grouped: accounts, fields to check, nodes to replace', () => {
  const credentials = { slackApi: { id: '1', name: 'Team' } };
  const connections = { Start: { main: [[{ node: 'Odd', type: 'main', index: 0 }]] } };
  const nodes = [
    node('Start', 'manualTrigger'),
    node('Tell', 'slack', { select: 'channel', channelId: 'C1', text: 'Hi' }, { credentials }),
    node('Tell again', 'slack', { select: 'channel', channelId: 'C1', text: 'Hi' }, { credentials }),
    node('Odd', 'somethingUnknown'),
  ];
  const file = withNodes(nodes, { connections });
  const { record, light } = planN8nImport(file);
  const accounts = record.report.filter(({ kind }) => kind === 'account');
  expect(accounts).toEqual([
    {
      kind: 'account',
      node: 'Tell',
      field: null,
      message: 'Connect the account “Team” (slackApi in n8n). 1 more node uses it.',
    },
  ]);
  expect([light, record.report.find(({ kind }) => kind === 'replace')?.node]).toEqual(['red', 'Odd']);
  expect(JSON.stringify(record.report)).not.toContain('does the same');
});

test('fields with lost expressions are marked, also inside of loops', () => {
  const position = { x: 0, y: 0 };
  const inner = { id: 'in', type: 'transform', name: 'Inner', position, config: { expression: '"(n8n: $odd())"' } };
  const outer = {
    id: 'out',
    type: 'http_request',
    name: 'Outer',
    position,
    config: { headers: [{ value: 'a (n8n: $x)' }] },
  };
  const loop = { id: 'loop', type: 'for_each', position, config: { body: { nodes: [inner], connections: [] } } };
  const definition = markLostExpressions({ nodes: [outer, loop], connections: [] });
  expect(listLostFields(definition).map(({ node: name, mark }) => [name, mark.field, mark.source])).toEqual([
    ['Outer', 'config.headers[0].value', '$x)'],
    ['Inner', 'config.expression', '$odd())"'],
  ]);
});

test('where each output is a list of items, the node that calls and the one behind it are answered', () => {
  const position = { x: 0, y: 0 };
  const step = (id: string, type: string, name: string) => ({ id, type, name, position, config: {} });
  const nodes = [
    step('start', 'start', 'Webhook'),
    step('call', 'http_request', 'Fetch: call'),
    step('fetch', 'transform', 'Fetch'),
  ];
  const definition = { language: 'javascript' as const, prelude: 'n8n' as const, nodes, connections: [] };
  const { tests } = recordN8nRuns(orders, definition, executions);
  const output = [{ order: 2, customer: 'Ada' }];
  expect(tests[0]?.mocks).toEqual({ fetch: { output }, call: { output } });
  expect(readPinnedOutputs(orders, definition).map(({ nodeId }) => nodeId)).toEqual(['fetch', 'call']);
});

test('what a trigger gave is what the node behind its start gives that makes n8n’s fields', () => {
  const trigger = {
    name: 'Chat',
    type: 'n8n-nodes-base.slackTrigger',
    typeVersion: 1,
    parameters: {},
    position: [0, 0],
  };
  const items = [{ text: 'Hello' }];
  const file = { name: 'X', nodes: [trigger], connections: {}, pinData: { Chat: items.map((json) => ({ json })) } };
  const { definition, tests, pins } = planN8nImport(file);
  const [start, made] = definition.nodes;
  expect([start?.type, made?.name]).toEqual(['start', 'Chat']);
  expect(pins).toEqual([{ nodeId: made?.id, output: items }]);
  expect(tests).toMatchObject([{ mocks: { [made?.id ?? '']: { output: items } } }]);
});

test('files with several workflows are read', () => {
  const lists = [orders, [orders, orders], { data: [orders] }, { workflows: [orders, { nodes: [] }] }];
  expect(lists.map((one) => listN8nWorkflows(one).length)).toEqual([1, 2, 1, 1]);
  expect([null, 1, {}, [1]].map((one) => listN8nWorkflows(one).length)).toEqual([0, 0, 0, 0]);
});

test.each([
  null,
  1,
  'x',
  [],
  { data: 'x' },
  { data: { resultData: { runData: { A: 1, B: [1], C: [{ data: { main: 5 } }] } } } },
])('a run with odd data breaks nothing: %j', (run) => {
  expect(() => planN8nImport({ ...orders, tags: run, shared: run, pinData: run }, { runs: [run] })).not.toThrow();
});

test('a workflow that was imported before is the one that is called', () => {
  const caller = {
    ...orders,
    id: 'caller',
    nodes: [
      node('Start', 'manualTrigger'),
      node('Call', 'executeWorkflow', { workflowId: { __rl: true, value: 'sub' } }),
    ],
    pinData: undefined,
  };
  const sub = { ...orders, id: 'sub' };
  const ids = (all: { id: string }[]) => sortByCalls(all, (one) => one).map(({ id }) => id);
  expect(ids([caller, sub])).toEqual(['sub', 'caller']);
  const looping = { ...sub, nodes: [node('Call', 'executeWorkflow', { workflowId: 'caller' })] };
  expect(ids([caller, looping]).toSorted()).toEqual(['caller', 'sub']);
  const { definition, record } = planN8nImport(caller, {
    workflows: new Map([['sub', { workflowId: 'wf_1', startNodeId: 'called' }]]),
  });
  expect(definition.nodes.find(({ type }) => type === 'sub_workflow')?.config).toMatchObject({
    workflowId: 'wf_1',
    startNodeId: 'called',
  });
  expect(JSON.stringify(record.report)).not.toContain('Import the workflow “sub”, too');
  const open = planN8nImport(caller);
  expect(open.definition.nodes.find(({ type }) => type === 'sub_workflow')?.config).not.toHaveProperty('workflowId');
  expect(JSON.stringify(open.record.report)).toContain('Import the workflow “sub”, too');
});

test('a workflow with the name that n8n shows for a missing one is called, if it is the only one', () => {
  const workflowId = { __rl: true, value: 'gone', mode: 'list', cachedResultName: 'Tell' };
  const caller = {
    ...orders,
    id: 'caller',
    nodes: [node('Start', 'manualTrigger'), node('Call', 'executeWorkflow', { workflowId })],
    pinData: undefined,
  };
  const told = { ...orders, id: 'new', name: 'Tell' };
  const namesakes = findNamesakes([caller, told]);
  expect([...namesakes]).toEqual([['gone', 'new']]);
  expect(sortByCalls([caller, told], (one) => one).map(({ id }) => id)).toEqual(['new', 'caller']);
  const workflows = new Map<string, CalledWorkflow>();
  addCalledWorkflow(workflows, { id: 'new', namesakes, workflowId: 'wf_1', startNodeId: null });
  const { definition, record } = planN8nImport(caller, { workflows });
  expect(definition.nodes.find(({ type }) => type === 'sub_workflow')?.config).toMatchObject({ workflowId: 'wf_1' });
  expect(record.report.filter(({ node: name }) => name === 'Call')).toEqual([
    expect.objectContaining({ kind: 'know', message: expect.stringContaining('“Tell”') }),
  ]);
  expect([...findNamesakes([caller, told, { ...told, id: 'other' }])]).toEqual([]);
  expect([...findNamesakes([caller, told, { ...told, id: 'gone', name: 'Old' }])]).toEqual([]);
});

test('many calls, and many workflows with one name, are sorted in a moment', () => {
  const called = { __rl: true, value: 'gone', cachedResultName: 'Same' };
  const calls = (workflowId: unknown, count: number) =>
    Array.from({ length: count }, () => node('Call', 'executeWorkflow', { workflowId }));
  const caller = { id: 'caller', name: 'Caller', nodes: [...calls('sub', 200_000), ...calls(called, 20_000)] };
  const sub = { id: 'sub', name: 'Sub', nodes: [] };
  const same = Array.from({ length: 20_000 }, (_, index) => ({ id: `same ${index}`, name: 'Same', nodes: [] }));
  const start = performance.now();
  const sorted = sortByCalls([caller, sub, ...same], (one) => one).map(({ id }) => id);
  expect(sorted.slice(0, 2)).toEqual(['sub', 'caller']);
  expect(performance.now() - start).toBeLessThan(1500);
});

test.each(['={{ $workflow.id }}', 'own'])('a workflow calls itself at the start for callers: %s', (workflowId) => {
  const file = {
    ...orders,
    id: 'own',
    nodes: [
      node('Go', 'manualTrigger'),
      node('Called', 'executeWorkflowTrigger'),
      node('Call', 'executeWorkflow', { workflowId: { __rl: true, value: workflowId } }),
      node('Work', 'noOp'),
    ],
    connections: {
      Go: { main: [[{ node: 'Call', type: 'main', index: 0 }]] },
      Called: { main: [[{ node: 'Work', type: 'main', index: 0 }]] },
    },
    pinData: undefined,
  };
  const { definition, record, calledStartId, linkToItself } = planN8nImport(file);
  const findCall = ({ nodes }: typeof definition) => nodes.find(({ type }) => type === 'sub_workflow')?.config;
  expect(JSON.stringify(record.report)).not.toContain('Import the workflow “sub”, too');
  expect(findCall(definition)).not.toHaveProperty('workflowId');
  expect(calledStartId).toBe('called');
  expect(linkToItself && findCall(linkToItself('wf_1'))).toMatchObject({ workflowId: 'wf_1', startNodeId: 'called' });
  expect(planN8nImport(orders).linkToItself).toBeNull();
});

test('of several last nodes the last one that runs counts: nothing is to check', () => {
  const build = (trigger: object, code: string) => ({
    ...orders,
    nodes: [
      trigger,
      { ...node('Data', 'code', { jsCode: code }), typeVersion: 2 },
      { ...node('Choose', 'if', { conditions: {} }), typeVersion: 2 },
      node('Yes', 'noOp'),
      node('No', 'noOp'),
    ],
    connections: {
      Call: { main: [[{ node: 'Data', type: 'main', index: 0 }]] },
      Data: { main: [[{ node: 'Choose', type: 'main', index: 0 }]] },
      Choose: { main: ['Yes', 'No'].map((name) => [{ node: name, type: 'main', index: 0 }]) },
    },
    pinData: undefined,
  });
  const hook = node('Call', 'webhook', { path: 'a', responseMode: 'lastNode' });
  const reportFor = (trigger: object, code: string) =>
    JSON.stringify(planN8nImport(build(trigger, code)).record.report);
  expect(reportFor(hook, 'return [{ json: { n: 1 } }];')).not.toContain('last nodes');
  expect(reportFor(hook, 'return items.concat(items);')).not.toContain('last nodes');
  const called = node('Call', 'executeWorkflowTrigger');
  expect(reportFor(called, 'return { n: 1 };')).not.toContain('last nodes');
  expect(reportFor(called, 'return items;')).not.toContain('last nodes');
});

describe('a last node that n8n may run several times is to check', () => {
  const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));
  const hook = node('Call', 'webhook', { path: 'a', responseMode: 'lastNode' });
  const reportFor = (nodes: object[], links: Record<string, object[][]>) => {
    const connections = Object.fromEntries(Object.entries(links).map(([name, main]) => [name, { main }]));
    return JSON.stringify(planN8nImport(withNodes([hook, ...nodes], { connections })).record.report);
  };
  const choose = { ...node('Choose', 'if', { conditions: {} }), typeVersion: 2 };
  const data = { ...node('Data', 'code', { jsCode: 'return items.concat(items);' }), typeVersion: 2 };
  const loop = { ...node('Loop', 'splitInBatches'), typeVersion: 3 };

  test('also where a loop is before it', () => {
    const nodes = [loop, node('Step', 'noOp'), choose, node('One', 'noOp'), node('Two', 'noOp'), node('Last', 'noOp')];
    const before = { Call: [to('Loop')], Step: [to('Loop')] };
    const behind = { Choose: [to('One'), to('Two')], One: [to('Last')], Two: [to('Last')] };
    expect(reportFor(nodes, { ...before, Loop: [to('Choose'), to('Step')], ...behind })).toContain('last nodes');
    expect(reportFor(nodes.slice(0, 2), { ...before, Loop: [[], to('Step')] })).not.toContain('last nodes');
  });

  test('and behind a circle, unless one item goes round in it', () => {
    const links = { Call: [to('Data')], Data: [to('Choose')], Choose: [to('Last'), to('Data')] };
    expect(reportFor([data, choose, node('Last', 'noOp')], links)).toContain('last nodes');
    const each = node('Data', 'set');
    expect(reportFor([each, choose, node('Last', 'noOp')], links)).not.toContain('last nodes');
  });
});
