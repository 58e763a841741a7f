import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LoginTokens } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, PASSWORD, type TestUser } from '@/server/testing/factories';
import { startWebProcess, type WebProcess } from '@/server/testing/processes/service';
import { settledStep, totp } from '@/server/testing/totp';
import { systemRoleId } from '@/server/platform/db/system-role-id';

useOwnDatabase();
vi.setConfig({ testTimeout: 60_000 });

let here: WebProcess;
let there: WebProcess;
const start = () => startWebProcess(getRuntime().env.databaseUrl ?? '', { ...TEST_KEYS, BCRYPT_COST: '4' });

beforeAll(async () => {
  [here, there] = await Promise.all([start(), start()]);
}, 60_000);
afterAll(() => Promise.all([here, there].map((one) => one.end('SIGKILL'))));

interface Asked {
  token?: string;
  body?: unknown;
  key?: string;
}

async function ask<Body>(at: WebProcess, method: string, path: string, { token, body, key }: Asked = {}) {
  const answer = await fetch(at.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'x-api-key': key } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as Body };
}
const statusThere = async (asked: Asked, path = '/api/workflows') => (await ask(there, 'GET', path, asked)).status;
const login = (at: WebProcess, { email }: TestUser, mfaCode?: string) =>
  ask<LoginTokens>(at, 'POST', '/api/auth/login', { body: { email, password: PASSWORD, mfaCode } });

test('access revoked in one process is refused at the next call in another', async () => {
  const owner = await buildUser();
  const member = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
  const at = `/api/workspaces/${owner.workspaceId}/members/${member.id}`;
  // An editor creates no keys. An admin does, and loses that right again.
  const roleId = systemRoleId('admin');
  const assignment = { token: owner.token, body: { userId: member.id, roleId } };
  const create = (process: WebProcess) =>
    ask<{ id: string; key: string }>(process, 'POST', '/auth/api_keys', {
      token: member.token,
      body: { name: 'a key', scopes: ['read'] },
    });
  expect((await ask(here, 'POST', '/auth/rbac', assignment)).status).toBe(201);
  const { status, body: key } = await create(there);
  expect([status, await statusThere({ key: key.key })]).toEqual([201, 200]);
  expect((await ask(here, 'DELETE', '/auth/rbac', assignment)).status).toBe(204);
  expect((await create(there)).status).toBe(403);

  await ask(here, 'DELETE', `/api/api-keys/${key.id}`, { token: owner.token });
  expect(await statusThere({ key: key.key })).toBe(401);
  expect(await statusThere({ token: member.token })).toBe(200);
  await ask(here, 'DELETE', at, { token: owner.token });
  expect(await statusThere({ token: member.token })).toBe(404);
});

test('a logout and a change of password end tokens in every process at once', async () => {
  const user = await buildUser();
  const [one, other] = [(await login(here, user)).body, (await login(there, user)).body];
  await ask(here, 'POST', '/api/auth/logout', { token: one.accessToken });
  expect(await statusThere({ token: one.accessToken })).toBe(401);
  const newPassword = 'another battery staple';
  const body = { currentPassword: PASSWORD, newPassword };
  expect((await ask(here, 'POST', '/api/auth/password', { token: other.accessToken, body })).status).toBe(204);
  expect([await statusThere({ token: user.token }), await statusThere({ token: other.accessToken })]).toEqual([
    401, 200,
  ]);
});

test('of two uses of one refresh token one succeeds, and the whole login ends', async () => {
  const user = await buildUser();
  const { refreshToken, accessToken } = (await login(here, user)).body;
  const refresh = (at: WebProcess) => ask<LoginTokens>(at, 'POST', '/api/auth/refresh', { body: { refreshToken } });
  const answers = await Promise.all([refresh(here), refresh(there)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect(await statusThere({ token: accessToken })).toBe(401);
});

test('a code works once in all processes, also after one was killed', async () => {
  const user = await buildUser();
  const { body: made } = await ask<{ secret: string; backupCodes: string[] }>(here, 'POST', '/auth/mfa', {
    token: user.token,
    body: {},
  });
  await settledStep();
  const confirm = { token: user.token, body: { code: totp(made.secret, -1) } };
  expect((await ask(here, 'PUT', '/auth/mfa', confirm)).status).toBe(200);
  const code = totp(made.secret, 1);
  const both = await Promise.all([login(here, user, code), login(there, user, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  await here.end('SIGKILL');
  here = await start();
  expect((await login(here, user, code)).status).toBe(401);

  const [backup = ''] = made.backupCodes;
  const spent = await Promise.all([login(here, user, backup), login(there, user, backup)]);
  expect(spent.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect(await prismaClient().backupCode.count({ where: { userId: user.id, usedAt: null } })).toBe(9);
});

test('failed sign-ins of all processes are counted together', async () => {
  const user = await buildUser();
  const guess = (at: WebProcess) =>
    ask(at, 'POST', '/api/auth/login', { body: { email: user.email, password: 'a wrong password' } });
  for (const at of [here, there, here, there, here]) expect((await guess(at)).status).toBe(401);
  expect([(await login(here, user)).status, (await login(there, user)).status]).toEqual([429, 429]);
});
