import { expect, test } from 'vitest';
import type { CurrentUser } from '@/contract/access/session';
import type { WorkspaceUsage } from '@/contract/workspace';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  call,
  join,
  PASSWORD,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';

useDatabase();

const me = async (token: string) => (await call<CurrentUser>('GET', '/api/auth/me', { token })).body.workspaces;
const nameOf = async ({ workspaceId }: TestUser) =>
  (await prismaClient().workspace.findUniqueOrThrow({ where: { id: workspaceId } })).name;
const end = ({ token, workspaceId }: TestUser, body: object) =>
  call<Refused>('DELETE', `/api/workspaces/${workspaceId}`, { token, body });
const fieldsOf = (answer: { status: number; body: Refused }) => [
  answer.status,
  ...answer.body.error.details.map(({ field }) => field),
];

test('deleting a workspace requires its name and the password, and is for owners only', async () => {
  await buildUser();
  const owner = await buildUser();
  const admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
  const name = await nameOf(owner);
  expect(fieldsOf(await end(owner, { name: 'Another', password: PASSWORD }))).toEqual([400, 'name']);
  expect(fieldsOf(await end(owner, { name }))).toEqual([400, 'password']);
  expect(fieldsOf(await end(owner, { name, password: 'wrong' }))).toEqual([400, 'password']);
  const at = new Date();
  await prismaClient().user.update({ where: { id: owner.id }, data: { mfaEnabledAt: at } });
  await prismaClient().session.update({ where: { id: owner.sessionId }, data: { factorAt: at } });
  expect(fieldsOf(await end(owner, { name, password: PASSWORD }))).toEqual([400, 'mfaCode']);
  expect(fieldsOf(await end(owner, { name, password: PASSWORD, mfaCode: '123456' }))).toEqual([400, 'mfaCode']);
  expect((await end(admin, { name, password: PASSWORD })).status).toBe(403);
  expect(await me(owner.token)).toHaveLength(1);
});

test('everything is deleted except the audit log', async () => {
  await buildUser();
  const owner = await buildUser();
  const { workspaceId, token } = owner;
  const member = await buildUser({ workspaceId, role: 'viewer' });
  const workflowId = await buildWorkflow({ workspaceId, status: 'active' });
  const webhooks = `/api/workflows/${workflowId}/webhooks`;
  const hook = (await call<{ secret: string }>('POST', webhooks, { token, body: { path: 'in' } })).body;
  const body = { name: 'Key', type: 'api_key', config: { apiKey: 'a secret' } };
  expect((await call('POST', '/api/credentials', { token, body })).status).toBe(201);
  const key = await call<{ key: string }>('POST', '/auth/api_keys', { token, body: { name: 'Key', scopes: ['*'] } });
  const run = { workspaceId, workflowId, workflowVersion: 1, trigger: 'manual', input: {} };
  await prismaClient().execution.createMany({
    data: Array.from({ length: 250 }, () => ({ id: generateOrderedId('exec'), status: 'running', ...run })),
  });
  const name = await nameOf(owner);
  expect((await end(owner, { name, password: PASSWORD })).status).toBe(204);

  expect(await me(token)).toEqual([]);
  expect((await call('GET', `/api/workspaces/${workspaceId}`, { token })).status).toBe(404);
  expect((await call('GET', '/api/workflows', { token: member.token })).status).toBe(404);
  expect((await call('GET', '/api/auth/me', { token: key.body.key })).status).toBe(401);
  const raw = '{}';
  const headers = { 'x-service-signature': documentedSignature(hook.secret, Buffer.from(raw)) };
  expect((await call('POST', `/webhooks/${workflowId}/in`, { raw, headers })).status).toBe(404);
  expect(await prismaClient().credential.count({ where: { workspaceId } })).toBe(0);

  await expect.poll(() => prismaClient().workspace.count({ where: { id: workspaceId } }), { timeout: 30_000 }).toBe(0);
  expect(await prismaClient().execution.count({ where: { workspaceId } })).toBe(0);
  expect(await prismaClient().workflow.count({ where: { workspaceId } })).toBe(0);
  const entry = await prismaClient().auditEntry.findFirst({ where: { workspaceId, action: 'workspaces.delete' } });
  expect(entry).toMatchObject({ result: 'success', metadata: { name } });
});

test('the only workspace of the service cannot be deleted', async () => {
  const owner = await buildUser();
  const others = { id: { not: owner.workspaceId } };
  await prismaClient().workspace.updateMany({ where: others, data: { deletedAt: new Date() } });
  expect((await end(owner, { name: await nameOf(owner), password: PASSWORD })).status).toBe(409);
  await prismaClient().workspace.deleteMany({ where: others });
});

test('a workspace is transferred to a member, and its owner stays as admin', async () => {
  const owner = await buildUser();
  const { workspaceId } = owner;
  const heir = await buildUser({ workspaceId, role: 'viewer' });
  const stranger = await buildUser();
  const transfer = (by: TestUser, userId: string, password = PASSWORD) =>
    call<{ roles: string[] } & Refused>('POST', `/api/workspaces/${workspaceId}/transfer`, {
      token: by.token,
      body: { userId, password },
    });
  expect(fieldsOf(await transfer(owner, stranger.id))).toEqual([400, 'userId']);
  expect(fieldsOf(await transfer(owner, owner.id))).toEqual([400, 'userId']);
  expect(fieldsOf(await transfer(owner, heir.id, 'wrong'))).toEqual([400, 'password']);
  expect((await transfer(heir, heir.id)).status).toBe(403);
  expect((await transfer(owner, heir.id)).body.roles).toEqual(['owner', 'viewer']);
  expect((await me(owner.token))[0]?.role).toBe('admin');
  expect((await me(heir.token))[0]?.role).toBe('owner');
  expect((await transfer(owner, heir.id)).status).toBe(403);
});

test('the usage of a workspace is counted', async () => {
  const owner = await buildUser();
  await buildWorkflow(owner);
  await join((await buildUser()).id, owner.workspaceId, 'viewer');
  const path = `/api/workspaces/${owner.workspaceId}/usage`;
  const { body } = await call<WorkspaceUsage>('GET', path, owner);
  expect(body).toMatchObject({ tier: 'unlimited', workflows: 1, members: 2, runsUnderWay: 0, runsToday: 0 });
  expect(body.executionRetentionDays).toEqual({ effective: 30, service: 30 });
  await prismaClient().workspace.update({ where: { id: owner.workspaceId }, data: { tier: 'free' } });
  const limited = await call<WorkspaceUsage>('GET', path, owner);
  expect(limited.body).toMatchObject({ tier: 'free', requestsPerMinute: 60, burst: 100 });
  expect(String(limited.body.requests.remaining)).toBe(limited.headers.get('x-ratelimit-remaining'));
  expect(limited.body.webhooks.remaining).toBe(100);
});
