import { expect, test, vi } from 'vitest';
import type { WorkflowResponse, WorkflowListItem } from '@/contract/workflows/workflow';
import type { ActivationIssues } from '@/contract/workflows/activation-issues';
import { prismaClient } from '@/server/platform/db/client';
import { EvaluationPool } from '@/server/evaluation/evaluator/pool';
import { buildUser, buildWorkflow, call, ONE_START, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

interface List<Item> {
  data: Item[];
  total: number;
  limit: number;
  offset: number;
}

const create = (token: string, body: object) =>
  call<WorkflowResponse & Refused>('POST', '/api/workflows', { token, body });
const put = (token: string, id: string, body: object, headers = {}) =>
  call<WorkflowResponse & Refused>('PUT', `/api/workflows/${id}`, { token, body, headers });
const get = (token: string, id: string) => call<WorkflowResponse & Refused>('GET', `/api/workflows/${id}`, { token });
const list = (token: string, query = '') =>
  call<List<WorkflowListItem> & Refused>('GET', `/api/workflows${query}`, { token });
const fields = (body: Refused) => body.error.details.map(({ field }) => field);

/** A definition that can be saved but not run: the request has no address. */
const HALF_DRAWN = {
  nodes: [...ONE_START.nodes, { id: 'call', type: 'http_request', position: { x: 200, y: 0 }, config: {} }],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'call', targetPort: 'input' }],
  notes: [{ id: 'n', position: { x: 0, y: 90 }, size: { width: 240, height: 160 }, text: '*Why*', color: 'blue' }],
  groups: [{ id: 'g', name: 'Asks', nodeIds: ['call'], isCollapsed: true }],
};

test('a name is enough to create a workflow', async () => {
  const { token, workspaceId, id } = await buildUser();
  const { status, body, headers } = await create(token, { name: 'First' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'First',
    description: '',
    status: 'draft',
    version: 1,
    workspaceId,
    createdBy: id,
  });
  expect(body.definition.nodes.map(({ type }) => type)).toEqual(['start']);
  expect(headers.get('etag')).toBe('"1"');
  expect((await get(token, body.id)).body).toEqual(body);
});

test('a definition is returned unchanged', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'Drawn', definition: HALF_DRAWN });
  expect(body.definition).toEqual(HALF_DRAWN);
});

test('all issues of a definition are reported at once, with their paths', async () => {
  const { token } = await buildUser();
  const definition = {
    nodes: [
      ...ONE_START.nodes,
      { id: 'a', type: 'teleport', position: { x: 0, y: 0 }, config: {} },
      { id: 'b', type: 'http_request', position: { x: 0, y: 0 }, config: { url: 7 } },
    ],
    connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'nobody', targetPort: 'input' }],
  };
  const { status, body } = await create(token, { name: 'Bad', definition });
  expect(status).toBe(400);
  expect(fields(body)).toEqual(
    expect.arrayContaining(['nodes[1].type', 'nodes[2].config.url', 'connections[0].targetNode']),
  );
});

test.each([
  ['no name', {}, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of 201', { name: 'x'.repeat(201) }, 'name'],
  ['a name with NUL', { name: 'a\0b' }, 'name'],
  ['half a surrogate pair', { name: '\ud800' }, 'name'],
  ['an id of its own', { name: 'x', id: 'wf_mine' }, 'id'],
  ['another workspace', { name: 'x', workspaceId: 'ws_other' }, 'workspaceId'],
  ['a creation time', { name: 'x', createdAt: '2020-01-01T00:00:00Z' }, 'createdAt'],
  ['an unknown status', { name: 'x', status: 'archived' }, 'status'],
  ['no definition at all', { name: 'x', definition: null }, 'definition'],
])('creating with %s is refused, naming the field', async (_, body, field) => {
  const { token } = await buildUser();
  const answer = await create(token, body);
  expect(answer.status).toBe(400);
  expect(fields(answer.body)).toContain(field);
});

test('the list has newest first, pages, and no definitions', async () => {
  const { token } = await buildUser();
  for (const name of ['a', 'b', 'c']) await create(token, { name });
  const { body } = await list(token, '?limit=2&offset=1');
  expect(body).toMatchObject({ total: 3, limit: 2, offset: 1 });
  expect(body.data.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(body.data[0]).not.toHaveProperty('definition');
});

test('search finds part of a name in any case, without wildcards', async () => {
  const { token } = await buildUser();
  for (const name of ['Order 100%', 'order_x', 'back\\slash', 'other']) await create(token, { name });
  const found = async (text: string) =>
    (await list(token, `?search=${encodeURIComponent(text)}`)).body.data.map(({ name }) => name).toSorted();
  expect(await found('ORDER')).toEqual(['Order 100%', 'order_x']);
  expect(await found('%')).toEqual(['Order 100%']);
  expect(await found('_')).toEqual(['order_x']);
  expect(await found('\\')).toEqual(['back\\slash']);
});

test('the list can be filtered by status', async () => {
  const { token, workspaceId } = await buildUser();
  await buildWorkflow({ workspaceId, status: 'active' });
  await buildWorkflow({ workspaceId, status: 'draft' });
  expect((await list(token, '?status=active')).body.total).toBe(1);
});

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=abc',
  'limit=',
  'offset=-1',
  'offset=99999999999',
  'status=none',
  'page=2',
  'limit=1&limit=2',
  'search=%00',
  'search=%ff',
])('the list refuses ?%s', async (query) => {
  const { token } = await buildUser();
  const { status, body } = await list(token, `?${query}`);
  expect(status).toBe(400);
  expect(fields(body)).toEqual([query.split('=')[0]]);
});

