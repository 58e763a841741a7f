import { expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import { openLoginSession } from '@/server/people/auth/session';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkspace, call, client, join, PASSWORD, type TestUser } from '@/server/testing/factories';

useDatabase();

interface Device {
  id: string;
  isCurrent: boolean;
  ipAddress: string;
}
const list = (token: string, path = '/api/sessions') => call<{ data: Device[]; total: number }>('GET', path, { token });
const login = async ({ email }: TestUser, from: string) =>
  (await call<LoginTokens>('POST', '/api/auth/login', { body: { email, password: PASSWORD }, from })).body.accessToken;

test('a person lists their sessions, and ends them', async () => {
  const person = await buildUser();
  const other = await login(person, '198.51.100.9');
  const { data, total } = (await list(person.token)).body;
  expect(total).toBe(2);
  expect(data.map(({ isCurrent, ipAddress }) => ({ isCurrent, ipAddress }))).toEqual([
    { isCurrent: false, ipAddress: '198.51.100.9' },
    { isCurrent: true, ipAddress: client.ipAddress },
  ]);
  const end = (id = '') => call('DELETE', `/api/sessions/${id}`, { token: person.token });
  expect((await end(data[0]?.id)).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: other })).status).toBe(401);
  expect((await end(data[0]?.id)).status).toBe(404);
  const stranger = await buildUser();
  expect((await end(stranger.sessionId)).status).toBe(404);
});

test('and all others at once', async () => {
  const person = await buildUser();
  const others = [await login(person, '198.51.100.9'), await login(person, '198.51.100.10')];
  expect((await call('DELETE', '/api/sessions', { token: person.token })).status).toBe(204);
  for (const token of others) expect((await call('GET', '/api/auth/me', { token })).status).toBe(401);
  expect((await list(person.token)).body.total).toBe(1);
});

test('an administrator signs a member out of this workspace, but no stronger member, and not out of other workspaces', async () => {
  const owner = await buildUser();
  const { workspaceId } = owner;
  const admin = await buildUser({ workspaceId, role: 'admin' });
  const member = await buildUser({ workspaceId, role: 'viewer' });
  const of = ({ id }: TestUser) => `/api/workspaces/${workspaceId}/members/${id}/sessions`;
  const end = (by: TestUser, whom: TestUser) => call('DELETE', of(whom), { token: by.token });
  expect((await list(admin.token, of(member))).body.total).toBe(1);
  expect((await list(member.token, of(admin))).status).toBe(403);
  expect((await end(admin, owner)).status).toBe(403);
  expect((await end(admin, admin)).status).toBe(403);
  expect((await end(admin, member)).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: member.token })).status).toBe(401);

  const guest = await buildUser({ workspaceId, role: 'viewer' });
  await join(guest.id, await buildWorkspace(), 'owner');
  const bound = await openLoginSession(prismaClient(), guest.id, client, { sso: { providerId: 'sso_x', workspaceId } });
  expect((await list(admin.token, of(guest))).body.data.map(({ id }) => id)).toEqual([bound]);
  expect((await end(admin, guest)).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: guest.token })).status).toBe(200);
});

test('an administrator ends a single session of a member', async () => {
  const owner = await buildUser();
  const member = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  const other = await login(member, '198.51.100.9');
  const path = `/api/workspaces/${owner.workspaceId}/members/${member.id}/sessions`;
  const end = (id: string) => call('DELETE', `${path}/${id}`, { token: owner.token });
  expect((await end(owner.sessionId)).status).toBe(404);
  expect((await end(member.sessionId)).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: member.token })).status).toBe(401);
  expect((await call('GET', '/api/auth/me', { token: other })).status).toBe(200);
  expect((await end(member.sessionId)).status).toBe(404);
});
