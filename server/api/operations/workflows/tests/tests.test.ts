import { beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import type { ExecutionReplay, WorkflowTestResult, WorkflowTestResponse } from '@/contract/workflows/workflow-test';
import { prismaClient } from '@/server/platform/db/client';
import { processRunEndings } from '@/server/engine/endings/endings';
import { useWorker } from '@/server/testing/worker';
import { readRunStats } from '@/server/engine/store/stats';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let user: TestUser;
beforeAll(async () => {
  user = await buildUser();
});

/** The request would fail at once: nothing listens there. */
const FETCH = { type: 'http_request', config: { url: 'http://127.0.0.1:9/orders' } };
const ORDER: WorkflowDefinition = flow(
  {
    s: { type: 'start' },
    wait: { type: 'delay', config: { durationMs: 3_600_000 } },
    fetch: FETCH,
    check: { type: 'condition', config: { expression: 'input.body.total > 100' } },
    ask: { type: 'approval', config: { message: 'Large order' } },
    sum: { type: 'transform', config: { expression: '{"total": nodes.fetch.body.total}' } },
  },
  ['s>wait', 'wait>fetch', 'fetch>check', 'check:true>ask', 'ask:approved>sum'],
);

const answer = (total: number) => ({ output: { status: 200, headers: {}, body: { total } } });

const as = <Body>(method: string, path: string, body?: object, { token } = user) =>
  call<Body & Refused>(method, path, { token, body });

async function made(workflowId: string, body: object): Promise<WorkflowTestResponse> {
  const created = await as<WorkflowTestResponse>('POST', `/api/workflows/${workflowId}/tests`, {
    name: 'An order',
    ...body,
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

async function result(test: WorkflowTestResponse, body: object = {}): Promise<WorkflowTestResult> {
  const run = await as<WorkflowTestResult>('POST', `/api/workflows/${test.workflowId}/tests/${test.id}/run`, body);
  expect(run.status, JSON.stringify(run.body)).toBe(200);
  return run.body;
}

async function executed(workflowId: string, input: object): Promise<string> {
  const { body } = await as<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, { input });
  await until(async () => {
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: body.executionId } });
    return row.completedAt !== null;
  }, 'the run to end');
  return body.executionId;
}

