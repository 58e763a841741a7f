import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { ProjectContent } from '@/contract/projects/project';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { until } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { Browser } from '@/server/testing/browser';
import { eventsOf, send as sendMessage } from '@/server/testing/chats';
import { fillIn } from '@/server/testing/forms';
import { itemsPoll } from '@/server/testing/polls';
import { startSource } from '@/server/testing/servers/source';
import { processRunEndings } from '@/server/engine/endings/endings';
import { executeDuePolls } from '@/server/triggers/polls/poller';
import { fireDueTicks } from '@/server/triggers/schedules/scheduler';

useDatabase({ rateLimitTier: 'unlimited' });
useWorker();

const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const needs = (field: string) => ({ type: 'start', config: { inputSchema: { type: 'object', required: [field] } } });

/** Each start has a schema of its own, which the input of the other does not fit. `off` is disabled. */
const TWO_STARTS = flow(
  {
    orders: needs('order'),
    refunds: needs('refund'),
    off: { type: 'start', disabled: true },
    a: shape('{"from": "orders"}'),
    b: shape('{"from": "refunds"}'),
  },
  ['orders>a', 'refunds>b'],
);
const ONLY_ORDERS: WorkflowDefinition = {
  ...TWO_STARTS,
  nodes: TWO_STARTS.nodes.map((node) => (node.id === 'refunds' ? { ...node, disabled: true } : node)),
};

type Made = { id: string; startNodeId: string | null; executionId: string; lastError: string | null } & Refused;

let user: TestUser;
let workflowId: string;
const send = <Body = Made>(method: string, path: string, body?: object) =>
  call<Body>(method, path, { token: user.token, body });
const own = (path: string) => `/api/workflows/${workflowId}${path}`;

async function create(definition = TWO_STARTS, more: object = {}): Promise<string> {
  const body = { name: unique('Starts'), definition, status: 'active', ...more };
  const made = await send('POST', '/api/workflows', body);
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return made.body.id;
}

beforeAll(async () => {
  user = await buildUser();
});
beforeEach(async () => {
  workflowId = await create();
});

const ended = (id: string) =>
  until(async () => {
    const { body } = await send<ExecutionResponse>('GET', `/api/executions/${id}`);
    return (body.status === 'completed' || body.status === 'failed') && body;
  }, `${id} to end`);

/** The run of the workflow that something has just started. */
async function latestRun(): Promise<ExecutionResponse> {
  const where = { workflowId };
  const { id } = await until(
    () => prismaClient().execution.findFirst({ where, orderBy: { createdAt: 'desc' } }),
    'a run of the workflow',
  );
  return ended(id);
}

const statuses = ({ nodeResults }: ExecutionResponse) =>
  Object.fromEntries(nodeResults.map(({ nodeId, status }) => [nodeId, status]));
const REFUNDED = { status: 'completed', startNodeId: 'refunds', output: { from: 'refunds' } };

/** The triggers with the fields that they need, as they are created. */
const fields = [{ name: 'refund', label: 'Refund', kind: 'text' }];
const response = { mode: 'message', message: 'Thanks' };
const TRIGGERS: [string, object][] = [
  ['webhooks', { path: 'in', verification: { kind: 'none' } }],
  ['forms', { path: 'ask', title: 'Ask', description: '', fields, access: 'public', response }],
  ['chats', { path: 'talk', title: 'Talk', access: 'public' }],
  ['schedules', { cron: '0 6 * * *', input: { refund: 1 } }],
  ['polls', itemsPoll('https://example.com/items')],
  ['tests', { name: 'Refunds', input: { refund: 1 } }],
];

