import { expect, test } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, buildWorkspace, call, join, PASSWORD, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const login = (email: string, password = PASSWORD) =>
  call<LoginTokens & Refused>('POST', '/api/auth/login', { body: { email, password } });
const refresh = (refreshToken: string) =>
  call<LoginTokens & Refused>('POST', '/api/auth/refresh', { body: { refreshToken } });
const me = (token: string) => call<CurrentUser & Refused>('GET', '/api/auth/me', { token });
const audited = async (workspaceId: string, action: string) =>
  prismaClient().auditEntry.findMany({ where: { workspaceId, action }, orderBy: { sequence: 'asc' } });

test('login returns tokens that are valid for a day', async () => {
  const { email, id } = await buildUser();
  const { status, body } = await login(email);
  expect(status).toBe(200);
  expect(body).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 86_400 });
  expect((await me(body.accessToken)).body.user).toMatchObject({ id, email, mfaEnabled: false });
});

test('me includes the person’s stored preferences', async () => {
  const { token } = await buildUser();
  expect((await me(token)).body.user.preferences).toEqual({ isTourOver: false });
  const path = '/api/auth/preferences';
  expect((await call('PUT', path, { token, body: { isTourOver: true } })).status).toBe(200);
  expect((await me(token)).body.user.preferences).toEqual({ isTourOver: true });
  expect((await call('PUT', path, { token, body: { isTourOver: 'yes' } })).status).toBe(400);
});

test('the case of an email does not matter', async () => {
  const { email } = await buildUser();
  expect((await login(` ${email.toUpperCase()} `)).status).toBe(200);
});

test('a wrong password and an unknown person get the same answer', async () => {
  const { email } = await buildUser();
  const wrong = await login(email, 'not the password');
  const unknown = await login('nobody@example.com');
  expect(wrong.status).toBe(401);
  expect(wrong.body.error.code).toBe('UNAUTHORIZED');
  expect(unknown.body).toEqual(wrong.body);
});

test('more than the 72 bytes that bcrypt reads are not accepted', async () => {
  const { id, email } = await buildUser();
  const { hashPassword } = await import('@/server/people/auth/password');
  const longest = 'x'.repeat(72);
  await prismaClient().user.update({ where: { id }, data: { passwordHash: await hashPassword(longest) } });
  expect((await login(email, longest)).status).toBe(200);
  expect((await login(email, `${longest}y`)).status).toBe(401);
});

test('logins and failed logins are in the audit log of the person’s workspaces, unknown people’s in the service’s', async () => {
  const { email, workspaceId } = await buildUser();
  await login(email);
  await login(email, 'wrong');
  expect((await audited(workspaceId, 'auth.login')).map(({ result, category }) => [result, category])).toEqual([
    ['success', 'authentication'],
    ['failure', 'authentication'],
  ]);
  await login('stranger@example.com');
  const service = await prismaClient().auditEntry.findMany({ where: { workspaceId: null, action: 'auth.login' } });
  expect(service.map(({ actor }) => actor)).toContainEqual(expect.objectContaining({ email: 'stranger@example.com' }));
});

test('refresh returns a new pair, and the old refresh token becomes invalid', async () => {
  const { email } = await buildUser();
  const { body: first } = await login(email);
  const { status, body: second } = await refresh(first.refreshToken);
  expect(status).toBe(200);
  expect(second.accessToken).not.toBe(first.accessToken);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  expect((await me(second.accessToken)).status).toBe(200);
});

test('using an old refresh token ends the whole login, access tokens included', async () => {
  const { email } = await buildUser();
  const { body: first } = await login(email);
  const { body: second } = await refresh(first.refreshToken);
  expect((await refresh(first.refreshToken)).status).toBe(401);
  expect((await me(second.accessToken)).status).toBe(401);
  expect((await me(first.accessToken)).status).toBe(401);
  expect((await refresh(second.refreshToken)).status).toBe(401);
});

test('of two refreshes with one token at most one succeeds', async () => {
  const { email } = await buildUser();
  const { body } = await login(email);
  const answers = await Promise.all([refresh(body.refreshToken), refresh(body.refreshToken)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test('an invented refresh token is refused', async () => {
  expect((await refresh('wr_nonsense')).status).toBe(401);
});

test('logout ends the access and refresh tokens of that login at once, and of no other', async () => {
  const { email } = await buildUser();
  const { body: one } = await login(email);
  const { body: other } = await login(email);
  expect((await call('POST', '/api/auth/logout', { token: one.accessToken })).status).toBe(204);
  expect((await me(one.accessToken)).status).toBe(401);
  expect((await refresh(one.refreshToken)).status).toBe(401);
  expect((await me(other.accessToken)).status).toBe(200);
});

test('me lists the workspaces with the strongest role, in the order of joining', async () => {
  const { id, token, workspaceId } = await buildUser({ role: 'owner' });
  const second = await buildWorkspace();
  await join(id, second, 'viewer');
  // Two memberships may begin in the same millisecond.
  await prismaClient().member.updateMany({
    where: { userId: id, workspaceId: second },
    data: { joinedAt: new Date(Date.now() + 1000) },
  });
  const { workspaces } = (await me(token)).body;
  expect(workspaces.map((workspace) => [workspace.id, workspace.role])).toEqual([
    [workspaceId, 'owner'],
    [second, 'viewer'],
  ]);
});

test('a person without a workspace can still call me and logout', async () => {
  const { id, token, workspaceId } = await buildUser();
  await prismaClient().member.delete({ where: { workspaceId_userId: { workspaceId, userId: id } } });
  expect((await me(token)).body.workspaces).toEqual([]);
  expect((await call('GET', '/api/workflows', { token })).status).toBe(404);
  expect((await call('POST', '/api/auth/logout', { token })).status).toBe(204);
});

test('a login after a change of BCRYPT_COST rehashes the password', async () => {
  const { email, id } = await buildUser();
  const hashOf = async () => (await prismaClient().user.findUniqueOrThrow({ where: { id } })).passwordHash;
  const before = getRuntime();
  const first = await hashOf();
  expect((await login(email)).status).toBe(200);
  expect(await hashOf()).toBe(first);
  setRuntime({ ...before, env: { ...before.env, bcryptCost: 5 } });
  expect((await login(email)).status).toBe(200);
  expect(await hashOf()).toMatch(/^\$2b\$05\$/);
  expect((await login(email)).status).toBe(200);
  setRuntime(before);
});
