import { encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from '@/server/people/auth/browser-session';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, buildWorkflow, call, join, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const cookieOf = async ({ sessionId }: TestUser) =>
  `${SESSION_COOKIE_NAME}=${await encode({ token: { sessionId }, secret: sessionCookieSecret() })}`;
const list = (headers: Record<string, string>, token?: string) =>
  call<{ total: number }>('GET', '/api/workflows', { token, headers });

test('the token is for its own workspace, the header selects another of the person’s', async () => {
  const user = await buildUser();
  const other = await buildUser();
  await join(user.id, other.workspaceId, 'viewer');
  await buildWorkflow(other);
  expect((await list({}, user.token)).body.total).toBe(0);
  expect((await list({ 'x-workspace-id': other.workspaceId }, user.token)).body.total).toBe(1);
});

test.each(['ws_nothing', '', "' OR 1=1", 'x'.repeat(1000)])('a workspace %j does not exist', async (workspace) => {
  const { token } = await buildUser();
  expect((await list({ 'x-workspace-id': workspace }, token)).status).toBe(404);
});

test('an ended session or a deleted person is anonymous at the next call', async () => {
  const user = await buildUser();
  await prismaClient().session.update({ where: { id: user.sessionId }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await list({}, user.token)).status).toBe(401);
  const gone = await buildUser();
  await prismaClient().user.delete({ where: { id: gone.id } });
  expect((await list({}, gone.token)).status).toBe(401);
});

test('a browser’s cookie passes the same step', async () => {
  const user = await buildUser();
  await buildWorkflow(user);
  expect((await list({ cookie: await cookieOf(user) })).body.total).toBe(1);
});

test('a request that a foreign page makes with the browser’s cookie is anonymous', async () => {
  const cookie = await cookieOf(await buildUser());
  const post = (headers: object) =>
    call('POST', '/api/workflows', { body: { name: 'x' }, headers: { cookie, host: 'weft.test', ...headers } });
  expect((await post({ origin: 'https://evil.example' })).status).toBe(401);
  expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await post({ 'sec-fetch-site': 'same-origin', origin: 'http://weft.test' })).status).toBe(201);
});

test.each(['Bearer', 'Bearer ', 'bearer a b', 'Token x', `Bearer ${'x'.repeat(5000)}`])(
  '%j is not accepted',
  async (authorization) => {
    expect((await list({ authorization })).status).toBe(401);
  },
);