test('an update changes only the fields that it contains, and creates a version', async () => {
  const { token } = await buildUser();
  const { body: before } = await create(token, { name: 'Old', description: 'stays', definition: HALF_DRAWN });
  const { status, body: after, headers } = await put(token, before.id, { name: 'New' });
  expect(status).toBe(200);
  expect(after).toEqual({ ...before, name: 'New', version: 2, updatedAt: after.updatedAt });
  expect(after.updatedAt >= before.updatedAt).toBe(true);
  expect(headers.get('etag')).toBe('"2"');
});

test('an update without changes creates no version', async () => {
  const { token } = await buildUser();
  const { body: before } = await create(token, { name: 'Same' });
  const { body: after } = await put(token, before.id, { name: 'Same', definition: before.definition });
  expect(after).toEqual(before);
});

test('an old version, by header or by body, is refused and changes nothing', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'v1' });
  await put(token, body.id, { name: 'v2' });
  expect((await put(token, body.id, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(409);
  expect((await put(token, body.id, { name: 'x', version: 1 })).body.error.code).toBe('CONFLICT');
  expect((await get(token, body.id)).body.name).toBe('v2');
  expect((await put(token, body.id, { name: 'v3' }, { 'if-match': '"2"' })).status).toBe(200);
  expect((await put(token, body.id, { name: 'v4', version: 3 })).status).toBe(200);
});

test('of many concurrent updates of one version exactly one succeeds', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'contested' });
  const answers = await Promise.all(
    [...Array(8).keys()].map((i) => put(token, body.id, { name: `n${i}`, version: 1 })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  expect((await get(token, body.id)).body.version).toBe(2);
});

test('a draft can be activated, paused, resumed and reverted; a draft cannot be paused', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'States' });
  const become = async (status: string) => (await put(token, body.id, { status })).status;
  expect(await become('paused')).toBe(409);
  for (const status of ['active', 'paused', 'active', 'draft', 'active', 'paused', 'draft']) {
    expect(await become(status), status).toBe(200);
  }
  expect((await get(token, body.id)).body.version).toBe(1);
});

test('an incomplete workflow can be saved but not activated; the gaps are reported', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'Half', definition: HALF_DRAWN });
  const refused = await put(token, body.id, { status: 'active' });
  expect(refused.status).toBe(400);
  expect(fields(refused.body)).toContain('nodes[1].config.url');
  const told = await call<ActivationIssues>('GET', `/api/workflows/${body.id}/gaps`, { token });
  expect(told.body).toEqual({ version: 1, gaps: [{ field: 'nodes[1].config.url', message: 'is required' }] });
  const run = await call<Refused>('POST', `/api/workflows/${body.id}/execute`, { token });
  expect(run.status).toBe(400);
  expect(fields(run.body)).toContain('nodes[1].config.url');
});

test('an active workflow cannot become incomplete by an update', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'Live', status: 'active' });
  expect((await put(token, body.id, { definition: HALF_DRAWN })).status).toBe(400);
});

test('versions are listed, read and restored', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'v1', message: 'begin' });
  await put(token, body.id, { name: 'v2', definition: HALF_DRAWN, message: 'more' });
  const path = `/api/workflows/${body.id}/versions`;
  const versions = await call<List<{ version: number; message: string; id: string }>>('GET', path, { token });
  expect(versions.body.data.map(({ version, message }) => [version, message])).toEqual([
    [2, 'more'],
    [1, 'begin'],
  ]);
  expect(versions.body.data[0]!.id).toMatch(/^wfv_/);
  const first = await call<WorkflowResponse>('GET', `${path}/1`, { token });
  expect(first.body).toMatchObject({ version: 1, name: 'v1', definition: body.definition });
  const restored = await call<WorkflowResponse>('POST', `${path}/1/restore`, { token });
  expect(restored.body).toMatchObject({ version: 3, name: 'v1', definition: body.definition });
  expect((await call('GET', `${path}/9`, { token })).status).toBe(404);
  expect((await call('GET', `${path}/x`, { token })).status).toBe(404);
});

test('delete removes everything of the workflow', async () => {
  const { token } = await buildUser();
  const { body } = await create(token, { name: 'Gone' });
  await call('POST', `/api/workflows/${body.id}/execute`, { token });
  expect((await call('DELETE', `/api/workflows/${body.id}`, { token })).status).toBe(204);
  expect((await get(token, body.id)).status).toBe(404);
  expect((await put(token, body.id, { name: 'x' })).status).toBe(404);
  expect((await call('DELETE', `/api/workflows/${body.id}`, { token })).status).toBe(404);
  expect(await prismaClient().execution.count({ where: { workflowId: body.id } })).toBe(0);
});