describe('a run', () => {
  test('begins at the start that is chosen; other starts and their nodes are skipped', async () => {
    const { body } = await send('POST', own('/execute'), { input: { refund: 1 }, startNodeId: 'refunds' });
    const execution = await ended(body.executionId);
    expect(execution).toMatchObject({ ...REFUNDED, startNodeName: 'Start' });
    expect(statuses(execution)).toEqual({
      orders: 'skipped',
      off: 'skipped',
      a: 'skipped',
      refunds: 'completed',
      b: 'completed',
    });
  });

  test('begins at every start if none is chosen, and its input has to fit each', async () => {
    const refused = await send('POST', own('/execute'), { input: { refund: 1 } });
    expect([refused.status, refused.body.error.details.map(({ field }) => field)]).toEqual([400, ['input.order']]);
    const { body } = await send('POST', own('/execute'), { input: { refund: 1, order: 1 } });
    expect(await ended(body.executionId)).toMatchObject({
      startNodeId: null,
      output: { a: { from: 'orders' }, b: { from: 'refunds' } },
    });
  });

  test.each(['nobody', 'a', 'off', ''])('is refused at %j, which is no enabled start', async (startNodeId) => {
    const { status, body } = await send('POST', own('/execute'), { input: { refund: 1 }, startNodeId });
    expect([status, body.error.details.map(({ field }) => field)]).toEqual([400, ['startNodeId']]);
  });

  test('needs only what its start reaches, and ends at a node that it reaches', async () => {
    const half = { ...TWO_STARTS, nodes: [...TWO_STARTS.nodes, ...flow({ c: { type: 'http_request' } }).nodes] };
    workflowId = await create(
      { ...half, connections: [...half.connections, ...flow({}, ['orders>c']).connections] },
      { status: 'draft' },
    );
    const at = (startNodeId: string, more = {}) =>
      send('POST', own('/execute'), { input: { refund: 1, order: 1 }, startNodeId, ...more });
    expect((await at('orders')).status).toBe(400);
    expect(await ended((await at('refunds')).body.executionId)).toMatchObject(REFUNDED);
    const across = await at('refunds', { untilNodeId: 'a' });
    expect(across.body.error.details).toMatchObject([
      { field: 'untilNodeId', message: expect.stringContaining('refunds') },
    ]);
  });

  test('is repeated at its start, also from a node on', async () => {
    const { body } = await send('POST', own('/execute'), { input: { refund: 1 }, startNodeId: 'refunds' });
    await ended(body.executionId);
    for (const change of [{}, { fromNodeId: 'b' }, { fromNodeId: 'refunds', input: { refund: 2 } }]) {
      const again = await send('POST', `/api/executions/${body.executionId}/rerun`, change);
      expect(await ended(again.body.executionId)).toMatchObject({ ...REFUNDED, trigger: 'rerun' });
    }
    const elsewhere = await send('POST', `/api/executions/${body.executionId}/rerun`, { fromNodeId: 'orders' });
    expect(elsewhere.status).toBe(400);
    await send('PUT', own(''), { definition: ONLY_ORDERS });
    const gone = await send('POST', `/api/executions/${body.executionId}/rerun`, { useLatest: true });
    expect([gone.status, gone.body.error.details[0]?.field]).toEqual([400, 'startNodeId']);
  });

  test('is claimed only by processes that know the choice', async () => {
    const { body } = await send('POST', own('/execute'), { input: { refund: 1 }, startNodeId: 'refunds' });
    const other = await send('POST', own('/execute'), { input: { refund: 1, order: 1 } });
    const again = await ended(body.executionId).then(({ id }) => send('POST', `/api/executions/${id}/rerun`, {}));
    const ids = [body.executionId, other.body.executionId, again.body.executionId];
    const rows = await prismaClient().execution.findMany({ where: { id: { in: ids } } });
    const required = new Map(rows.map((row) => [row.id, row.requiredAbilities]));
    expect(ids.map((id) => required.get(id))).toEqual([16, 0, 16]);
  });
});

