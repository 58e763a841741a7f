import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { ScopedPermission } from '@/contract/access/security';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { executeDuePolls } from '@/server/triggers/polls/poller';
import { useWorker } from '@/server/testing/worker';
import { petStore } from '@/server/evaluation/openapi/testing/documents';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { listenOn } from '@/server/testing/listen';
import { buildPermitted, permit } from '@/server/testing/permitted';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let owner: TestUser;
let author: TestUser;
let connectorId: string;
let calls = 0;
let api: Awaited<ReturnType<typeof listenOn>>;
beforeAll(async () => {
  getRuntime().env.egressAllowPrivate = true;
  api = await listenOn((_, response) => {
    calls += 1;
    response.setHeader('content-type', 'application/json').end('{"items": []}');
  });
  owner = await buildUser();
  const body = { openapi: JSON.stringify(petStore(`${api.url}/v1`)) };
  connectorId = (await as<{ id: string }>(owner, 'POST', '/api/connectors', body)).body.id;
});
afterAll(async () => {
  await api.close();
});

const AUTHOR: ScopedPermission[] = [
  { resource: 'workflow', action: '*' },
  { resource: 'poll', action: '*' },
  { resource: 'execution', action: '*' },
  { resource: 'credential', action: '*' },
];
const USE: ScopedPermission = { resource: 'connector', action: 'use' };
beforeEach(async () => {
  author = await buildPermitted(owner.workspaceId, [...AUTHOR, USE]);
});

const as = <Body = WorkflowResponse>(user: TestUser, method: string, path: string, body?: object) =>
  call<Body & Refused>(method, path, { token: user.token, body });

const asking = (): Sketch => ({ type: 'connector', config: { connectorId, operation: 'status', parameters: {} } });
const alone = () => flow({ s: { type: 'start' }, n: asking() }, ['s>n']);
const looped = () =>
  flow({ s: { type: 'start' }, l: { type: 'for_each', config: { items: '[1]', body: alone() } } }, ['s>l']);

async function create(user: TestUser, definition: WorkflowDefinition): Promise<string> {
  const { status, body } = await as(user, 'POST', '/api/workflows', { name: 'x', definition });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function run(path: string): Promise<ExecutionResponse> {
  const { status, body } = await as<{ executionId: string }>(owner, 'POST', path, {});
  expect(status, JSON.stringify(body)).toBe(202);
  return until(async () => {
    const read = await as<ExecutionResponse>(owner, 'GET', `/api/executions/${body.executionId}`);
    return read.body.completedAt !== undefined && read.body;
  }, 'the run to end');
}

/** Leaves a member without `connector:use`. */
async function demote(user: TestUser): Promise<void> {
  await prismaClient().roleAssignment.deleteMany({ where: { userId: user.id } });
  await permit(user, AUTHOR);
}

const refusal = (nodeId: string) => ({
  status: 'failed',
  error: { code: 'FORBIDDEN', nodeId, message: expect.stringContaining('connector:use') as string },
});

test.each([
  ['at the top', alone, 'n'],
  ['in a loop', looped, 'l[0].n'],
])('a run calls a connector with the permission of its publisher: %s', async (_, definition, nodeId) => {
  const id = await create(author, definition());
  const first = await run(`/api/workflows/${id}/execute`);
  expect(first.status).toBe('completed');
  const before = calls;
  await demote(author);
  expect(await run(`/api/workflows/${id}/execute`)).toMatchObject(refusal(nodeId));
  expect(await run(`/api/executions/${first.id}/rerun`)).toMatchObject(refusal(nodeId));
  expect(calls).toBe(before);
});

test('a sub-workflow calls a connector with the permission of its own publisher', async () => {
  const inner = await create(author, alone());
  const outer = await create(
    owner,
    flow({ s: { type: 'start' }, c: { type: 'sub_workflow', config: { workflowId: inner } } }, ['s>c']),
  );
  expect((await run(`/api/workflows/${outer}/execute`)).status).toBe('completed');
  await demote(author);
  const { error } = await run(`/api/workflows/${outer}/execute`);
  expect(error).toMatchObject({ code: 'SUB_WORKFLOW', message: expect.stringContaining('FORBIDDEN') as string });
});

test('tools of an agent need it as well', async () => {
  const llm = { name: 'Model', type: 'llm', config: { provider: 'ollama', baseUrl: api.url } };
  const { body: model } = await as<{ id: string }>(owner, 'POST', '/api/credentials', llm);
  const tool = { name: 'pets', type: 'connector', config: asking().config };
  const agent = (): Sketch => ({
    type: 'agent',
    credentialId: model.id,
    config: { model: 'm', instructions: 'x', input: 'x', tools: [tool] },
  });
  const definition = flow({ s: { type: 'start' }, a: agent() }, ['s>a']);
  await demote(author);
  const refused = await as(author, 'POST', '/api/workflows', { name: 'x', definition });
  expect([refused.status, refused.body.error.details]).toEqual([
    403,
    [
      {
        field: 'nodes[1].config.tools[0].config.connectorId',
        message: `needs the permission connector:use on ${connectorId}`,
      },
    ],
  ]);
  await permit(author, [USE]);
  const id = await create(author, definition);
  await demote(author);
  expect(await run(`/api/workflows/${id}/execute`)).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
});

test('a poll needs it of whoever saves its node, and at each call', async () => {
  const id = await create(owner, flow({ s: { type: 'start' } }));
  await as(owner, 'PUT', `/api/workflows/${id}`, { status: 'active' });
  const { type, config } = asking();
  const body = { name: 'p', intervalMs: 3_600_000, node: { type, config }, items: 'input.items', key: 'item.id' };
  const path = `/api/workflows/${id}/polls`;
  await demote(author);
  const refused = await as(author, 'POST', path, body);
  expect([refused.status, refused.body.error.message]).toEqual([403, 'This needs the permission connector:use.']);
  await permit(author, [USE]);
  const { status, body: made } = await as<{ id: string }>(author, 'POST', path, body);
  expect(status).toBe(201);
  await demote(author);
  await prismaClient().poll.update({ where: { id: made.id }, data: { nextPollAt: new Date(0) } });
  await executeDuePolls();
  const { lastError } = await prismaClient().poll.findUniqueOrThrow({ where: { id: made.id } });
  expect(lastError).toContain('connector:use');
});

test('a push of files needs it', async () => {
  const files = { project: 'pets', workflows: [{ name: 'pets', definition: alone() }] };
  await demote(author);
  const refused = await as(author, 'POST', '/api/projects/plan', files);
  expect(JSON.stringify(refused.body)).toContain('connector:use');
  const applied = await as(author, 'POST', '/api/projects/apply', files);
  expect(applied.status).toBeGreaterThanOrEqual(400);
  expect(await prismaClient().workflow.count({ where: { workspaceId: owner.workspaceId, name: 'pets' } })).toBe(0);
});
