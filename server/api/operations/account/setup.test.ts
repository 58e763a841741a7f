import { afterEach, describe, expect, test } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import { ensureFirstOwner } from '@/server/people/accounts/first-owner';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { call, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const person = { name: 'Ada', email: 'Ada@Example.com', password: 'a long password' };
const linkToken = async () => {
  const found = await ensureFirstOwner();
  return found.kind === 'setup' ? (new URL(found.url).searchParams.get('token') ?? '') : '';
};

afterEach(async () => {
  await prismaClient().workspace.deleteMany();
  await prismaClient().user.deleteMany();
});

test('the holder of the link becomes the owner, and can sign in', async () => {
  expect((await call('GET', '/api/setup')).body).toEqual({ needed: true });
  const body = { ...person, token: await linkToken(), expressionLanguage: 'javascript' };
  const made = await call<{ workspaceId: string }>('POST', '/api/setup', { body });
  expect(made).toMatchObject({ status: 201, body: { email: 'ada@example.com' } });
  expect((await call('GET', '/api/setup')).body).toEqual({ needed: false });
  const { email, password } = person;
  const login = await call<LoginTokens>('POST', '/api/auth/login', { body: { email, password } });
  const me = await call('GET', '/api/auth/me', { token: login.body.accessToken });
  expect(me.body).toMatchObject({ user: { name: 'Ada' }, workspaces: [{ slug: 'main', role: 'owner' }] });
  const workspace = await call('GET', `/api/workspaces/${made.body.workspaceId}`, { token: login.body.accessToken });
  expect(workspace.body).toMatchObject({ settings: { expressionLanguage: 'javascript' } });
  const workflows = await call('GET', '/api/workflows', { token: login.body.accessToken });
  expect(workflows.body).toMatchObject({ data: [{ name: 'Welcome' }], total: 1 });
  expect(await prismaClient().auditEntry.findMany({ where: { action: 'setup.create' } })).toHaveLength(1);
});

test('the link works once', async () => {
  const token = await linkToken();
  await call('POST', '/api/setup', { body: { ...person, token } });
  const again = await call('POST', '/api/setup', { body: { ...person, email: 'b@example.com', token } });
  expect(again.status).toBe(409);
  expect(await prismaClient().user.count()).toBe(1);
});

test('of several concurrent uses one creates the owner', async () => {
  const token = await linkToken();
  const tries = ['a', 'b', 'c', 'd'].map((name) =>
    call('POST', '/api/setup', { body: { ...person, email: `${name}@example.com`, token } }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409, 409]);
});

test.each([undefined, '', 'wrong', 'ü'.repeat(43)])('without the link it is refused: %s', async (token) => {
  expect((await call('POST', '/api/setup', { body: { ...person, token } })).status).toBe(403);
  expect(await prismaClient().user.count()).toBe(0);
});

test('in saas mode no link is needed', async () => {
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, deploymentEnv: 'saas' } });
  expect((await call('POST', '/api/setup', { body: person })).status).toBe(201);
  setRuntime(before);
});

describe('refused requests', () => {
  test.each([
    ['password', { password: 'too short' }],
    ['password', { password: 'ü'.repeat(37) }],
    ['password', { password: 'password1234' }],
    ['email', { email: 'nobody' }],
    ['name', { name: '' }],
    ['name', { name: 'a\u0000b' }],
    ['role', { role: 'owner' }],
  ])('%s in %j', async (field, changes) => {
    const body = { ...person, token: await linkToken(), ...changes };
    const answer = await call<Refused>('POST', '/api/setup', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((detail) => detail.field)).toEqual([field]);
  });
});
