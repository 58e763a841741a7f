import { expect, test } from 'vitest';
import type { WebhookListener } from '@/contract/triggers/webhook';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, join, tokenFor, type Refused, type TestUser } from '@/server/testing/factories';
import { buildHook, deliver, register, send, sendersHook, type TestHook } from '@/server/testing/hooks';

useDatabase();

type State = { listener: WebhookListener | null } & Refused;

const listenerAt = ({ token }: Pick<TestUser, 'token'>, workflowId: string) => ({
  start: (webhookId: string) =>
    call<State>('POST', `/api/workflows/${workflowId}/webhooks/${webhookId}/listener`, { token }),
  get: () => call<State>('GET', `/api/workflows/${workflowId}/listener`, { token }),
  stop: () => call('DELETE', `/api/workflows/${workflowId}/listener`, { token }),
});

async function listening(status: string) {
  const built = await buildHook(status);
  const mine = listenerAt(built.user, built.workflowId);
  expect((await mine.start(built.hook.id)).status).toBe(201);
  return { ...built, ...mine };
}

const executions = ({ workflowId }: Pick<TestHook, 'workflowId'>) =>
  prismaClient().execution.count({ where: { workflowId } });

test('a listener waits for five minutes, sees no earlier call, and can be stopped', async () => {
  const { user, workflowId, hook } = await buildHook();
  await deliver(hook, '{"n":0}');
  const { start, get, stop } = listenerAt(user, workflowId);
  expect((await get()).body).toEqual({ listener: null });
  const { status, body } = await start(hook.id);
  expect(status).toBe(201);
  expect(body.listener).toMatchObject({ webhookId: hook.id, call: null, refusal: null });
  const { since = '', until = '' } = body.listener ?? {};
  expect(Date.parse(until) - Date.parse(since)).toBe(300_000);
  expect((await stop()).status).toBe(204);
  expect((await get()).body).toEqual({ listener: null });
  expect((await stop()).status).toBe(204);
});

test.each(['active', 'draft'])('a call of a workflow that is %s runs as always, and is shown', async (status) => {
  const { hook, get } = await listening(status);
  const { status: code, body } = await deliver(hook, '{"n":1}');
  expect([code, body.status]).toEqual([202, 'accepted']);
  await deliver(hook, '{"n":2}');
  expect((await get()).body.listener?.call).toMatchObject({
    verdict: 'accepted',
    executionId: body.executionId,
    input: { n: 1 },
    inputState: 'shown',
  });
});

test('a call of a paused workflow is captured while a user listens, and starts no run', async () => {
  const { workflowId, hook, get, stop } = await listening('paused');
  const { status, body } = await deliver(hook, '{"n":1}');
  expect([status, body]).toEqual([202, { status: 'captured' }]);
  expect(await executions({ workflowId })).toBe(0);
  const { listener } = (await get()).body;
  expect(listener?.call).toMatchObject({ verdict: 'captured', executionId: null, input: { n: 1 } });
  await stop();
  expect((await deliver(hook, '{"n":2}')).status).toBe(409);
});

test('a paused workflow refuses calls once the time of the listener is over', async () => {
  const { hook, get } = await listening('paused');
  await databasePool().query(`UPDATE webhook_listener SET until = now() - interval '1 second' WHERE webhook_id = $1`, [
    hook.id,
  ]);
  expect((await deliver(hook, '{}')).status).toBe(409);
  expect((await get()).body).toEqual({ listener: null });
});

test('a call is verified although somebody listens: the listener sees why it was refused', async () => {
  const { workflowId, hook, get } = await listening('paused');
  expect((await deliver(hook, '{}', { 'x-service-signature': 'sha256=00' })).status).toBe(401);
  const { listener } = (await get()).body;
  expect(listener?.call).toBeNull();
  expect(listener?.refusal?.reason).toContain('signature');
  expect(await executions({ workflowId })).toBe(0);
});

test('a listener of one webhook captures no call of another', async () => {
  const { user, workflowId, get } = await listening('paused');
  const other = (await register(user, workflowId, 'other')).body;
  expect((await deliver(other, '{}')).status).toBe(409);
  expect((await get()).body.listener?.call).toBeNull();
});

