import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FolderResponse } from '@/contract/workflows/folder';
import type { WorkflowResponse, WorkflowListItem } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { readListedTriggers } from './listed-triggers';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

let owner: TestUser;
let viewer: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  owner = await buildUser();
  viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  stranger = await buildUser();
});
beforeEach(async () => {
  await prismaClient().workflow.deleteMany();
  await prismaClient().folder.deleteMany();
});

const as = <Body = Refused>(user: TestUser, method: string, path: string, body?: object) =>
  call<Body>(method, path, { token: user.token, body });
async function folder(name: string, parentId: string | null = null, user = owner): Promise<string> {
  const { status, body } = await as<FolderResponse>(user, 'POST', '/api/folders', { name, parentId });
  expect(status).toBe(201);
  return body.id;
}
const listed = async (query: string, user = owner) =>
  (await as<{ data: WorkflowListItem[] }>(user, 'GET', `/api/workflows?${query}`)).body.data;
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('folders', () => {
  test('are created, renamed, moved and listed', async () => {
    const top = await folder('Sales');
    const inner = await folder('Leads', top);
    const moved = await as<FolderResponse>(owner, 'PUT', `/api/folders/${inner}`, {
      name: 'Prospects',
      parentId: null,
    });
    expect(moved.body).toMatchObject({ id: inner, name: 'Prospects', parentId: null });
    const { body } = await as<{ data: FolderResponse[]; total: number }>(viewer, 'GET', '/api/folders');
    expect(idsOf(body.data)).toEqual([inner, top]);
    expect(body.total).toBe(2);
    expect((await as<FolderResponse>(viewer, 'GET', `/api/folders/${top}`)).body.name).toBe('Sales');
  });

  test('have different names in one place', async () => {
    const top = await folder('Sales');
    await folder('Sales', top);
    expect((await as(owner, 'POST', '/api/folders', { name: 'Sales' })).status).toBe(409);
    const other = await folder('Support');
    expect((await as(owner, 'PUT', `/api/folders/${other}`, { name: 'Sales' })).status).toBe(409);
  });

  test('are never inside themselves, and at most five levels deep', async () => {
    let last = await folder('1');
    const first = last;
    for (const name of ['2', '3', '4', '5']) last = await folder(name, last);
    for (const request of [
      as(owner, 'POST', '/api/folders', { name: '6', parentId: last }),
      as(owner, 'PUT', `/api/folders/${first}`, { parentId: last }),
      as(owner, 'PUT', `/api/folders/${first}`, { parentId: first }),
      as(owner, 'PUT', `/api/folders/${first}`, { parentId: await folder('above') }),
    ]) {
      const { status, body } = await request;
      expect(status).toBe(400);
      expect(body.error.details[0]?.field).toBe('parentId');
    }
  });

  test('leave their contents to the folder above when they are deleted', async () => {
    const top = await folder('Sales');
    const middle = await folder('Leads', top);
    const inner = await folder('Old', middle);
    const id = await buildWorkflow({ workspaceId: owner.workspaceId });
    await as(owner, 'PUT', `/api/workflows/${id}`, { folderId: middle });
    expect((await as(owner, 'DELETE', `/api/folders/${middle}`)).status).toBe(204);
    expect((await as<WorkflowResponse>(owner, 'GET', `/api/workflows/${id}`)).body.folderId).toBe(top);
    expect((await as<FolderResponse>(owner, 'GET', `/api/folders/${inner}`)).body.parentId).toBe(top);
  });

  test('are changed by editors of their workspace alone', async () => {
    const top = await folder('Sales');
    expect((await as(viewer, 'POST', '/api/folders', { name: 'Mine' })).status).toBe(403);
    expect((await as(viewer, 'PUT', `/api/folders/${top}`, { name: 'Mine' })).status).toBe(403);
    expect((await as(stranger, 'GET', `/api/folders/${top}`)).status).toBe(404);
    const foreign = await folder('Theirs', null, stranger);
    expect((await as(owner, 'POST', '/api/folders', { name: 'In', parentId: foreign })).status).toBe(400);
    const id = await buildWorkflow({ workspaceId: owner.workspaceId });
    const { status, body } = await as(owner, 'PUT', `/api/workflows/${id}`, { folderId: foreign });
    expect(status).toBe(400);
    expect(body.error.details[0]?.field).toBe('folderId');
  });
});

test('workflows are filtered by folder, tag and favorite', async () => {
  const top = await folder('Sales');
  const make = async (body: object) => (await as<WorkflowResponse>(owner, 'POST', '/api/workflows', body)).body;
  const first = await make({ name: 'A', folderId: top, tags: ['urgent', 'eu'], isFavorite: true });
  const second = await make({ name: 'B', tags: ['eu'] });
  expect(first).toMatchObject({ folderId: top, tags: ['urgent', 'eu'], isFavorite: true });
  expect(second).toMatchObject({ folderId: null, tags: ['eu'], isFavorite: false });
  expect(idsOf(await listed(`folderId=${top}`))).toEqual([first.id]);
  expect(idsOf(await listed('folderId=none'))).toEqual([second.id]);
  expect(idsOf(await listed('tag=eu'))).toEqual([second.id, first.id]);
  expect(idsOf(await listed('tag=urgent&favorite=false'))).toEqual([]);
  expect(idsOf(await listed('favorite=true'))).toEqual([first.id]);
  expect(await listed('favorite=true', viewer)).toEqual([]);
  expect((await listed(''))[0]).toMatchObject({ owner: 'Somebody', tags: ['eu'] });
  const { body } = await as<{ data: unknown[] }>(viewer, 'GET', '/api/tags');
  expect(body.data).toEqual([
    { name: 'eu', workflows: 2 },
    { name: 'urgent', workflows: 1 },
  ]);
  expect((await as<{ data: unknown[] }>(stranger, 'GET', '/api/tags')).body.data).toEqual([]);
});

