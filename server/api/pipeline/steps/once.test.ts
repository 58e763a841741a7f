import { expect, test } from 'vitest';
import type { WorkflowResponse } from '@/contract/workflows/workflow';
import { openDatabaseConnections, prismaClient } from '@/server/platform/db/client';
import { operationTable } from '@/server/api/operations';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, buildWorkflow, call, join, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import type { IncomingCall } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';
import type { CallIdentity } from './identify';
import { runOncePerKey, readIdempotencyKey } from './once';

useDatabase();

const create = ({ token }: { token: string }, key: string, name = 'once', workspace?: string) =>
  call<WorkflowResponse & Refused>('POST', '/api/workflows', {
    token,
    workspace,
    body: { name },
    headers: { 'idempotency-key': key },
  });
const count = ({ workspaceId }: TestUser) => prismaClient().workflow.count({ where: { workspaceId } });

test('the same key and body return the first answer again, headers included, and create one workflow', async () => {
  const user = await buildUser();
  const first = await create(user, 'k1');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const again = await create(user, 'k1');
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(await count(user)).toBe(1);
});

test('a replay leaves no second audit entry', async () => {
  const user = await buildUser();
  await create(user, 'k1');
  await create(user, 'k1');
  expect(await prismaClient().auditEntry.count({ where: { workspaceId: user.workspaceId } })).toBe(1);
});

test('the same key with another body is a conflict', async () => {
  const user = await buildUser();
  await create(user, 'k1', 'one');
  expect((await create(user, 'k1', 'two')).body.error.code).toBe('CONFLICT');
  expect(await count(user)).toBe(1);
});

test('of fifty concurrent requests one has an effect; the others get the answer or a retry hint', async () => {
  const user = await buildUser();
  const answers = await Promise.all([...Array(50).keys()].map(() => create(user, 'k1')));
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  for (const { status, headers } of answers.filter((answer) => answer.status !== 201)) {
    expect(status).toBe(409);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await count(user)).toBe(1);
});

test('a failure is not stored: the same key may be used again after it', async () => {
  const user = await buildUser();
  expect((await create(user, 'k1', '')).status).toBe(400);
  expect((await create(user, 'k1', 'now right')).status).toBe(201);
});

test('another caller, workspace or address is a different request', async () => {
  const user = await buildUser();
  const colleague = await buildUser({ workspaceId: user.workspaceId, role: 'editor' });
  const elsewhere = await buildUser();
  await join(user.id, elsewhere.workspaceId, 'editor');
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  await create(user, 'k1');
  expect((await create(colleague, 'k1')).headers.get('idempotency-replayed')).toBeNull();
  expect((await create(user, 'k1', 'once', elsewhere.workspaceId)).headers.get('idempotency-replayed')).toBeNull();
  const put = await call('PUT', `/api/workflows/${workflowId}`, {
    token: user.token,
    body: { name: 'once' },
    headers: { 'idempotency-key': 'k1' },
  });
  expect([put.status, put.headers.get('idempotency-replayed')]).toEqual([200, null]);
});

test('a run is started once', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow(user);
  const execute = () =>
    call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
      token: user.token,
      headers: { 'idempotency-key': 'run' },
    });
  const first = await execute();
  expect(first.status).toBe(202);
  expect((await execute()).body).toEqual(first.body);
  expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(1);
});

test('of fifty concurrent identical executes one starts a run, and a repetition of each returns it', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow(user);
  const execute = () =>
    call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
      token: user.token,
      body: { input: { no: 1 } },
      headers: { 'idempotency-key': 'run' },
    });
  const answers = await Promise.all([...Array(50).keys()].map(execute));
  for (const { status } of answers) expect([202, 409]).toContain(status);
  const again = await Promise.all([...Array(5).keys()].map(execute));
  const ids = [...answers, ...again].filter(({ status }) => status === 202).map(({ body }) => body.executionId);
  expect(new Set(ids).size).toBe(1);
  expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(1);
  expect(await prismaClient().auditEntry.count({ where: { workspaceId: user.workspaceId, result: 'success' } })).toBe(
    1,
  );
});

test('another process, or this one after a restart, replays the answer', async () => {
  const user = await buildUser();
  const first = await create(user, 'k1');
  const before = getRuntime();
  const { pool, aside, prisma: other } = openDatabaseConnections(before.env.databaseUrl!);
  setRuntime({ env: before.env, pool, aside, prisma: other });
  const again = await create(user, 'k1');
  setRuntime(before);
  await other.$disconnect();
  await pool.end();
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await count(user)).toBe(1);
});

test('while the first runs in another process, the second gets a retry hint', async () => {
  const user = await buildUser();
  const identity = { person: { userId: user.id, apiKeyId: null }, caller: { workspaceId: user.workspaceId } };
  const headers = new Headers({ 'idempotency-key': 'k1' });
  const operation = operationTable.find(({ id }) => id === 'workflows.create')! as OperationRecord;
  const incoming = { headers, path: '/api/workflows' } as unknown as IncomingCall;
  const key = readIdempotencyKey(
    operation,
    identity as unknown as CallIdentity,
    incoming,
    Buffer.from('{"name":"once"}'),
  );
  const { body } = await create(user, 'k0');
  await prismaClient().$transaction(async (elsewhere) => {
    await runOncePerKey(elsewhere, key, async () => {
      const { status, headers: told } = await create(user, 'k1');
      expect([status, told.get('retry-after')]).toEqual([409, '1']);
      return { status: 201, headers: {}, body };
    });
  });
  expect((await create(user, 'k1')).body.id).toBe(body.id);
});

test('a secret that is shown once is replayed, and stored sealed', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow(user);
  const register = () =>
    call<{ secret: string }>('POST', `/api/workflows/${workflowId}/webhooks`, {
      token: user.token,
      body: { path: 'in' },
      headers: { 'idempotency-key': 'hook' },
    });
  const { secret } = (await register()).body;
  expect((await register()).body.secret).toBe(secret);
  const stored = JSON.stringify(await prismaClient().storedReply.findMany());
  expect(stored).not.toContain(secret);
});

test('after a day the key can be used again', async () => {
  const user = await buildUser();
  await create(user, 'k1');
  await prismaClient().storedReply.updateMany({ data: { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1) } });
  const later = await create(user, 'k1');
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(await count(user)).toBe(2);
});

test.each(['', 'with space', 'x'.repeat(256), 'ümlaut'])('%j is no valid key', async (key) => {
  const user = await buildUser();
  const { status, body } = await create(user, key);
  expect([status, body.error.details[0]?.field]).toEqual([400, 'Idempotency-Key']);
});
