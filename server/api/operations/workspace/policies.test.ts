import { expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import type { WorkspaceResponse } from '@/contract/workspace';
import { prismaClient } from '@/server/platform/db/client';
import { removeExpiredRows } from '@/server/engine/store/retention';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  join,
  PASSWORD,
  unique,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { generateOrderedId } from '@/server/platform/db/ids';

useDatabase();

const put = ({ token, workspaceId }: TestUser, settings: object) =>
  call<WorkspaceResponse & Refused>('PUT', `/api/workspaces/${workspaceId}`, { token, body: { settings } });
const me = (token: string) => call<Refused>('GET', '/api/auth/me', { token });
const HOUR = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const login = ({ email }: TestUser) =>
  call<LoginTokens>('POST', '/api/auth/login', { body: { email, password: PASSWORD } });

test('invalid settings are reported, and nothing is changed', async () => {
  const owner = await buildUser();
  const wrong = {
    passwordMinLength: 11,
    sessionMaxHours: 0,
    sessionIdleMinutes: 4.5,
    allowedDomains: ['example.com', 'no domain'],
    webhookGraceHours: 169,
  };
  const { status, body } = await put(owner, wrong);
  expect(status).toBe(400);
  expect(body.error.details.map(({ field }) => field).toSorted()).toEqual([
    'settings.allowedDomains[1]',
    'settings.passwordMinLength',
    'settings.sessionIdleMinutes',
    'settings.sessionMaxHours',
    'settings.webhookGraceHours',
  ]);
  const late = await put(owner, { executionRetentionDays: 31, passwordMinLength: 20 });
  expect(late.body.error.details).toMatchObject([{ field: 'settings.executionRetentionDays' }]);
  expect((await put(owner, {})).body.settings.passwordMinLength).toBe(12);
});

test('a new password has the minimum length of the person’s strictest workspace', async () => {
  const owner = await buildUser();
  const { token } = owner;
  const change = (newPassword: string) =>
    call<Refused>('POST', '/api/auth/password', { token, body: { currentPassword: PASSWORD, newPassword } });
  await put(owner, { passwordMinLength: 20 });
  await join(owner.id, await buildWorkspace(), 'viewer');
  expect((await change('nineteen characters')).body.error.details).toMatchObject([
    { field: 'newPassword', message: expect.stringContaining('20') },
  ]);
  expect((await change('twenty characters it')).status).toBe(204);
});

test('so has that of an invited person', async () => {
  const owner = await buildUser();
  await put(owner, { passwordMinLength: 24 });
  const { body } = await call<{ inviteUrl: string }>('POST', `/api/workspaces/${owner.workspaceId}/members`, {
    token: owner.token,
    body: { email: `${unique('guest')}@example.com`, role: 'viewer' },
  });
  const token = new URL(body.inviteUrl).searchParams.get('token');
  const accept = (password: string) =>
    call<Refused>('POST', '/api/auth/accept-invite', { body: { token, name: 'Guest', password } });
  expect((await accept('not quite long enough')).body.error.details).toMatchObject([{ field: 'password' }]);
  expect((await accept('this one is long enough for it')).status).toBe(200);
});

test('a session and its refresh token expire a fixed time after the login, even if they are used', async () => {
  const owner = await buildUser();
  const { refreshToken } = (await login(owner)).body;
  await prismaClient().session.updateMany({ where: { userId: owner.id }, data: { createdAt: ago(3 * HOUR) } });
  expect((await me(owner.token)).status).toBe(200);
  const other = await buildUser({ workspaceId: owner.workspaceId });
  await put(other, { sessionMaxHours: 2 });
  expect((await me(owner.token)).status).toBe(401);
  expect((await call('POST', '/api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
  expect((await me(other.token)).status).toBe(200);
});

test('and a fixed time after its last call; a call keeps it open', async () => {
  const owner = await buildUser();
  await put(owner, { sessionIdleMinutes: 30 });
  const idle = (minutes: number) =>
    prismaClient().session.update({ where: { id: owner.sessionId }, data: { lastUsedAt: ago(minutes * 60_000) } });
  await idle(29);
  expect((await me(owner.token)).status).toBe(200);
  const { lastUsedAt } = await prismaClient().session.findUniqueOrThrow({ where: { id: owner.sessionId } });
  expect(lastUsedAt.getTime()).toBeGreaterThan(ago(20 * 60_000).getTime());
  await idle(31);
  expect((await me(owner.token)).status).toBe(401);
});

test('the list of sessions shows their expiry, and leaves out expired ones', async () => {
  const owner = await buildUser();
  await put(owner, { sessionMaxHours: 5 });
  await login(owner);
  const list = async () =>
    (await call<{ data: { expiresAt: string }[]; total: number }>('GET', '/api/sessions', owner)).body;
  const { data, total } = await list();
  expect(total).toBe(2);
  for (const { expiresAt } of data) expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + 5 * HOUR);
  const rest = { userId: owner.id, id: { not: owner.sessionId } };
  await prismaClient().session.updateMany({ where: rest, data: { createdAt: ago(6 * HOUR) } });
  expect((await list()).total).toBe(1);
});

test('only people of allowed domains are invited, and join, even if the domains change in between', async () => {
  const owner = await buildUser();
  const invite = (email: string) =>
    call<{ inviteUrl: string } & Refused>('POST', `/api/workspaces/${owner.workspaceId}/members`, {
      token: owner.token,
      body: { email, role: 'viewer' },
    });
  const early = (await invite('early@other.example')).body.inviteUrl;
  expect((await put(owner, { allowedDomains: ['Example.COM'] })).body.settings.allowedDomains).toEqual(['example.com']);
  expect((await invite('late@other.example')).body.error.details).toMatchObject([{ field: 'email' }]);
  expect((await invite('late@sub.example.com')).status).toBe(400);
  expect((await invite('late@example.com')).status).toBe(201);
  const body = { token: new URL(early).searchParams.get('token'), name: 'Early', password: PASSWORD };
  const joined = await call<Refused>('POST', '/api/auth/accept-invite', { body });
  expect(joined.body.error.details).toMatchObject([{ field: 'token' }]);
});

test('runs are deleted earlier if the workspace says so, and never later than the service says', async () => {
  const [short, usual] = [await buildUser(), await buildUser()];
  await put(short, { executionRetentionDays: 3 });
  const store = async ({ workspaceId }: TestUser) => {
    const id = generateOrderedId('exec');
    const workflowId = await buildWorkflow({ workspaceId });
    const facts = {
      workflowVersion: 1,
      status: 'completed',
      trigger: 'manual',
      input: {},
      createdAt: ago(97 * HOUR),
      completedAt: ago(96 * HOUR),
    };
    await prismaClient().execution.create({ data: { id, workspaceId, workflowId, ...facts } });
    return id;
  };
  const [gone, kept] = [await store(short), await store(usual)];
  await removeExpiredRows(30);
  const left = await prismaClient().execution.findMany({ where: { id: { in: [gone, kept] } }, select: { id: true } });
  expect(left).toEqual([{ id: kept }]);
});

test('a replaced webhook secret stays valid for the workspace’s grace period', async () => {
  const owner = await buildUser();
  await put(owner, { webhookGraceHours: 2 });
  const workflowId = await buildWorkflow(owner);
  const path = `/api/workflows/${workflowId}/webhooks`;
  const { id } = (await call<{ id: string }>('POST', path, { token: owner.token, body: { path: 'orders' } })).body;
  await call('POST', `${path}/${id}/rotate-secret`, { token: owner.token });
  const { oldSecretUntil } = await prismaClient().webhook.findUniqueOrThrow({ where: { id } });
  const left = (oldSecretUntil?.getTime() ?? 0) - Date.now();
  expect(left).toBeGreaterThan(HOUR);
  expect(left).toBeLessThanOrEqual(2 * HOUR);
});