test('tags and folder change without a new version', async () => {
  const top = await folder('Sales');
  const id = await buildWorkflow({ workspaceId: owner.workspaceId });
  const { body } = await as<WorkflowResponse>(owner, 'PUT', `/api/workflows/${id}`, { tags: ['x'], folderId: top });
  expect(body).toMatchObject({ tags: ['x'], folderId: top, version: 1 });
  const back = await as<WorkflowResponse>(owner, 'PUT', `/api/workflows/${id}`, { tags: [], folderId: null });
  expect(back.body).toMatchObject({ tags: [], folderId: null, version: 1 });
});

test.each([
  [['a', 'a'], 'tags'],
  [[' a'], 'tags[0]'],
  [[''], 'tags[0]'],
  [Array.from({ length: 21 }, (_, index) => `${index}`), 'tags'],
])('the tags %j are refused', async (tags, field) => {
  const { status, body } = await as(owner, 'POST', '/api/workflows', { name: 'X', tags });
  expect(status).toBe(400);
  expect(body.error.details[0]?.field).toBe(field);
});

test('a favorite belongs to the caller, who need not be an editor', async () => {
  const id = await buildWorkflow({ workspaceId: owner.workspaceId });
  const path = `/api/workflows/${id}/favorite`;
  const isFavorite = async (user: TestUser) =>
    (await as<WorkflowResponse>(user, 'GET', `/api/workflows/${id}`)).body.isFavorite;
  expect((await as(viewer, 'PUT', path)).body).toEqual({ isFavorite: true });
  expect(await isFavorite(viewer)).toBe(true);
  expect(await isFavorite(owner)).toBe(false);
  expect((await as(viewer, 'DELETE', path)).status).toBe(204);
  expect(await isFavorite(viewer)).toBe(false);
  expect((await as(stranger, 'PUT', path)).status).toBe(404);
  expect((await as<WorkflowResponse>(owner, 'PUT', `/api/workflows/${id}`, { isFavorite: true })).body.isFavorite).toBe(
    true,
  );
});

test('workflows, credentials and tables are sorted by name, without regard to capitals, and by time', async () => {
  const named = ['banana', 'Apple', 'cherry'];
  for (const name of named) await as(owner, 'POST', '/api/workflows', { name });
  const names = async (path: string, query: string, user = owner) =>
    (await as<{ data: { name: string }[] }>(user, 'GET', `${path}?${query}`)).body.data.map(({ name }) => name);
  expect(await names('/api/workflows', 'sort=name')).toEqual(['Apple', 'banana', 'cherry']);
  expect(await names('/api/workflows', 'sort=-name&limit=1&offset=1')).toEqual(['banana']);
  expect(await names('/api/workflows', 'sort=createdAt')).toEqual(named);
  expect(await names('/api/workflows', '')).toEqual(named.toReversed());
  expect(await names('/api/workflows', 'sort=name&search=an')).toEqual(['banana']);
  expect(await names('/api/workflows', 'sort=name', stranger)).toEqual([]);
  for (const name of named) {
    await as(owner, 'POST', '/api/credentials', { name, type: 'api_key', config: { apiKey: 'abcdef' } });
    await as(owner, 'POST', '/api/tables', { name, columns: [] });
  }
  for (const path of ['/api/credentials', '/api/tables']) {
    expect(await names(path, 'sort=name')).toEqual(['Apple', 'banana', 'cherry']);
    expect(await names(path, 'sort=-updatedAt&limit=1')).toEqual(['cherry']);
  }
});

test('a cursor goes on from the newest alone', async () => {
  await buildWorkflow({ workspaceId: owner.workspaceId });
  await buildWorkflow({ workspaceId: owner.workspaceId });
  const page = (query: string) =>
    as<{ nextCursor: string | null } & Refused>(owner, 'GET', `/api/workflows?limit=1&${query}`);
  const { body } = await page('');
  expect(body.nextCursor).not.toBeNull();
  expect((await page('sort=name')).body.nextCursor).toBeNull();
  const refused = await page(`sort=name&cursor=${body.nextCursor}`);
  expect(refused.status).toBe(400);
  expect(refused.body.error.details[0]?.field).toBe('sort');
});

test('the list says what can start a workflow, each kind once', async () => {
  const id = await buildWorkflow({ workspaceId: owner.workspaceId });
  const hook = (path: string, verification: object) =>
    as(owner, 'POST', `/api/workflows/${id}/webhooks`, { path, verification });
  expect((await hook('a', { kind: 'provider', provider: 'github', secret: 'x'.repeat(20) })).status).toBe(201);
  expect((await hook('b', { kind: 'none' })).status).toBe(201);
  expect((await hook('c', { kind: 'none' })).status).toBe(201);
  await as(owner, 'POST', `/api/workflows/${id}/schedules`, { cron: '0 9 * * *', timezone: 'UTC', enabled: false });
  const [row] = await listed('');
  expect(row?.triggers).toHaveLength(3);
  expect(row?.triggers).toEqual(
    expect.arrayContaining([
      { kind: 'webhook', service: 'github', operation: null, enabled: true },
      { kind: 'webhook', service: null, operation: null, enabled: true },
      { kind: 'schedule', service: null, operation: null, enabled: false },
    ]),
  );
  // Who may not read triggers is not told of them.
  const reader = { permissions: [{ resource: 'workflow', action: 'read' }] } as unknown as WorkspaceCaller;
  expect((await readListedTriggers(prismaClient(), reader, [id])).size).toBe(0);
});
