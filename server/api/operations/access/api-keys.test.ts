import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  join,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { systemRoleId } from '@/server/platform/db/system-role-id';

useDatabase();

interface Key {
  id: string;
  key: string;
  scopes: string[];
}

const make = (user: TestUser, scopes: string[], more: object = {}) =>
  call<Key>('POST', '/auth/api_keys', { token: user.token, body: { name: 'ci', scopes, ...more } });
const withKey = (key: string, headers: Record<string, string> = {}) => ({ headers: { 'x-api-key': key, ...headers } });

test('a key is shown once, works as bearer and as X-API-Key, and lists show it masked', async () => {
  const owner = await buildUser();
  const { status, body } = await make(owner, ['read']);
  expect(status).toBe(201);
  expect(body.key).toMatch(/^wk_[0-9A-Za-z]{38}$/);
  expect((await call('GET', '/api/workflows', withKey(body.key))).status).toBe(200);
  expect((await call('GET', '/api/workflows', { token: body.key })).status).toBe(200);
  const list = await call<{ data: Key[] }>('GET', '/api/api-keys', { token: owner.token });
  expect(list.body.data).toEqual([expect.objectContaining({ id: body.id, key: `wk_…${body.key.slice(-4)}` })]);
  const stored = await prismaClient().apiKey.findUniqueOrThrow({ where: { id: body.id } });
  expect(JSON.stringify(stored)).not.toContain(body.key);
});

test('validation returns scopes, expiry and last use; a wrong, expired or revoked key is 401', async () => {
  const owner = await buildUser();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { body } = await make(owner, ['read', 'write'], { expiresAt });
  const first = await call('GET', '/auth/api_keys', withKey(body.key));
  expect(first.body).toEqual({ valid: true, scopes: ['read', 'write'], expiresAt, lastUsedAt: expect.any(String) });
  const second = await call<{ lastUsedAt: string }>(
    'GET',
    '/auth/api_keys',
    withKey(body.key, { authorization: `Bearer ${owner.token}` }),
  );
  expect(Date.parse(second.body.lastUsedAt)).toBeGreaterThan(Date.now() - 60_000);
  expect((await call('GET', '/auth/api_keys', withKey(`${body.key.slice(0, -1)}_`))).status).toBe(401);
  await prismaClient().apiKey.update({ where: { id: body.id }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await call('GET', '/auth/api_keys', withKey(body.key))).status).toBe(401);
  const other = (await make(owner, ['read'])).body;
  expect((await call('DELETE', `/api/api-keys/${other.id}`, { token: owner.token })).status).toBe(204);
  expect((await call('GET', '/api/workflows', withKey(other.key))).status).toBe(401);
  expect((await call('DELETE', `/api/api-keys/${other.id}`, { token: owner.token })).status).toBe(404);
});

test('scopes restrict what the creator may do', async () => {
  const owner = await buildUser();
  const read = (await make(owner, ['read'])).body.key;
  const write = (await make(owner, ['write'])).body.key;
  const admin = (await make(owner, ['admin'])).body.key;
  const all = (await make(owner, ['*'])).body.key;
  const statuses = async (method: string, path: string, body?: object) =>
    Promise.all(
      [read, write, admin, all].map(async (key) => (await call(method, path, { ...withKey(key), body })).status),
    );
  expect(await statuses('GET', '/api/workflows')).toEqual([200, 200, 200, 200]);
  expect(await statuses('POST', '/api/workflows', { name: 'x' })).toEqual([403, 201, 403, 201]);
  expect(await statuses('GET', '/api/api-keys')).toEqual([403, 403, 200, 200]);
  expect(await statuses('GET', '/api/roles')).toEqual([200, 200, 200, 200]);
  expect(await statuses('DELETE', '/api/roles/role_none')).toEqual([403, 403, 404, 404]);
});

test('a key never has more permissions than its creator has at that moment', async () => {
  const workspaceId = await buildWorkspace();
  await buildUser({ workspaceId });
  const admin = await buildUser({ workspaceId, role: 'admin' });
  const { key } = (await make(admin, ['*'])).body;
  expect((await call('POST', '/api/workflows', { ...withKey(key), body: { name: 'x' } })).status).toBe(201);
  await prismaClient().roleAssignment.updateMany({
    where: { userId: admin.id },
    data: { roleId: systemRoleId('viewer') },
  });
  expect((await call('POST', '/api/workflows', { ...withKey(key), body: { name: 'x' } })).status).toBe(403);
  await prismaClient().member.deleteMany({ where: { userId: admin.id } });
  expect((await call('GET', '/api/workflows', withKey(key))).status).toBe(401);
});

test('a key can create no key with more permissions or a longer life, and cannot change its creator’s account', async () => {
  const owner = await buildUser();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { key } = (await make(owner, ['admin'], { expiresAt })).body;
  const promote = (body: object) =>
    call<Refused>('POST', '/auth/api_keys', { ...withKey(key), body: { name: 'x', ...body } });
  expect((await promote({ scopes: ['*'], expiresAt })).status).toBe(403);
  expect((await promote({ scopes: ['write'], expiresAt })).status).toBe(403);
  expect((await promote({ scopes: ['admin'] })).status).toBe(403);
  expect((await promote({ scopes: ['read'], expiresAt })).status).toBe(201);
  expect((await call('POST', '/api/auth/logout', withKey(key))).status).toBe(403);
});

test('a key reaches its workspace only, though its creator has others', async () => {
  const owner = await buildUser();
  const elsewhere = await buildWorkspace();
  await join(owner.id, elsewhere, 'owner');
  const workflowId = await buildWorkflow({ workspaceId: elsewhere });
  const { key, id } = (await make(owner, ['*'])).body;
  expect((await call('GET', '/api/workflows', { ...withKey(key), workspace: elsewhere })).status).toBe(404);
  expect((await call('GET', `/api/workflows/${workflowId}`, withKey(key))).status).toBe(404);
  const stranger = await buildUser();
  expect((await call('DELETE', `/api/api-keys/${id}`, { token: stranger.token })).status).toBe(404);
});

test.each([
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['root'] }, 'scopes[0]'],
  [{ scopes: ['read', 'read'] }, 'scopes'],
  [{ scopes: ['read'], expiresAt: '2001-01-01T00:00:00.000Z' }, 'expiresAt'],
  [{ scopes: ['read'], key: 'wk_mine' }, 'key'],
  [{ scopes: ['read'], name: 'a\u0000b' }, 'name'],
])('%o is refused for %s', async (body, field) => {
  const owner = await buildUser();
  const answer = await call<Refused>('POST', '/auth/api_keys', { token: owner.token, body: { name: 'x', ...body } });
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.map((detail) => detail.field)).toContain(field);
});

test('callers without the permission are refused', async () => {
  const editor = await buildUser({ role: 'editor' });
  expect((await make(editor, ['read'])).status).toBe(403);
});