describe('a test of a workflow', () => {
  test('passes when the run does what is expected, without calling or waiting for anything', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: ORDER });
    const large = await made(workflowId, {
      mocks: { fetch: answer(200), ask: { output: { comment: '' }, port: 'approved' } },
      expectations: { output: { total: 200 }, nodes: { check: { port: 'true' }, fetch: { output: { body: {} } } } },
    });
    const passed = await result(large);
    expect([passed.status, passed.failures]).toEqual(['passed', []]);
    // With an Idempotency-Key the run starts after the call; its result is read later.
    const path = `/api/workflows/${workflowId}/tests/${large.id}`;
    const headers = { 'idempotency-key': 'once' };
    const later = await call<WorkflowTestResult>('POST', `${path}/run`, { token: user.token, body: {}, headers });
    expect(later.body.status).toBe('running');
    const read = async () =>
      (await as<WorkflowTestResult>('GET', `${path}/runs/${later.body.executionId}`)).body.status;
    await until(async () => (await read()) === 'passed', 'the test to pass');
    const small = await made(workflowId, {
      mocks: { fetch: answer(50) },
      expectations: { nodes: { check: { port: 'false' }, ask: { status: 'not_run' } } },
    });
    expect((await result(small)).status).toBe('passed');
    const { body } = await as<WorkflowTestResponse>('GET', `/api/workflows/${workflowId}/tests/${large.id}`);
    expect(body.lastResult).toMatchObject({ status: 'passed', executionId: later.body.executionId });
  });

  test('says what differs: values, ports, failures, and nodes without a mock', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: ORDER });
    const wrong = await made(workflowId, {
      mocks: { fetch: answer(50) },
      expectations: { output: { total: 50 }, nodes: { check: { port: 'true' }, ask: { status: 'completed' } } },
    });
    const { status, failures } = await result(wrong);
    expect(status).toBe('failed');
    expect(failures.map(({ nodeId }) => nodeId)).toEqual([null, 'check', 'ask']);
    expect(failures[1]).toMatchObject({ expected: 'true', actual: 'false' });

    const bare = await made(workflowId, {});
    const [failure] = (await result(bare)).failures;
    expect(failure).toMatchObject({ nodeId: 'fetch', expected: 'completed', actual: 'failed' });
    expect(failure?.message).toContain('NOT_MOCKED');
    const failing = { mocks: { fetch: { error: { code: 'HTTP_STATUS', message: '503' } } } };
    const expected = await made(workflowId, {
      ...failing,
      expectations: { status: 'failed', nodes: { fetch: { status: 'failed' } } },
    });
    expect((await result(expected)).status).toBe('passed');
  });

  test('compares items exactly, and names the first field that differs', async () => {
    const give = (expression: string) => ({ type: 'transform', config: { expression } });
    const definition = flow(
      {
        s: { type: 'start' },
        one: give('{"a": 1, "b": {"c": [1, 2]}}'),
        list: give('[{"a": 1, "$files": {}}, {"a": 2}]'),
      },
      ['s>one', 'one>list'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const fieldsOf = async (one: unknown[], list: unknown[]) => {
      const nodes = { one: { items: one }, list: { items: list } };
      const { failures } = await result(await made(workflowId, { expectations: { nodes } }));
      return failures.map(({ nodeId, field, expected, actual }) => [nodeId, field, expected, actual]);
    };
    expect(await fieldsOf([{ b: { c: [1, 2] }, a: 1 }], [{ a: 1 }, { a: 2 }])).toEqual([]);
    expect(await fieldsOf([{ a: 1 }], [{ a: 1 }])).toEqual([
      ['one', '[0].b', undefined, { c: [1, 2] }],
      ['list', 'length', 1, 2],
    ]);
    expect(await fieldsOf([{ a: 1, b: { c: [1, 3] } }], [{ a: 1 }, { a: '2' }])).toEqual([
      ['one', '[0].b.c[1]', 3, 2],
      ['list', '[1].a', '2', 2],
    ]);
  });

  test('mocks nodes of loops, in one round or in each', async () => {
    const out = { type: 'transform', config: { expression: 'input.body' } };
    const body = flow({ begin: { type: 'start' }, inner: FETCH, out }, ['begin>inner', 'inner>out']);
    const definition = flow(
      { s: { type: 'start' }, loop: { type: 'for_each', config: { items: 'input.list', body } } },
      ['s>loop'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const looped = await made(workflowId, {
      input: { list: [1, 2, 3] },
      mocks: { 'loop[].inner': { output: { body: 'each' } }, 'loop[1].inner': { output: { body: 'second' } } },
      expectations: { output: ['each', 'second', 'each'] },
    });
    const { status, failures } = await result(looped);
    expect([status, failures]).toEqual(['passed', []]);
  });

  test('is recorded from a run, and fails once the workflow does something else', async () => {
    const definition = flow(
      {
        s: { type: 'start' },
        fetch: FETCH,
        ok: { type: 'transform', config: { expression: '"fetched"' } },
        plan: { type: 'transform', config: { expression: '"failed"' } },
      },
      ['s>fetch', 'fetch>ok', 'fetch:error>plan'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const executionId = await executed(workflowId, { n: 1 });
    const recorded = await made(workflowId, { fromExecutionId: executionId });
    expect(recorded.input).toEqual({ n: 1 });
    expect(Object.keys(recorded.mocks)).toEqual(['fetch']);
    expect((await result(recorded)).failures).toEqual([]);

    const [s, fetch, ok, plan] = definition.nodes;
    const changed = { ...definition, nodes: [s, fetch, ok, { ...plan, config: { expression: '"gave up"' } }] };
    const saved = await as<WorkflowResponse>('PUT', `/api/workflows/${workflowId}/draft`, { definition: changed });
    expect(saved.status).toBe(200);
    const { failures, version } = await result(recorded);
    expect(version).toBe(saved.body.version);
    expect(failures.length).toBeGreaterThan(0);
    expect((await result(recorded, { useLatest: false })).status).toBe('passed');
  });

  test('must pass before a version is published, where the workflow asks for that', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: ORDER });
    const path = `/api/workflows/${workflowId}`;
    const one = await made(workflowId, { name: 'Small order', mocks: { fetch: answer(50) } });
    expect((await as('PUT', path, { settings: { requireTests: true } })).status).toBe(200);
    const refused = await as('PUT', path, { status: 'active' });
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('Small order')]);
    await result(one);
    expect((await as('PUT', path, { status: 'active' })).status).toBe(200);

    const [first, ...rest] = ORDER.nodes;
    const definition = { ...ORDER, nodes: [{ ...first, name: 'Begin' }, ...rest] };
    expect((await as('PUT', path, { definition })).status).toBe(409);
    expect((await as('PUT', `${path}/draft`, { definition })).status).toBe(200);
    expect((await as('POST', `${path}/draft/publish`, {})).status).toBe(409);
    expect((await result(one)).status).toBe('passed');
    expect((await as('POST', `${path}/draft/publish`, {})).status).toBe(200);
  });

  test('leaves alerts, error workflows and statistics alone', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: ORDER });
    const handler = await buildWorkflow({ workspaceId: user.workspaceId });
    await as('PUT', `/api/workflows/${workflowId}`, { settings: { errorWorkflowId: handler } });
    const bare = await made(workflowId, {});
    const { executionId } = await result(bare);
    const { body } = await as<ExecutionResponse>('GET', `/api/executions/${executionId}`);
    expect([body.trigger, body.status]).toEqual(['test', 'failed']);
    // Without the mocks it would act outside.
    expect((await as('POST', `/api/executions/${executionId}/rerun`, {})).status).toBe(409);
    const where = { executionId, kind: 'follow' };
    expect(await prismaClient().runEnding.count({ where })).toBe(1);
    await processRunEndings();
    expect(await prismaClient().runEnding.count({ where })).toBe(0);
    expect(await prismaClient().execution.count({ where: { workflowId: handler } })).toBe(0);
    const { workspaceId } = user;
    const hour = {
      from: new Date(Date.now() - 3_600_000),
      to: new Date(Date.now() + 3_600_000),
      bucket: 'hour' as const,
    };
    const stats = await readRunStats({ workspaceId, ...hour, workflowIds: [workflowId] });
    expect(stats.workflows).toEqual([]);
  });

  test('refuses bad input, and is closed to others', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: ORDER });
    const path = `/api/workflows/${workflowId}/tests`;
    const fieldsOf = async (body: object) => {
      const { status, body: answered } = await as('POST', path, { name: 'Odd', ...body });
      return [status, answered.error.details[0]?.field];
    };
    expect(await fieldsOf({ mocks: { fetch: { output: 1, error: { code: 'X' } } } })).toEqual([400, 'mocks.fetch']);
    expect(await fieldsOf({ expectations: { status: 'paused' } })).toEqual([400, 'expectations.status']);
    expect(await fieldsOf({ fromExecutionId: 'exec_none' })).toEqual([400, 'fromExecutionId']);
    expect(await fieldsOf({ mocks: { fetch: { output: 'x'.repeat(1024 * 1024) } } })).toEqual([400, 'mocks']);

    const stranger = await buildUser();
    const theirs = await buildWorkflow({ workspaceId: stranger.workspaceId });
    const foreign = await as<{ executionId: string }>('POST', `/api/workflows/${theirs}/execute`, {}, stranger);
    expect(await fieldsOf({ fromExecutionId: foreign.body.executionId })).toEqual([400, 'fromExecutionId']);
    const own = await made(workflowId, {});
    const { executionId } = await result(own);
    for (const [method, address] of [
      ['GET', path],
      ['POST', `${path}/${own.id}/run`],
      ['GET', `${path}/${own.id}/runs/${executionId}`],
      ['POST', `/api/workflows/${workflowId}/replays`],
    ] as const)
      expect((await as(method, address, method === 'POST' ? {} : undefined, stranger)).status, address).toBe(404);
    const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    expect((await as('POST', path, { name: 'Mine' }, viewer)).status).toBe(403);
    expect((await as('POST', `${path}/${own.id}/run`, {}, viewer)).status).toBe(403);
  });
});