describe.each(TRIGGERS)('of %s', (kind, fieldsOfKind) => {
  test('the start is stored, changed and checked', async () => {
    for (const startNodeId of ['nobody', 'a', 'off']) {
      const { status, body } = await send('POST', own(`/${kind}`), { ...fieldsOfKind, startNodeId });
      expect([status, body.error.details.map(({ field }) => field)]).toEqual([400, ['startNodeId']]);
    }
    const { status, body } = await send('POST', own(`/${kind}`), { ...fieldsOfKind, startNodeId: 'refunds' });
    expect([status, body.startNodeId]).toEqual([201, 'refunds']);
    const at = own(`/${kind}/${body.id}`);
    expect((await send('GET', at)).body.startNodeId).toBe('refunds');
    expect((await send('PUT', at, {})).body.startNodeId).toBe('refunds');
    expect((await send('PUT', at, { startNodeId: 'nobody' })).status).toBe(400);
    expect((await send('PUT', at, { startNodeId: 'orders' })).body.startNodeId).toBe('orders');
    expect((await send('PUT', at, { startNodeId: null })).body.startNodeId).toBeNull();
    const { body: plain } = await send('POST', own(`/${kind}`), { ...fieldsOfKind, path: undefined, ...another(kind) });
    expect(plain.startNodeId).toBeNull();
  });

  test('a start that was saved and waits to be published is accepted', async () => {
    workflowId = await create(ONLY_ORDERS);
    await send('PUT', own('/draft'), { definition: TWO_STARTS });
    expect((await send('POST', own(`/${kind}`), { ...fieldsOfKind, startNodeId: 'refunds' })).status).toBe(201);
  });
});

/** Starts that take any input. */
const NAMED = { orders: { type: 'start' }, refunds: { type: 'start' } };

/** Two of one workflow need other paths. */
const another = (kind: string) => (['webhooks', 'forms', 'chats'].includes(kind) ? { path: 'another' } : {});

const make = async (kind: string, more: object = {}) => {
  const [, given] = TRIGGERS.find(([name]) => name === kind)!;
  return (await send('POST', own(`/${kind}`), { ...given, startNodeId: 'refunds', ...more })).body;
};
const deliver = (path = 'in') => call<Made>('POST', `/webhooks/${workflowId}/${path}`, { body: { refund: 1 } });

describe('a trigger starts runs at its start', () => {
  test('a webhook, also when a delivery is replayed', async () => {
    const { id } = await make('webhooks');
    const { body } = await deliver();
    expect(await ended(body.executionId)).toMatchObject({ ...REFUNDED, trigger: 'webhook' });
    const { body: deliveries } = await send<{ data: { id: string }[] }>('GET', own(`/webhooks/${id}/deliveries`));
    const again = await send('POST', own(`/webhooks/${id}/deliveries/${deliveries.data[0]?.id}/replay`));
    expect(await ended(again.body.executionId)).toMatchObject(REFUNDED);
  });

  test('a webhook that waits for the output of its run, which is that of the chosen branch', async () => {
    await make('webhooks', { response: { mode: 'last_node' } });
    expect(await deliver()).toMatchObject({ status: 200, body: { from: 'refunds' } });
  });

  test('a schedule', async () => {
    const { id } = await make('schedules');
    await prismaClient().schedule.update({ where: { id }, data: { nextRunAt: new Date(Date.now() - 1000) } });
    await fireDueTicks();
    expect(await latestRun()).toMatchObject({ ...REFUNDED, trigger: 'schedule' });
  });

  test('a form', async () => {
    await make('forms');
    const page = `/forms/${workflowId}/ask`;
    expect(await fillIn(new Browser(), page, { refund: 'all of it' })).toMatchObject({ status: 200 });
    expect(await latestRun()).toMatchObject({ ...REFUNDED, trigger: 'form', input: { refund: 'all of it' } });
  });

  test('a chat', async () => {
    workflowId = await create(
      flow({ ...NAMED, a: shape('"orders"'), b: shape('"refunds"') }, ['orders>a', 'refunds>b']),
    );
    await make('chats');
    const events = await eventsOf(await sendMessage({ at: `${workflowId}/talk` }, 'Hello'));
    expect(events.at(-1)).toMatchObject({ event: 'message', data: { text: 'refunds' } });
    expect(await latestRun()).toMatchObject({ startNodeId: 'refunds', trigger: 'chat' });
  });

  test('a poll', async () => {
    const source = await startSource([{ id: 7, refund: 1 }, { id: 8 }]);
    const { id } = await make('polls', itemsPoll(source.url));
    await executeDuePolls();
    await source.close();
    expect(await latestRun()).toMatchObject({ ...REFUNDED, trigger: 'poll', input: { id: 7, refund: 1 } });
    const read = await send<{ lastRefusedReason: string }>('GET', own(`/polls/${id}`));
    expect(read.body.lastRefusedReason).toContain('refund');
  });

  test('a failed run of another workflow', async () => {
    const errorWorkflowId = await create(flow(NAMED), { settings: { startNodeId: 'refunds' } });
    const fails = flow({ s: { type: 'start' }, f: shape('$error("no")') }, ['s>f']);
    const failing = await create(fails, { settings: { errorWorkflowId } });
    const { body } = await send('POST', `/api/workflows/${failing}/execute`, {});
    await ended(body.executionId);
    workflowId = errorWorkflowId;
    while ((await processRunEndings()) > 0);
    expect(await latestRun()).toMatchObject({ startNodeId: 'refunds', trigger: 'error' });
  });

  test('a test', async () => {
    const { id } = await make('tests', { expectations: { output: { from: 'refunds' } } });
    const { body } = await send<{ status: string; executionId: string }>('POST', own(`/tests/${id}/run`), {});
    expect(body.status).toBe('passed');
    expect(await ended(body.executionId)).toMatchObject({ ...REFUNDED, trigger: 'test' });
    const recorded = await send('POST', own('/tests'), { name: 'Recorded', fromExecutionId: body.executionId });
    expect(recorded.body.startNodeId).toBe('refunds');
  });

  test('a sub-workflow', async () => {
    const child = workflowId;
    const config = (startNodeId: string) => ({ workflowId: child, startNodeId, input: { refund: 1 } });
    const call_ = (startNodeId: string) =>
      flow({ s: { type: 'start' }, call: { type: 'sub_workflow', config: config(startNodeId) } }, ['s>call']);
    workflowId = await create(call_('refunds'));
    const { body } = await send('POST', own('/execute'), {});
    expect(await ended(body.executionId)).toMatchObject({ status: 'completed', output: { from: 'refunds' } });
    workflowId = await create(call_('nobody'));
    const refused = await send('POST', own('/execute'), {});
    expect(await ended(refused.body.executionId)).toMatchObject({
      error: { code: 'WORKFLOW_NOT_READY', message: expect.stringContaining('nobody') },
    });
  });
});

