import { expect, test } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import type { MemberResponse, WorkspaceResponse } from '@/contract/workspace';
import { identifyByToken, findPermittedReaders } from '@/server/api/channel/identity';
import { openLoginSession } from '@/server/people/auth/session';
import { issueLoginTokens } from '@/server/people/auth/login';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  client,
  join,
  PASSWORD,
  unique,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const NEWCOMER = { name: 'Guest', password: 'a new password that is long' };
const address = () => `${unique('guest')}@example.com`;
const at = ({ workspaceId }: TestUser, tail = '') => `/api/workspaces/${workspaceId}/members${tail}`;

async function invite(by: TestUser, email = address(), role = 'editor') {
  const { status, body } = await call<MemberResponse & { inviteUrl: string }>('POST', at(by), {
    token: by.token,
    body: { email, role },
  });
  expect(status).toBe(201);
  return { email, url: body.inviteUrl, token: new URL(body.inviteUrl).searchParams.get('token') ?? '' };
}
const accept = (body: object, token?: string) =>
  call<LoginTokens & MemberResponse & Refused>('POST', '/api/auth/accept-invite', { body, token });
const remove = (by: TestUser, userId: string) => call('DELETE', at(by, `/${userId}`), { token: by.token });
const leave = (user: TestUser, workspaceId = user.workspaceId) =>
  call('POST', `/api/workspaces/${workspaceId}/leave`, { token: user.token });
const refusal = ({ status, body }: { status: number; body: Refused }) => [status, body.error.details[0]?.field];
const VOID = [400, 'token'];

test('invitations of a removed or demoted member are void', async () => {
  const owner = await buildUser();
  const admin = () => buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
  const [removed, demoted] = [await admin(), await admin()];
  const invitations = [await invite(removed, address(), 'admin'), await invite(demoted)];
  expect((await remove(owner, removed.id)).status).toBe(204);
  await call('PUT', at(owner, `/${demoted.id}`), { token: owner.token, body: { roles: ['editor'] } });
  for (const { token } of invitations) expect(refusal(await accept({ token, ...NEWCOMER }))).toEqual(VOID);
});

test('an invitation to a deleted role is void', async () => {
  const owner = await buildUser();
  const role = await call<{ id: string }>('POST', '/api/roles', { token: owner.token, body: { name: 'weaver' } });
  const { token } = await invite(owner, address(), 'weaver');
  await call('DELETE', `/api/roles/${role.body.id}`, { token: owner.token });
  expect(refusal(await accept({ token, ...NEWCOMER }))).toEqual(VOID);
});

test('two concurrent invitations of one address create one account', async () => {
  const email = address();
  const [one, other] = [await invite(await buildUser(), email), await invite(await buildUser(), email)];
  const answers = await Promise.all([one, other].map(({ token }) => accept({ token, ...NEWCOMER })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect(await prismaClient().invitation.count({ where: { email } })).toBe(1);
});

test('an invitation is accepted by the person, not by an API key or a provider’s session', async () => {
  const [owner, guest] = [await buildUser(), await buildUser()];
  const { token } = await invite(owner, guest.email);
  const body = { name: 'k', scopes: ['*'] };
  const made = await call<{ key: string }>('POST', '/auth/api_keys', { token: guest.token, body });
  expect((await accept({ token }, made.body.key)).status).toBe(403);
  const sso = { providerId: 'sso_x', workspaceId: guest.workspaceId };
  const sessionId = await openLoginSession(prismaClient(), guest.id, client, { sso });
  const limited = await issueLoginTokens(prismaClient(), sessionId, guest.id);
  expect((await accept({ token }, limited.accessToken)).status).toBe(403);
  expect((await accept({ token }, 'a.b.c')).status).toBe(401);
  expect((await accept({ token }, guest.token)).status).toBe(200);
});

test('a person who must set up a second factor does that first', async () => {
  const [owner, guest] = [await buildUser(), await buildUser()];
  const { token } = await invite(owner, guest.email);
  await prismaClient().workspace.update({
    where: { id: guest.workspaceId },
    data: { settings: { mfaPolicy: 'required' } },
  });
  expect((await accept({ token }, guest.token)).status).toBe(403);
});

test('a new person’s password is not among the first guesses', async () => {
  const { token } = await invite(await buildUser());
  expect(refusal(await accept({ token, name: 'x', password: 'password1234' }))).toEqual([400, 'password']);
  expect((await accept({ token, ...NEWCOMER })).status).toBe(200);
});

test('the mail with the link is not readable in the outbox', async () => {
  const owner = await buildUser();
  const { email, url } = await invite(owner);
  const find = () => prismaClient().outboxMail.findFirst({ where: { to: { has: email } } });
  await expect.poll(find).toMatchObject({ text: expect.stringContaining(url), workspaceId: null });
  expect((await call('GET', '/api/outbox', { token: owner.token })).body).toMatchObject({ total: 0 });
});

test('without outgoing mail the link is still returned', async () => {
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, deploymentEnv: 'selfhosted' } });
  const { token, email } = await invite(await buildUser());
  setRuntime(before);
  expect((await accept({ token, ...NEWCOMER })).status).toBe(200);
  expect(await prismaClient().outboxMail.count({ where: { to: { has: email } } })).toBe(0);
});