test('recorded runs are replayed on the changed workflow, and the nodes that differ are named', async () => {
  const definition = (expression: string) =>
    flow(
      {
        s: { type: 'start' },
        fetch: FETCH,
        price: { type: 'transform', config: { expression } },
      },
      ['s>fetch', 'fetch:error>price'],
    );
  const first = definition('nodes.s.n * 2');
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: first });
  for (const n of [1, 2, 3]) await executed(workflowId, { n });
  const replays = async (body: object) =>
    (await as<{ data: ExecutionReplay[] }>('POST', `/api/workflows/${workflowId}/replays`, body)).body.data;
  expect((await replays({})).map(({ status }) => status)).toEqual(['same', 'same', 'same']);

  const changed = definition('nodes.s.n = 2 ? 0 : nodes.s.n * 2');
  expect((await as('PUT', `/api/workflows/${workflowId}`, { definition: changed })).status).toBe(200);
  const [third, second] = await replays({ limit: 2 });
  expect(third).toMatchObject({ status: 'same', differences: [] });
  expect(second?.status).toBe('different');
  expect(second?.differences).toEqual([
    {
      nodeId: 'price',
      change: 'output',
      before: { status: 'completed', output: 4 },
      after: { status: 'completed', output: 0 },
    },
  ]);
  // Replays are not replayed again.
  expect(await prismaClient().execution.count({ where: { workflowId, trigger: 'test' } })).toBe(5);
});
