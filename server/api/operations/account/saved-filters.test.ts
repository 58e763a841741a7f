import { beforeAll, expect, test } from 'vitest';
import { MAX_SAVED_FILTERS, type SavedFilterResponse } from '@/contract/saved-filter';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

let owner: TestUser;
let colleague: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  owner = await buildUser();
  colleague = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  stranger = await buildUser();
});

const save = (user: TestUser, list: string, name: string, body: object) =>
  call<SavedFilterResponse & Refused>('PUT', `/api/saved-filters/${list}/${encodeURIComponent(name)}`, {
    token: user.token,
    body,
  });
const remove = (user: TestUser, list: string, name: string) =>
  call('DELETE', `/api/saved-filters/${list}/${encodeURIComponent(name)}`, { token: user.token });
const listed = async (user: TestUser) =>
  (await call<{ data: SavedFilterResponse[] }>('GET', '/api/saved-filters', { token: user.token })).body.data.map(
    ({ list, name, address }) => [list, name, address].join(' · '),
  );

test('a filter is saved, replaced, renamed and deleted, and is its person’s alone', async () => {
  expect((await save(owner, 'executions', 'Failed / today', { address: 'status=failed' })).status).toBe(200);
  expect((await save(owner, 'executions', 'Failed / today', { address: 'status=failed&within=24' })).status).toBe(200);
  expect((await save(owner, 'workflows', 'Europe', { address: 'tag=eu' })).status).toBe(200);
  expect(await listed(owner)).toEqual([
    'executions · Failed / today · status=failed&within=24',
    'workflows · Europe · tag=eu',
  ]);
  expect(await listed(colleague)).toEqual([]);
  expect(await listed(stranger)).toEqual([]);

  // A colleague's filter with the same name is another one.
  expect((await save(colleague, 'workflows', 'Europe', { address: 'tag=europe' })).status).toBe(200);
  expect((await remove(colleague, 'workflows', 'Europe')).status).toBe(204);
  expect((await remove(colleague, 'workflows', 'Europe')).status).toBe(404);

  const renamed = await save(owner, 'workflows', 'Europe', { address: 'tag=eu', name: 'EU' });
  expect(renamed.body).toMatchObject({ list: 'workflows', name: 'EU', address: 'tag=eu' });
  await save(owner, 'workflows', 'Mine', { address: 'favourites=true' });
  expect((await save(owner, 'workflows', 'Mine', { address: 'x=1', name: 'EU' })).status).toBe(409);
  expect((await save(owner, 'workflows', 'Gone', { address: 'x=1', name: 'New' })).status).toBe(404);
  expect((await remove(owner, 'executions', 'EU')).status).toBe(404);
  expect((await remove(owner, 'workflows', 'EU')).status).toBe(204);
  expect(await listed(owner)).toHaveLength(2);
});

test.each([
  ['tables', 'a', { address: 'x=1' }, 404],
  ['workflows', ' a', { address: 'x=1' }, 404],
  ['workflows', 'a'.repeat(61), { address: 'x=1' }, 404],
  ['workflows', 'a', { address: 'x'.repeat(2001) }, 400],
  ['workflows', 'a', { address: '' }, 400],
  ['workflows', 'a', { address: 'x=1', name: ' b' }, 400],
])('%s, %s with %j is refused', async (list, name, body, status) => {
  expect((await save(owner, list, name, body)).status).toBe(status);
});

test('there is a limit for each member', async () => {
  const { id: userId, workspaceId } = colleague;
  const rows = Array.from({ length: MAX_SAVED_FILTERS }, (_, index) => ({
    workspaceId,
    userId,
    list: 'workflows',
    name: `${index}`,
    address: 'tag=eu',
  }));
  await prismaClient().savedFilter.createMany({ data: rows });
  expect((await save(colleague, 'workflows', 'More', { address: 'x=1' })).status).toBe(403);
  expect((await save(colleague, 'workflows', '7', { address: 'x=1' })).status).toBe(200);
  expect((await save(owner, 'workflows', 'More', { address: 'x=1' })).status).toBe(200);
});