test('expired invitations are not listed', async () => {
  const owner = await buildUser();
  const { email } = await invite(owner);
  await prismaClient().invitation.updateMany({ where: { email }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await call('GET', at(owner), { token: owner.token })).body).toMatchObject({ total: 1 });
  expect((await call('GET', `${at(owner)}?offset=5`, { token: owner.token })).body).toMatchObject({ total: 1 });
});

test('removal ends tokens, keys, single sign-on and sockets for the workspace at once', async () => {
  const owner = await buildUser();
  const member = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
  const { token } = member;
  const key = (await call<{ key: string }>('POST', '/auth/api_keys', { token, body: { name: 'k', scopes: ['*'] } }))
    .body.key;
  const sso = { providerId: 'sso_x', workspaceId: owner.workspaceId };
  const sessionId = await openLoginSession(prismaClient(), member.id, client, { sso });
  const limited = await issueLoginTokens(prismaClient(), sessionId, member.id);
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId });
  const run = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, { token, body: {} });
  const identities = await Promise.all([token, key, limited.accessToken].map(identifyByToken));
  const watching = async () => {
    const readers = await findPermittedReaders(
      'execution',
      identities.flatMap((identity) => (identity ? { identity, id: run.body.executionId } : [])),
    );
    return readers.map((reader) => reader !== null);
  };
  const statuses = async () =>
    Promise.all(
      [token, key, limited.accessToken].map(
        async (one) => (await call('GET', '/api/workflows', { token: one })).status,
      ),
    );
  expect(await watching()).toEqual([true, true, true]);
  expect(await statuses()).toEqual([200, 200, 200]);
  expect((await remove(owner, member.id)).status).toBe(204);
  expect(await statuses()).toEqual([404, 401, 401]);
  expect(await watching()).toEqual([false, false, false]);
  const { refreshToken } = limited;
  expect((await call('POST', '/api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
});

test('a member can leave with any role, except the last owner', async () => {
  const owner = await buildUser();
  const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  expect((await leave(viewer)).status).toBe(204);
  expect((await leave(viewer)).status).toBe(404);
  expect((await leave(owner)).status).toBe(409);
  expect((await leave(owner, await buildWorkspace())).status).toBe(404);
});

test('a workspace keeps an owner when one leaves and the other gives the role up', async () => {
  const owner = await buildUser();
  const second = await buildUser({ workspaceId: owner.workspaceId });
  const answers = await Promise.all([
    leave(owner),
    call('DELETE', '/auth/rbac', { token: second.token, body: { userId: second.id, roleId: systemRoleId('owner') } }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
});

test('a member with only a custom role is shown with it', async () => {
  const owner = await buildUser();
  await call('POST', '/api/roles', {
    token: owner.token,
    body: { name: 'weaver', permissions: [{ resource: 'workspace', action: 'read' }] },
  });
  const { token } = await invite(owner, address(), 'weaver');
  const { body } = await accept({ token, ...NEWCOMER });
  const me = await call<CurrentUser>('GET', '/api/auth/me', { token: body.accessToken });
  expect(me.body.workspaces).toMatchObject([{ id: owner.workspaceId, role: 'weaver' }]);
  const list = await call<{ data: WorkspaceResponse[] }>('GET', '/api/workspaces', { token: body.accessToken });
  expect(list.body.data).toMatchObject([{ id: owner.workspaceId, role: 'weaver' }]);
});

test('a member without a role is shown with none', async () => {
  const user = await buildUser();
  const other = await buildWorkspace();
  // The newest comes first.
  const joinedAt = new Date(Date.now() + 1000);
  await prismaClient().member.create({ data: { workspaceId: other, userId: user.id, joinedAt } });
  const list = await call<{ data: WorkspaceResponse[] }>('GET', '/api/workspaces', { token: user.token });
  expect(list.body.data.map(({ id, role }) => [id, role])).toEqual([
    [other, 'none'],
    [user.workspaceId, 'owner'],
  ]);
});

test('roles on single objects are removed with the membership', async () => {
  const owner = await buildUser();
  const guest = await buildUser();
  await join(guest.id, owner.workspaceId, 'viewer');
  const resourceId = await buildWorkflow({ workspaceId: owner.workspaceId });
  const place = { workspaceId: owner.workspaceId, userId: guest.id, resourceType: 'workflow', resourceId };
  await prismaClient().roleAssignment.create({
    data: { id: generateId('asg'), roleId: systemRoleId('editor'), ...place },
  });
  await remove(owner, guest.id);
  await accept({ token: (await invite(owner, guest.email, 'viewer')).token }, guest.token);
  const put = await call('PUT', `/api/workflows/${resourceId}`, {
    token: guest.token,
    workspace: owner.workspaceId,
    body: { name: 'mine' },
  });
  expect(put.status).toBe(403);
  expect((await call('POST', '/api/auth/login', { body: { email: guest.email, password: PASSWORD } })).status).toBe(
    200,
  );
});
