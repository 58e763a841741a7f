import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call, unique, type Answer, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { memberAccess, defineOperation, type OperationRecord } from '@/server/api/operation/operation';
import { jsonReply, writeEffect } from '@/server/api/operation/operation-parts';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { conflictProblem } from '@/server/platform/errors/problem';
import { receivedFromWeb } from '@/server/api/operation/incoming';
import { createOperationHandler } from '@/server/api/http/handlers';
import { toWebResponse } from '@/server/api/http/response';

useDatabase();
beforeEach(async () => {
  getRuntime().buckets = undefined;
  await prismaClient().rateBucket.deleteMany();
});

const audited = (resourceId: string) =>
  prismaClient().auditEntry.findMany({
    where: { resource: { path: ['id'], equals: resourceId } },
    orderBy: { sequence: 'asc' },
  });

/** Renames a workspace, then runs the given behaviour. */
const renaming = (name: string, after: () => void = () => undefined) =>
  defineOperation({
    id: 'workspaces.rename',
    method: 'PUT',
    path: '/api/rename',
    summary: '',
    tag: '',
    access: memberAccess('workspace', 'update'),
    effect: writeEffect('configuration_change'),
    reply: jsonReply(z.object({ name: z.string() })),
    async run({ db, caller, note }) {
      note({ resourceId: name });
      await db.workspace.update({ where: { id: caller.workspaceId }, data: { name } });
      after();
      return { name, secret: 'never told' };
    },
  });

async function send(target: OperationRecord, token: string, headers: Record<string, string> = {}) {
  const all = { authorization: `Bearer ${token}`, [PEER_ADDRESS_HEADER]: '192.0.2.9', ...headers };
  const response = toWebResponse(
    await createOperationHandler(target)(
      receivedFromWeb(new Request('http://weft.test/api/rename', { method: 'PUT', headers: all })),
    ),
  );
  return { status: response.status, headers: response.headers, body: (await response.json()) as Refused };
}

const nameOf = async (id: string) => (await prismaClient().workspace.findUniqueOrThrow({ where: { id } })).name;

test('a change and its audit entry are one transaction, and only fields of the schema are returned', async () => {
  const { token, workspaceId, id, email } = await buildUser();
  const name = unique('renamed');
  const { status, body } = await send(renaming(name), token, { 'user-agent': 'probe/1' });
  expect([status, body]).toEqual([200, { name }]);
  expect(await nameOf(workspaceId)).toBe(name);
  expect(await audited(name)).toMatchObject([
    {
      workspaceId,
      category: 'configuration_change',
      action: 'workspaces.rename',
      result: 'success',
      actor: { type: 'user', id, email },
      resource: { type: 'workspace', id: name },
      metadata: { ipAddress: '192.0.2.9', userAgent: 'probe/1', requestId: expect.stringMatching(/^req_/) },
    },
  ]);
});

test('a change that fails half-way is rolled back, and leaves one entry of its failure', async () => {
  const { token, workspaceId } = await buildUser();
  const before = await nameOf(workspaceId);
  const name = unique('failed');
  const target = renaming(name, () => {
    throw conflictProblem('No.');
  });
  expect((await send(target, token)).status).toBe(409);
  expect(await nameOf(workspaceId)).toBe(before);
  expect(await audited(name)).toMatchObject([{ result: 'failure', metadata: { reason: 'No.' } }]);
});

test('a caller without the permission is denied, and that is audited', async () => {
  const { token, workspaceId } = await buildUser({ role: 'viewer' });
  expect((await send(renaming('x'), token)).status).toBe(403);
  const entries = await prismaClient().auditEntry.findMany({ where: { workspaceId } });
  expect(entries).toMatchObject([{ category: 'authorization', action: 'workspaces.rename', result: 'denied' }]);
});

test('an internal error returns the request’s id and no details', async () => {
  const { token } = await buildUser();
  const target = renaming('x', () => {
    throw new Error('relation "secret_table" at /srv/app.ts:7');
  });
  getRuntime().env.logLevel = 'silent' as 'error';
  const { status, body, headers } = await send(target, token);
  expect(status).toBe(500);
  expect(body.error).toEqual({
    code: 'INTERNAL_ERROR',
    message: expect.stringContaining(headers.get('x-request-id')!),
    details: [],
  });
  expect(JSON.stringify(body)).not.toMatch(/secret_table|app\.ts/);
});

test('an answer that does not match its schema is an internal error, and nothing is stored', async () => {
  const { token, workspaceId } = await buildUser();
  const before = await nameOf(workspaceId);
  const target = { ...renaming('misshapen'), reply: jsonReply(z.object({ missing: z.string() })) };
  expect((await send(target as unknown as OperationRecord, token)).status).toBe(500);
  expect(await nameOf(workspaceId)).toBe(before);
});

test('permissions are checked before the body', async () => {
  const { token } = await buildUser({ role: 'viewer' });
  const { status } = await call('POST', '/api/workflows', { token, raw: 'no json' });
  expect(status).toBe(403);
});

/** Tokens are refilled meanwhile, so it takes a few more requests than the burst. */
async function untilRefused<Body>(ask: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (let i = 0; i < 400; i++) {
    const answer = await ask();
    if (answer.status === 429) return answer;
  }
  throw new Error('never refused');
}

test('a workspace over its limit gets 429 with the time to wait; another one is not affected', async () => {
  const { token, workspaceId } = await buildUser();
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
  const refused = await untilRefused(() => call<Refused>('GET', '/api/auth/me', { token }));
  expect(refused.status).toBe(429);
  expect(refused.body.error.code).toBe('RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('60');
  expect(refused.headers.get('x-ratelimit-burst')).toBe('100');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect((await call('GET', '/api/auth/me', { token: (await buildUser()).token })).status).toBe(200);
});

test('calls without a workspace count against the client’s address', async () => {
  getRuntime().env.rateLimitTier = 'free';
  const login = (from: string) =>
    call('POST', '/api/auth/login', { body: { email: 'nobody@example.com', password: 'x' }, from });
  await untilRefused(() => call('GET', '/api/nothing', { from: '192.0.2.50' }));
  expect((await login('192.0.2.50')).status).toBe(429);
  expect((await login('192.0.2.51')).status).toBe(401);
  getRuntime().env.rateLimitTier = 'enterprise';
});

test.each(['/api', '/api/nothing', '/api/workflows/x/y/z', '/auth/nothing', '/webhooks', '/webhooks/wf_x'])(
  '%s is unknown, in the documented format and with every header',
  async (path) => {
    const { status, body, headers } = await call<Refused>('GET', path);
    expect([404, 405]).toContain(status);
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', details: [] });
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('x-ratelimit-limit')).toBeTruthy();
    expect(headers.get('cache-control')).toBe('no-store');
  },
);

test.each(['%00', '%ff', '%', '..%2f..', "'%20or%201=1", 'a'.repeat(5000), '%F0%9F%92%A9'])(
  'an id of %s does not exist',
  async (id) => {
    const { token } = await buildUser();
    for (const path of [`/api/workflows/${id}`, `/api/executions/${id}`, `/api/workflows/${id}/versions/1`]) {
      expect((await call<Refused>('GET', path, { token })).status).toBe(404);
    }
  },
);
