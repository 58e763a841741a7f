import { expect, test } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import { DEFAULT_WORKSPACE_SETTINGS, type MemberResponse, type WorkspaceResponse } from '@/contract/workspace';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, call, join, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const PASSWORD = 'a new password that is long';

interface List<Item> {
  data: Item[];
  total: number;
}

const create = ({ token }: TestUser, name: string) =>
  call<WorkspaceResponse & Refused>('POST', '/api/workspaces', { token, body: { name } });
const members = ({ token, workspaceId }: TestUser, query = '') =>
  call<List<MemberResponse> & Refused>('GET', `/api/workspaces/${workspaceId}/members${query}`, { token });
const invite = ({ token, workspaceId }: TestUser, email: string, role = 'editor') =>
  call<MemberResponse & { inviteUrl: string } & Refused>('POST', `/api/workspaces/${workspaceId}/members`, {
    token,
    body: { email, role },
  });
const accept = (body: object, token?: string) =>
  call<LoginTokens & MemberResponse & Refused>('POST', '/api/auth/accept-invite', { body, token });
const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? '';
const me = (token: string) => call<CurrentUser>('GET', '/api/auth/me', { token });
const setRoles = ({ token, workspaceId }: TestUser, userId: string, roles: string[]) =>
  call<MemberResponse & Refused>('PUT', `/api/workspaces/${workspaceId}/members/${userId}`, { token, body: { roles } });
const remove = ({ token, workspaceId }: TestUser, userId: string) =>
  call<Refused>('DELETE', `/api/workspaces/${workspaceId}/members/${userId}`, { token });

test('the creator of a workspace owns it, and finds it in the list', async () => {
  const user = await buildUser();
  const { status, body } = await create(user, 'Acme Corp.');
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'Acme Corp.', role: 'owner', settings: { mfaPolicy: 'off', ssoRequired: false } });
  expect(body.slug).toMatch(/^acme-corp/);
  const list = await call<List<WorkspaceResponse>>('GET', '/api/workspaces', user);
  expect(list.body.total).toBe(2);
  expect(list.body.data[0]).toEqual(body);
  expect((await call<WorkspaceResponse>('GET', `/api/workspaces/${body.id}`, user)).body).toEqual(body);
});

test('the path selects the workspace, not the header', async () => {
  const user = await buildUser();
  const { body } = await create(user, 'Other');
  const { body: read } = await call<WorkspaceResponse>('GET', `/api/workspaces/${body.id}`, {
    token: user.token,
    workspace: user.workspaceId,
  });
  expect(read.id).toBe(body.id);
});

test('a foreign workspace does not exist', async () => {
  const [mine, theirs] = [await buildUser(), await buildUser()];
  for (const [method, tail] of [
    ['GET', ''],
    ['PUT', ''],
    ['GET', '/members'],
    ['POST', '/members'],
  ] as const) {
    expect((await call(method, `/api/workspaces/${theirs.workspaceId}${tail}`, { token: mine.token })).status).toBe(
      404,
    );
  }
  expect((await call('GET', '/api/workflows', { token: mine.token, workspace: theirs.workspaceId })).status).toBe(404);
});

