import { expect, test } from 'vitest';
import type { ExecutionResponse, ExecutionSummary } from '@/contract/execution';
import type { LogEntry } from '@/contract/execution-log';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useWorker } from '@/server/testing/worker';
import { buildUser, buildWorkflow, call, ONE_START, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();
useWorker();

const node = (id: string, type: string, config = {}) => ({ id, type, config, position: { x: 0, y: 0 } });
const line = (sourceNode: string, targetNode: string, sourcePort = 'output') => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});

const approving = (assignees?: string[]): WorkflowDefinition => ({
  nodes: [...ONE_START.nodes, node('ask', 'approval', assignees ? { assignees } : {})],
  connections: [line('start', 'ask')],
});

const execute = (user: TestUser, workflowId: string, body: object = {}) =>
  call<{ executionId: string; status: string; startedAt: string } & Refused>(
    'POST',
    `/api/workflows/${workflowId}/execute`,
    { token: user.token, body },
  );
const get = (user: TestUser, id: string) =>
  call<ExecutionResponse & Refused>('GET', `/api/executions/${id}`, { token: user.token });
const cancel = (user: TestUser, id: string) =>
  call<ExecutionResponse & Refused>('POST', `/api/executions/${id}/cancel`, { token: user.token });
const resume = (user: TestUser, id: string, body: object) =>
  call<ExecutionResponse & Refused>('POST', `/api/executions/${id}/resume`, { token: user.token, body });

async function until(user: TestUser, id: string, status: string): Promise<ExecutionResponse> {
  for (const deadline = Date.now() + 10_000; ;) {
    const { body } = await get(user, id);
    if (body.status === status) return body;
    if (Date.now() > deadline) throw new Error(`still ${body.status}: ${JSON.stringify(body.error)}`);
  }
}

async function paused(user: TestUser, assignees?: string[]): Promise<string> {
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: approving(assignees) });
  const { executionId } = (await execute(user, workflowId)).body;
  await until(user, executionId, 'paused');
  return executionId;
}

test('a run is accepted at once and completes', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow(user);
  const { status, body } = await execute(user, workflowId, { input: { a: [1] } });
  expect(status).toBe(202);
  expect(body).toEqual({
    executionId: expect.stringMatching(/^exec_/),
    status: 'pending',
    startedAt: expect.any(String),
  });
  expect(await until(user, body.executionId, 'completed')).toMatchObject({
    workflowId,
    workflowVersion: 1,
    trigger: 'manual',
    createdBy: user.id,
    input: { a: [1] },
    output: { a: [1] },
    error: null,
    nodeResults: [{ nodeId: 'start', status: 'completed' }],
  });
});

test.each([
  [{ input: [] }, 'input'],
  [{ input: 'text' }, 'input'],
  [{ inputs: {} }, 'inputs'],
])('%j is not a valid input', async (body, field) => {
  const user = await buildUser();
  const answer = await execute(user, await buildWorkflow(user), body);
  expect([answer.status, answer.body.error.details[0]?.field]).toEqual([400, field]);
});

test('an input that does not match the start node’s schema is refused with its path', async () => {
  const user = await buildUser();
  const inputSchema = {
    type: 'object',
    required: ['order'],
    properties: { order: { type: 'object', required: ['no'] } },
  };
  const definition = { nodes: [node('start', 'start', { inputSchema })], connections: [] };
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const { status, body } = await execute(user, workflowId, { input: { order: {} } });
  expect(status).toBe(400);
  expect(body.error.details[0]?.field).toMatch(/^input\.order/);
});