test('a call that the schema of the start node refuses is shown with its input', async () => {
  const { workflowId, hook, get } = await listening('active');
  const config = { inputSchema: { type: 'object', required: ['no'] } };
  const definition = { nodes: [{ id: 's', type: 'start', position: { x: 0, y: 0 }, config }], connections: [] };
  await prismaClient().workflow.update({ where: { id: workflowId }, data: { definition } });
  await prismaClient().workflowVersion.updateMany({ where: { workflowId }, data: { definition } });
  expect((await deliver(hook, '{"yes":1}')).status).toBe(400);
  expect((await get()).body.listener?.call).toMatchObject({ verdict: 'refused', input: { yes: 1 } });
});

test('headers that the verification reads are not in the sample', async () => {
  const { user, workflowId, ...rest } = await buildHook('paused');
  const verification = { kind: 'header', name: 'x-key', value: 'a secret value' };
  const hook = await sendersHook({ user, workflowId }, { path: 'keyed', verification, input: 'request' });
  const { start, get } = listenerAt(user, workflowId);
  await start(hook.id);
  const headers = { 'x-key': 'a secret value', 'x-other': 'kept', 'content-type': 'application/json' };
  expect((await send(hook, { raw: '{}', headers })).status).toBe(202);
  const input = JSON.stringify((await get()).body.listener?.call?.input);
  expect(input).toContain('kept');
  expect(input).not.toContain('a secret value');
  expect(rest.hook.id).not.toBe(hook.id);
});

test('a person has one listener in a workflow; each person has their own', async () => {
  const { user, workflowId, hook, start, get } = await listening('paused');
  const other = (await register(user, workflowId, 'other')).body;
  expect((await start(other.id)).body.listener?.webhookId).toBe(other.id);
  const colleague = await buildUser({ workspaceId: user.workspaceId, role: 'operator' });
  const theirs = listenerAt(colleague, workflowId);
  expect((await theirs.get()).body).toEqual({ listener: null });
  await theirs.start(hook.id);
  await theirs.stop();
  expect((await get()).body.listener?.webhookId).toBe(other.id);
  expect(await prismaClient().webhookListener.count({ where: { workflowId } })).toBe(1);
});

test('listening needs workflow:execute, and an enabled webhook of this workspace', async () => {
  const { user, workflowId, hook } = await buildHook();
  const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
  expect((await listenerAt(viewer, workflowId).start(hook.id)).status).toBe(403);
  const attacker = await buildHook();
  expect((await listenerAt(attacker.user, workflowId).start(hook.id)).status).toBe(404);
  expect((await listenerAt(attacker.user, attacker.workflowId).start(hook.id)).status).toBe(404);
  await call('PUT', `/api/workflows/${workflowId}/webhooks/${hook.id}`, {
    token: user.token,
    body: { enabled: false },
  });
  const { status, body } = await listenerAt(user, workflowId).start(hook.id);
  expect([status, body.error.message]).toEqual([409, 'The webhook is disabled. Enable it first.']);
});

test('the input is hidden from people who may not read runs', async () => {
  const { user, workflowId, hook } = await buildHook('paused');
  const permissions = [{ resource: 'workflow', action: 'execute' }];
  const role = await call<{ id: string }>('POST', '/api/roles', {
    token: user.token,
    body: { name: 'starter', permissions },
  });
  expect(role.status, JSON.stringify(role.body)).toBe(201);
  const person = await buildUser();
  await join(person.id, user.workspaceId, 'viewer');
  await prismaClient().roleAssignment.updateMany({
    where: { userId: person.id, workspaceId: user.workspaceId },
    data: { roleId: role.body.id },
  });
  const mine = listenerAt(await tokenFor(person.id, user.workspaceId), workflowId);
  await mine.start(hook.id);
  await deliver(hook, '{"secret":1}');
  const { listener } = (await mine.get()).body;
  expect(listener?.call).toMatchObject({ verdict: 'captured', inputState: 'hidden' });
  expect(listener?.call).not.toHaveProperty('input');
});

test('a webhook shows its last call', async () => {
  const { user, workflowId, hook } = await buildHook();
  const path = `/api/workflows/${workflowId}/webhooks`;
  const read = () => call<{ data: { lastCall: { verdict: string } | null }[] }>('GET', path, { token: user.token });
  expect((await read()).body.data[0]?.lastCall).toBeNull();
  await deliver(hook, '{}');
  await deliver(hook, '{}', { 'x-service-signature': 'sha256=00' });
  expect((await read()).body.data[0]?.lastCall).toMatchObject({ verdict: 'refused' });
});
