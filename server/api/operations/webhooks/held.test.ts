import { afterEach, beforeEach, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { submitHeldDeliveries } from '@/server/engine/queue/held-deliveries';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';
import { buildHook, buildHookWith, deliver, send } from '@/server/testing/hooks';

useDatabase();

const begin = () => (getRuntime().maintenance = { reason: 'The disk is replaced.', since: new Date() });
const end = () => (getRuntime().maintenance = undefined);
afterEach(end);
beforeEach(() => prismaClient().heldDelivery.deleteMany());

const run = (id: string) => prismaClient().execution.findUnique({ where: { id } });
const heldOf = (workspaceId: string) => prismaClient().heldDelivery.count({ where: { workspaceId } });

it('changes are refused in words, reading works, and who may not change is told so', async () => {
  const { user, workflowId } = await buildHook();
  begin();
  const body = { name: 'Other' };
  const refused = await call<Refused>('PATCH', `/api/workflows/${workflowId}`, { token: user.token, body });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(refused.body.error.message).toBe(
    'The service is in maintenance: The disk is replaced. Reading works; try changes again later.',
  );
  const path = `/api/workflows/${workflowId}`;
  expect((await call('POST', `${path}/execute`, { token: user.token, body: {} })).status).toBe(503);
  expect((await call('GET', path, { token: user.token })).status).toBe(200);
  expect((await call('PATCH', path, { body })).status).toBe(401);
  expect((await call('GET', '/readyz')).status).toBe(200);
  end();
  expect((await call('PATCH', path, { token: user.token, body })).status).toBe(200);
});

it('a delivery is accepted and held; its run has the promised id, and starts once afterwards', async () => {
  const { user, workflowId, hook } = await buildHook();
  begin();
  const { status, body } = await deliver(hook, '{"n": 1.10, "text": "é"}');
  expect([status, body.status]).toEqual([202, 'accepted']);
  expect(await run(body.executionId)).toBeNull();
  end();
  await Promise.all([submitHeldDeliveries(), submitHeldDeliveries()]);
  await submitHeldDeliveries();
  expect(await run(body.executionId)).toMatchObject({ workflowId, trigger: 'webhook', status: 'pending' });
  expect(await heldOf(user.workspaceId)).toBe(0);
  const path = `/api/workflows/${workflowId}/webhooks/${hook.id}/deliveries`;
  const inbox = await call<{ data: object[] }>('GET', path, { token: user.token });
  expect(inbox.body.data).toMatchObject([{ verdict: 'accepted', executionId: body.executionId }]);
  const [stored] = await prismaClient().$queryRaw<
    object[]
  >`SELECT input::text AS input FROM execution WHERE id = ${body.executionId}`;
  expect(stored).toEqual({ input: '{"n":1.1,"text":"é"}' });
  const entries = { workspaceId: user.workspaceId, action: 'webhooks.deliver' };
  expect(await prismaClient().auditEntry.count({ where: entries })).toBe(1);
});

it('what is not verified is refused, and is not held', async () => {
  const { user, hook } = await buildHook();
  begin();
  expect((await deliver(hook, '{}', { 'x-service-signature': 'sha256=00' })).status).toBe(401);
  expect(await heldOf(user.workspaceId)).toBe(0);
});

it('a delivery that a sender repeats, before or during maintenance, has one run', async () => {
  const { user, hook } = await buildHook();
  const id = (name: string) => ({ 'x-service-delivery': name });
  const first = await deliver(hook, '{}', id('first'));
  begin();
  expect((await deliver(hook, '{}', id('first'))).body.executionId).toBe(first.body.executionId);
  const second = await deliver(hook, '{}', id('second'));
  expect((await deliver(hook, '{}', id('second'))).body.executionId).toBe(second.body.executionId);
  expect(await heldOf(user.workspaceId)).toBe(1);
  end();
  await submitHeldDeliveries();
  expect((await deliver(hook, '{}', id('second'))).body.executionId).toBe(second.body.executionId);
  expect(await prismaClient().execution.count({ where: { workspaceId: user.workspaceId } })).toBe(2);
});

it('a caller that waits for the answer of the run is told to come back', async () => {
  const { user, hook } = await buildHookWith({
    path: 'wait',
    verification: { kind: 'none' },
    response: { mode: 'last_node' },
  });
  begin();
  const { status, headers } = await send(hook, { raw: '{}', headers: { 'content-type': 'application/json' } });
  expect([status, headers.get('retry-after')]).toEqual([503, '30']);
  expect(await heldOf(user.workspaceId)).toBe(0);
});

it('a workspace that has filled its share is refused; another one is not', async () => {
  const [full, other] = [await buildHook(), await buildHook()];
  const { workspaceId } = full.user;
  await prismaClient().heldDelivery.create({
    data: {
      executionId: 'exec_large',
      workspaceId,
      webhookId: full.hook.id,
      submission: {},
      input: {},
      bytes: 100 * 1024 * 1024,
    },
  });
  begin();
  expect((await deliver(full.hook, '{}')).status).toBe(503);
  expect((await deliver(other.hook, '{}')).status).toBe(202);
});

it('a delivery whose workflow was deleted meanwhile does not stop the others', async () => {
  const [gone, other] = [await buildHook(), await buildHook()];
  begin();
  const lost = await deliver(gone.hook, '{}');
  const kept = await deliver(other.hook, '{}');
  end();
  await call('DELETE', `/api/workflows/${gone.workflowId}`, { token: gone.user.token });
  await prismaClient().workflow.deleteMany({ where: { id: gone.workflowId } });
  await submitHeldDeliveries();
  expect(await run(lost.body.executionId)).toBeNull();
  expect(await run(kept.body.executionId)).not.toBeNull();
  expect(await prismaClient().heldDelivery.count()).toBe(0);
});