test('the list has the newest first, filters, and no inputs and results', async () => {
  const user = await buildUser();
  const [one, other] = [await buildWorkflow(user), await buildWorkflow(user)];
  const ids = [];
  for (const workflowId of [one, other, one]) ids.push((await execute(user, workflowId)).body.executionId);
  const list = async (query: string) =>
    (await call<{ data: ExecutionSummary[]; total: number }>('GET', `/api/executions${query}`, { token: user.token }))
      .body;
  const all = await list('');
  expect(all.data.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(all.data[0]).not.toHaveProperty('input');
  expect((await list(`?workflowId=${one}`)).total).toBe(2);
  expect((await list('?trigger=webhook')).total).toBe(0);
  expect(all.data[0]?.workflowName).toMatch(/^workflow/);
  await call('PUT', `/api/workflows/${other}`, { token: user.token, body: { name: 'Bills of 100 % of us' } });
  const found = async (search: string, more = '') => {
    const { data, total } = await list(`?search=${encodeURIComponent(search)}${more}`);
    expect(total).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await found('00 % OF')).toEqual([ids[1]]);
  expect(await found('bills', `&workflowId=${one}`)).toEqual([]);
  expect(await found('bills', '&from=2020-01-01T00:00:00Z&status=paused')).toEqual([]);
  expect(await found(ids[2] ?? '')).toEqual([ids[2]]);
  expect(await found('exec_nobody')).toEqual([]);
  expect((await list('?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z')).total).toBe(0);
  expect((await list(`?to=2999-01-01T00:00:00Z&limit=1&offset=2`)).data.map(({ id }) => id)).toEqual([ids[0]]);
});

test('partial runs are listed and counted by themselves', async () => {
  const [user, stranger] = [await buildUser(), await buildUser()];
  const workflowId = await buildWorkflow(user);
  const whole = (await execute(user, workflowId)).body.executionId;
  const partial = (await execute(user, workflowId, { untilNodeId: 'start' })).body.executionId;
  const foreign = await buildWorkflow(stranger);
  await execute(stranger, foreign, { untilNodeId: 'start' });
  const list = async (query: string) => {
    const { body } = await call<{ data: ExecutionSummary[]; total: number }>('GET', `/api/executions?${query}`, user);
    return { ids: body.data.map(({ id }) => id), total: body.total };
  };
  expect(await list('partial=true')).toEqual({ ids: [partial], total: 1 });
  const { body } = await call<{ data: ExecutionSummary[] }>('GET', '/api/executions', user);
  expect(body.data.map(({ id, untilNodeName }) => [id, untilNodeName])).toEqual([
    [partial, 'Start'],
    [whole, undefined],
  ]);
  expect(await list('partial=false')).toEqual({ ids: [whole], total: 1 });
  expect(await list(`partial=false&workflowId=${workflowId}`)).toEqual({ ids: [whole], total: 1 });
  expect(await list('partial=true&trigger=webhook')).toEqual({ ids: [], total: 0 });
  expect(await list(`partial=true&workflowId=${foreign}`)).toEqual({ ids: [], total: 0 });
});

test.each([
  'partial=1',
  'status=done',
  'from=yesterday',
  'from=0000-01-01T00:00:00Z',
  'to=2026-02-31T00:00:00Z',
  'trigger=x',
])('the list refuses ?%s', async (query) => {
  const { token } = await buildUser();
  expect((await call('GET', `/api/executions?${query}`, { token })).status).toBe(400);
});

test('a waiting run is approved, and continues', async () => {
  const user = await buildUser();
  const id = await paused(user);
  const { status, body } = await resume(user, id, { nodeId: 'ask', decision: 'approved', comment: 'fine' });
  expect(status).toBe(200);
  expect(body.id).toBe(id);
  const { output } = await until(user, id, 'completed');
  expect(output).toMatchObject({ decision: 'approved', comment: 'fine', decidedBy: user.email });
});

test('of many decisions exactly one counts', async () => {
  const user = await buildUser();
  const id = await paused(user);
  const answers = await Promise.all(
    [...Array(6).keys()].map((i) => resume(user, id, { nodeId: 'ask', decision: i % 2 ? 'approved' : 'rejected' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
});

test('a decision without a pending approval: 409; at another node: 400; with an unknown word: 400', async () => {
  const user = await buildUser();
  const id = await paused(user);
  expect((await resume(user, id, { nodeId: 'start', decision: 'approved' })).status).toBe(409);
  const unknown = await resume(user, id, { nodeId: 'nobody', decision: 'approved' });
  expect([unknown.status, unknown.body.error.details[0]?.field]).toEqual([400, 'nodeId']);
  expect((await resume(user, id, { nodeId: 'ask', decision: 'maybe' })).body.error.details[0]?.field).toBe('decision');
});

test('an approval with assignees can be decided by them, admins and owners', async () => {
  const owner = await buildUser();
  const operator = await buildUser({ workspaceId: owner.workspaceId, role: 'operator' });
  const assignee = await buildUser({ workspaceId: owner.workspaceId, role: 'operator' });
  const id = await paused(owner, [assignee.email.toUpperCase()]);
  expect((await resume(operator, id, { nodeId: 'ask', decision: 'approved' })).status).toBe(403);
  expect((await resume(assignee, id, { nodeId: 'ask', decision: 'approved' })).status).toBe(200);
  const other = await paused(owner, [assignee.email]);
  expect((await resume(owner, other, { nodeId: 'ask', decision: 'rejected' })).status).toBe(200);
});

test('a cancelled run fails, with the reason in the answer, and cannot be cancelled again', async () => {
  const user = await buildUser();
  const id = await paused(user);
  const { status, body } = await cancel(user, id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  expect((await cancel(user, id)).body.error.code).toBe('CONFLICT');
  expect((await resume(user, id, { nodeId: 'ask', decision: 'approved' })).status).toBe(409);
  expect((await get(user, id)).body).toEqual(body);
  const other = await paused(user);
  await resume(user, other, { nodeId: 'ask', decision: 'approved' });
  const listed = async (query: string) => {
    const { token } = user;
    const answer = await call<{ data: { id: string }[]; total: number }>('GET', `/api/executions?${query}`, { token });
    return [answer.body.data.map((run) => run.id), answer.body.total];
  };
  expect(await listed('cancelled=true')).toEqual([[id], 1]);
  expect(await listed('cancelled=false&status=failed')).toEqual([[], 0]);
  expect(await listed('cancelled=false')).toEqual([[other], 1]);
});

test('logs show the course of a run, and of one node', async () => {
  const user = await buildUser();
  const id = await paused(user);
  const logs = async (query = '') =>
    (await call<{ logs: LogEntry[] }>('GET', `/api/executions/${id}/logs${query}`, { token: user.token })).body.logs;
  expect((await logs()).length).toBeGreaterThan(2);
  for (const entry of await logs('?nodeId=ask')) expect(entry).toMatchObject({ nodeId: 'ask', level: 'info' });
  expect(await logs('?nodeId=nobody')).toEqual([]);
});

test('another workspace’s execution does not exist', async () => {
  const id = await paused(await buildUser());
  const stranger = await buildUser();
  expect((await get(stranger, id)).status).toBe(404);
  expect((await cancel(stranger, id)).status).toBe(404);
  expect((await resume(stranger, id, { nodeId: 'ask', decision: 'approved' })).status).toBe(404);
  expect((await call('GET', `/api/executions/${id}/logs`, { token: stranger.token })).status).toBe(404);
});

test('starting, cancelling and deciding are audited', async () => {
  const { prismaClient: prisma } = await import('@/server/platform/db/client');
  const user = await buildUser();
  const id = await paused(user);
  await resume(user, id, { nodeId: 'ask', decision: 'approved' });
  const entries = await prisma().auditEntry.findMany({
    where: { workspaceId: user.workspaceId },
    orderBy: { sequence: 'asc' },
  });
  expect(entries.map(({ action, result }) => [action, result])).toEqual([
    ['workflows.execute', 'success'],
    ['executions.resume', 'success'],
  ]);
  expect(entries[1]?.resource).toEqual({ type: 'execution', id });
});