describe('a start that the running version has lost', () => {
  const lose = async () => expect((await send('PUT', own(''), { definition: ONLY_ORDERS })).status).toBe(200);

  test('a webhook answers 409', async () => {
    await make('webhooks');
    await lose();
    const { status, body } = await deliver();
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('refunds')]);
  });

  test('the pages of a form and a chat answer 409', async () => {
    await make('forms');
    await make('chats');
    await lose();
    expect((await fillIn(new Browser(), `/forms/${workflowId}/ask`, { refund: 'all' })).status).toBe(409);
    expect((await sendMessage({ at: `${workflowId}/talk` }, 'Hello')).status).toBe(409);
  });

  test('a schedule says so in lastError, and starts nothing', async () => {
    const { id } = await make('schedules');
    await lose();
    await prismaClient().schedule.update({ where: { id }, data: { nextRunAt: new Date(Date.now() - 1000) } });
    await fireDueTicks();
    expect((await send('GET', own(`/schedules/${id}`))).body.lastError).toContain('refunds');
    expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(0);
  });

  test('a poll says so in lastError', async () => {
    const source = await startSource([{ id: 7, refund: 1 }]);
    const { id } = await make('polls', itemsPoll(source.url));
    await lose();
    await executeDuePolls();
    await source.close();
    expect((await send('GET', own(`/polls/${id}`))).body.lastError).toContain('refunds');
  });

  test('refuses to restore the version, until no trigger names it', async () => {
    const original = (await send<{ version: number }>('GET', own(''))).body.version;
    await lose();
    const lost = (await send<{ version: number }>('GET', own(''))).body.version;
    expect((await send('POST', own(`/versions/${original}/restore`), {})).status).toBe(200);
    const { id } = await make('webhooks');
    const refused = await send('POST', own(`/versions/${lost}/restore`), {});
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ field: 'startNodeId', message: expect.stringContaining('webhook in') }],
    ]);
    expect((await deliver()).status).toBe(202);
    await send('PUT', own(`/webhooks/${id}`), { startNodeId: 'orders' });
    expect((await send('POST', own(`/versions/${lost}/restore`), {})).status).toBe(200);
  });

  test('is named by the gaps after the definition of an active workflow was replaced', async () => {
    await make('webhooks');
    expect((await send<{ gaps: object[] }>('GET', own('/gaps'))).body.gaps).toEqual([]);
    await lose();
    expect((await send<{ gaps: object[] }>('GET', own('/gaps'))).body.gaps).toEqual([
      expect.objectContaining({ message: expect.stringContaining('webhook in') }),
    ]);
  });

  test('is a gap, and refuses activation and publishing until nothing enabled names it', async () => {
    await make('schedules');
    const { id } = await make('webhooks');
    await make('tests');
    await send('PUT', own('/draft'), { definition: ONLY_ORDERS });
    const gaps = (await send<{ gaps: { message: string }[] }>('GET', own('/gaps'))).body.gaps;
    expect(gaps.map(({ message }) => message)).toEqual([
      expect.stringContaining('schedule 0 6 * * *'),
      expect.stringContaining('webhook in'),
    ]);
    expect((await send('POST', own('/draft/publish'), {})).body.error.details).toHaveLength(2);
    await lose();
    await send('PUT', own(''), { status: 'paused' });
    expect((await send('PUT', own(''), { status: 'active' })).status).toBe(400);
    await send('PUT', own(`/webhooks/${id}`), { startNodeId: 'orders' });
    await prismaClient().schedule.updateMany({ where: { workflowId }, data: { enabled: false } });
    expect((await send('PUT', own(''), { status: 'active' })).status).toBe(200);
  });
});