test('name and settings can be changed separately; tier and slug cannot', async () => {
  const user = await buildUser();
  const put = (body: object) =>
    call<WorkspaceResponse & Refused>('PUT', `/api/workspaces/${user.workspaceId}`, { token: user.token, body });
  expect((await put({ settings: { mfaPolicy: 'optional' } })).body.settings).toEqual({
    ...DEFAULT_WORKSPACE_SETTINGS,
    mfaPolicy: 'optional',
  });
  expect((await put({ name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', settings: { mfaPolicy: 'optional' } });
  for (const field of ['tier', 'slug', 'id']) {
    expect((await put({ [field]: 'x' })).body.error.details).toMatchObject([{ field }]);
  }
  expect((await put({ settings: { expressionLanguage: 'javascript' } })).body.settings).toMatchObject({
    mfaPolicy: 'optional',
    expressionLanguage: 'javascript',
  });
  expect((await put({ settings: { expressionLanguage: 'python' } })).body.error.details).toMatchObject([
    { field: 'settings.expressionLanguage' },
  ]);
  expect((await put({ settings: { nonsense: 1 } })).body.error.details).toMatchObject([{ field: 'settings.nonsense' }]);
});

test('an invited person joins with name and password, and is signed in', async () => {
  const owner = await buildUser();
  const email = `${unique('Guest')}@Example.com`;
  const { status, body } = await invite(owner, email);
  expect(status).toBe(201);
  expect(body).toMatchObject({ email: email.toLowerCase(), roles: ['editor'], status: 'invited', joinedAt: null });
  expect((await members(owner)).body.data[0]).toMatchObject({ email: email.toLowerCase(), status: 'invited' });
  const joined = await accept({ token: tokenIn(body.inviteUrl), name: 'Guest', password: PASSWORD });
  expect(joined.status).toBe(200);
  expect((await me(joined.body.accessToken)).body.workspaces).toMatchObject([
    { id: owner.workspaceId, role: 'editor' },
  ]);
  expect((await call('POST', '/api/auth/login', { body: { email, password: PASSWORD } })).status).toBe(200);
  const all = (await members(owner)).body;
  expect(all.total).toBe(2);
  expect(all.data.find((member) => member.email === email.toLowerCase())).toMatchObject({
    name: 'Guest',
    roles: ['editor'],
    status: 'active',
    joinedAt: expect.any(String),
  });
});

test('the link is mailed', async () => {
  const owner = await buildUser();
  const email = `${unique('guest')}@example.com`;
  const { inviteUrl } = (await invite(owner, email)).body;
  const find = () => prismaClient().outboxMail.findFirst({ where: { to: { has: email } } });
  await expect.poll(find).toMatchObject({ text: expect.stringContaining(inviteUrl) });
});

test('a person with an account joins with their own token', async () => {
  const [owner, other] = [await buildUser(), await buildUser()];
  const { inviteUrl } = (await invite(owner, other.email, 'viewer')).body;
  const token = tokenIn(inviteUrl);
  expect((await accept({ token, name: 'x', password: PASSWORD })).status).toBe(401);
  const { status, body } = await accept({ token }, other.token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ userId: other.id, roles: ['viewer'], status: 'active' });
  expect((await call('GET', '/api/workflows', { token: other.token, workspace: owner.workspaceId })).status).toBe(200);
});

test('an invitation works once, for its address, for seven days', async () => {
  const [owner, stranger] = [await buildUser(), await buildUser()];
  const refusedOn = async (body: object, token?: string) => {
    const answer = await accept(body, token);
    expect([answer.status, answer.body.error.details[0]?.field]).toEqual([400, 'token']);
  };
  const person = { name: 'Guest', password: PASSWORD };
  const used = tokenIn((await invite(owner, 'once@example.com')).body.inviteUrl);
  await refusedOn({ token: used }, stranger.token);
  await accept({ token: used, ...person });
  await refusedOn({ token: used, ...person });
  await refusedOn({ token: 'winv_nonsense', ...person });
  const old = tokenIn((await invite(owner, 'late@example.com')).body.inviteUrl);
  await prismaClient().invitation.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  await refusedOn({ token: old, ...person });
});

test('a new person must give name and password', async () => {
  const owner = await buildUser();
  const token = tokenIn((await invite(owner, 'fields@example.com')).body.inviteUrl);
  const fields = async (body: object) =>
    (await accept({ token, ...body })).body.error.details.map(({ field }) => field);
  expect(await fields({})).toEqual(['name', 'password']);
  expect(await fields({ name: 'x', password: 'short' })).toEqual(['password']);
  expect(await fields({ name: 'x', password: 'x'.repeat(73) })).toEqual(['password']);
});

test('inviting again replaces the link; inviting a member is a conflict; an unknown role is named', async () => {
  const owner = await buildUser();
  const first = tokenIn((await invite(owner, 'twice@example.com')).body.inviteUrl);
  const second = tokenIn((await invite(owner, 'twice@example.com', 'viewer')).body.inviteUrl);
  expect((await members(owner)).body.total).toBe(2);
  expect((await accept({ token: first, name: 'x', password: PASSWORD })).status).toBe(400);
  expect((await accept({ token: second, name: 'x', password: PASSWORD })).status).toBe(200);
  expect((await invite(owner, 'twice@example.com')).status).toBe(409);
  expect((await invite(owner, 'new@example.com', 'emperor')).body.error.details).toMatchObject([{ field: 'role' }]);
  expect((await invite(owner, 'no address')).body.error.details).toMatchObject([{ field: 'email' }]);
});

test('an invitation can be withdrawn', async () => {
  const owner = await buildUser();
  const { inviteUrl, invitationId } = (await invite(owner, 'back@example.com')).body;
  expect((await remove(owner, invitationId ?? '')).status).toBe(204);
  expect((await accept({ token: tokenIn(inviteUrl), name: 'x', password: PASSWORD })).status).toBe(400);
});

test('a removed member loses access at once, in this workspace only', async () => {
  const owner = await buildUser();
  const member = await buildUser();
  await join(member.id, owner.workspaceId, 'editor');
  const list = (workspace: string) => call('GET', '/api/workflows', { token: member.token, workspace });
  expect((await list(owner.workspaceId)).status).toBe(200);
  expect((await remove(owner, member.id)).status).toBe(204);
  expect((await list(owner.workspaceId)).status).toBe(404);
  expect((await list(member.workspaceId)).status).toBe(200);
  expect((await remove(owner, member.id)).status).toBe(404);
});

test('role changes take effect at once', async () => {
  const owner = await buildUser();
  const member = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  const make = () => call('POST', '/api/workflows', { token: member.token, body: { name: 'x' } });
  expect((await make()).status).toBe(403);
  expect((await setRoles(owner, member.id, ['operator', 'editor'])).body.roles).toEqual(['editor', 'operator']);
  expect((await make()).status).toBe(201);
});

test('a workspace keeps an owner, even when two leave at the same moment', async () => {
  const owner = await buildUser();
  expect((await remove(owner, owner.id)).status).toBe(409);
  expect((await setRoles(owner, owner.id, ['editor'])).status).toBe(409);
  const second = await buildUser({ workspaceId: owner.workspaceId, role: 'owner' });
  const answers = await Promise.all([remove(owner, owner.id), remove(second, second.id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
});

test('an admin cannot create or change owners', async () => {
  const owner = await buildUser();
  const admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
  expect((await invite(admin, 'king@example.com', 'owner')).status).toBe(403);
  expect((await setRoles(admin, admin.id, ['owner'])).status).toBe(403);
  expect((await setRoles(admin, owner.id, ['viewer'])).status).toBe(403);
  expect((await remove(admin, owner.id)).status).toBe(403);
  expect((await invite(admin, 'editor@example.com', 'editor')).status).toBe(201);
});

test('members are listed newest first, in pages', async () => {
  const owner = await buildUser();
  const second = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  await invite(owner, 'third@example.com');
  const page = (await members(owner, '?limit=1&offset=1')).body;
  expect([page.total, page.data.map(({ userId }) => userId)]).toEqual([3, [second.id]]);
  expect((await members(owner, '?offset=9')).body).toMatchObject({ data: [], total: 3 });
});

test('concurrent runs of a workspace can be limited separately from other settings', async () => {
  const user = await buildUser();
  const put = (settings: object) =>
    call<WorkspaceResponse & Refused>('PUT', `/api/workspaces/${user.workspaceId}`, {
      token: user.token,
      body: { settings },
    });
  expect((await put({ concurrency: { limit: 5 } })).body.settings.concurrency).toEqual({ limit: 5, overflow: 'queue' });
  expect((await put({ mfaPolicy: 'optional' })).body.settings).toMatchObject({
    mfaPolicy: 'optional',
    concurrency: { limit: 5 },
  });
  expect((await put({ concurrency: { limit: 0 } })).status).toBe(400);
  expect((await put({ concurrency: null })).body.settings.concurrency).toBeNull();
});