test('another workspace’s workflow does not exist for any operation', async () => {
  const mine = await buildUser();
  const theirs = await buildUser();
  const { body } = await create(theirs.token, { name: 'secret' });
  for (const [method, tail] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/execute'],
    ['GET', '/versions'],
    ['GET', '/webhooks'],
  ] as const) {
    const answer = await call<Refused>(method, `/api/workflows/${body.id}${tail}`, {
      token: mine.token,
      body: method === 'PUT' ? { name: 'x' } : undefined,
    });
    const unknown = await call<Refused>(method, `/api/workflows/wf_nothing${tail}`, {
      token: mine.token,
      body: method === 'PUT' ? { name: 'x' } : undefined,
    });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(unknown.body);
  }
});

test('editors can limit concurrent runs without creating a version', async () => {
  const user = await buildUser();
  const id = await buildWorkflow(user);
  const put = (concurrency: unknown) =>
    call<WorkflowResponse & Refused>('PUT', `/api/workflows/${id}`, { token: user.token, body: { concurrency } });
  expect((await put({ limit: 1, overflow: 'refuse' })).body).toMatchObject({
    version: 1,
    concurrency: { limit: 1, overflow: 'refuse' },
  });
  const execute = () => call<Refused>('POST', `/api/workflows/${id}/execute`, { token: user.token, body: {} });
  expect((await execute()).status).toBe(202);
  const second = await execute();
  expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT']);
  for (const wrong of [{ limit: 0 }, { limit: 1.5 }, { limit: 1, overflow: 'drop' }, {}, 5]) {
    expect((await put(wrong)).status).toBe(400);
  }
  expect((await put({ limit: 2 })).body.concurrency).toEqual({ limit: 2, overflow: 'queue' });
  expect((await put(null)).body.concurrency).toBeNull();
  expect((await execute()).status).toBe(202);
});

test('a list shows the last run of each workflow to members who may see runs', async () => {
  const { token, workspaceId } = await buildUser();
  const [never, ran] = [await buildWorkflow({ workspaceId }), await buildWorkflow({ workspaceId })];
  const run = () => call<{ executionId: string }>('POST', `/api/workflows/${ran}/execute`, { token, body: {} });
  await run();
  const { body: newest } = await run();
  const lastOf = async (reader: string) => {
    const { data } = (await list(reader)).body;
    return new Map(data.map(({ id, lastExecution }) => [id, lastExecution]));
  };
  const last = await lastOf(token);
  expect(last.get(never)).toBeNull();
  expect(last.get(ran)).toEqual({ id: newest.executionId, status: 'pending', startedAt: expect.any(String) });

  const blind = await buildUser({ workspaceId, role: 'viewer' });
  const permissions = [{ resource: 'workflow', action: 'read' }];
  const role = await call<{ id: string }>('POST', '/api/roles', { token, body: { name: 'Blind', permissions } });
  await prismaClient().roleAssignment.updateMany({ where: { userId: blind.id }, data: { roleId: role.body.id } });
  expect((await lastOf(blind.token)).get(ran)).toBeNull();
});

test('a version shows its author and description', async () => {
  const { token, id: userId } = await buildUser();
  const { body } = await create(token, { name: 'Known' });
  const path = `/api/workflows/${body.id}/versions`;
  const say = (version: number, message: unknown, by = token) =>
    call<Refused>('PUT', `${path}/${version}`, { token: by, body: { message } });
  expect(await say(1, 'As agreed with Ada')).toMatchObject({ status: 200, body: { message: 'As agreed with Ada' } });
  const { data } = (await call<List<object>>('GET', path, { token })).body;
  expect(data).toMatchObject([{ createdBy: userId, author: 'Somebody', message: 'As agreed with Ada' }]);
  expect((await say(2, 'x')).status).toBe(404);
  expect(fields((await say(1, 7)).body)).toEqual(['message']);
  expect((await say(1, 'x', (await buildUser()).token)).status).toBe(404);
});

test('checks of large definitions count for the workspace that sends them', async () => {
  const user = await buildUser();
  const run = vi.spyOn(EvaluationPool.prototype, 'run');
  const expression = `"${'x'.repeat(3000)}"`;
  const large = { id: 'large', type: 'transform', position: { x: 0, y: 0 }, config: { expression } };
  const definition = { nodes: [...ONE_START.nodes, large], connections: [] };
  const made = await call<WorkflowResponse>('POST', '/api/workflows', {
    token: user.token,
    body: { name: 'Large', definition },
  });
  expect(made.status).toBe(201);
  const path = `/api/workflows/${made.body.id}`;
  for (const [method, address] of [
    ['PUT', path],
    ['PUT', `${path}/draft`],
  ] as const) {
    const saved = await call(method, address, { token: user.token, body: { definition } });
    expect([address, saved.status]).toEqual([address, 200]);
  }
  const workspaces = run.mock.calls.map(([workspaceId]) => workspaceId);
  expect(workspaces.length).toBeGreaterThanOrEqual(3);
  expect(new Set(workspaces)).toEqual(new Set([user.workspaceId]));
});