describe('the setting startNodeId', () => {
  test('is checked against the definition of the request', async () => {
    const settings = { startNodeId: 'refunds' };
    const fieldsOf = ({ body }: { body: Made }) => body.error.details.map(({ field }) => field);
    const put = (body: object) => send('PUT', own(''), body);
    expect(fieldsOf(await put({ settings: { startNodeId: 'a' } }))).toEqual(['settings.startNodeId']);
    expect((await put({ settings })).body).toMatchObject({ settings });
    expect((await put({ settings: { startNodeId: null } })).body).toMatchObject({ settings: { startNodeId: null } });
    const created = await send('POST', '/api/workflows', { name: 'x', definition: ONLY_ORDERS, settings });
    expect(fieldsOf(created)).toEqual(['settings.startNodeId']);
  });

  test('decides what is called over MCP', async () => {
    await send('PUT', own(''), { settings: { startNodeId: 'refunds', isTool: true } });
    const { body } = await send<{ data: { workflowId: string; inputSchema: object }[] }>('GET', '/api/tools');
    expect(body.data.find((tool) => tool.workflowId === workflowId)).toMatchObject({
      startNodeId: 'refunds',
      inputSchema: { required: ['refund'] },
    });
  });
});

test('a project carries the starts of settings, triggers and tests, and takes them back', async () => {
  const project = unique('starts');
  await send('PUT', own(''), { settings: { startNodeId: 'refunds' } });
  for (const [kind] of TRIGGERS) await make(kind);
  const pulled = (await send<ProjectContent>('GET', `/api/projects/export?project=${project}&workflows=${workflowId}`))
    .body;
  const [file] = pulled.workflows;
  expect(file).toMatchObject({ settings: { startNodeId: 'refunds' }, tests: [{ startNodeId: 'refunds' }] });
  for (const triggers of Object.values(file!.triggers)) expect(triggers).toMatchObject([{ startNodeId: 'refunds' }]);

  const { workflows } = pulled;
  const apply = (content: object) =>
    send<{ changes: { kind: string; action: string }[] } & Refused>('POST', '/api/projects/apply', {
      project,
      force: true,
      ...content,
    });
  const same = await apply({ workflows });
  expect([same.status, same.body.changes]).toEqual([200, []]);

  const { startNodeId: _, ...schedule } = file!.triggers.schedules[0]!;
  const without = { ...file, triggers: { ...file!.triggers, schedules: [schedule] } };
  const changed = await apply({ workflows: [without] });
  expect(changed.body.changes).toMatchObject([{ kind: 'schedule', action: 'update' }]);
  expect(await prismaClient().schedule.findFirst({ where: { workflowId } })).toMatchObject({ startNodeId: null });
});
