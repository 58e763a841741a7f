import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { buildHook, deliver, register, type Hook } from '@/server/testing/hooks';

useDatabase();

test('registering returns address and secret; lists contain no secret', async () => {
  const { user, workflowId, hook } = await buildHook();
  expect(hook).toMatchObject({
    workflowId,
    path: 'orders/new',
    url: `http://localhost:8080/webhooks/${workflowId}/orders/new`,
  });
  expect(hook.id).toMatch(/^whk_/);
  const { body } = await call<{ data: object[] }>('GET', `/api/workflows/${workflowId}/webhooks`, {
    token: user.token,
  });
  expect(body.data).toEqual([{ ...hook, secret: undefined }]);
  expect(JSON.stringify(await prismaClient().webhook.findMany())).not.toContain(hook.secret);
});

test.each(['', '/', '/a', 'a/', 'a//b', 'A', 'ä', 'a b', 'a'.repeat(101), '..', 'a?b'])(
  '%j is not a valid path',
  async (path) => {
    const user = await buildUser();
    const { status, body } = await register(user, await buildWorkflow(user), path);
    expect([status, body.error.details[0]?.field]).toEqual([400, 'path']);
  },
);

test('a path is unique per workflow', async () => {
  const { user, workflowId } = await buildHook();
  expect((await register(user, workflowId, 'orders/new')).status).toBe(409);
  expect((await register(user, await buildWorkflow(user), 'orders/new')).status).toBe(201);
});

test('a removed webhook is gone at once', async () => {
  const { user, workflowId, hook } = await buildHook();
  const path = `/api/workflows/${workflowId}/webhooks/${hook.id}`;
  expect((await call('DELETE', path, { token: user.token })).status).toBe(204);
  expect((await deliver(hook, '{}')).status).toBe(404);
  expect((await call('DELETE', path, { token: user.token })).status).toBe(404);
});

test('after a rotation the old secret works for a day; then only the new one', async () => {
  const { user, workflowId, hook } = await buildHook();
  const path = `/api/workflows/${workflowId}/webhooks/${hook.id}/rotate-secret`;
  const { status, body: rotated } = await call<Hook>('POST', path, { token: user.token });
  expect(status).toBe(200);
  expect(rotated.secret).not.toBe(hook.secret);
  expect((await deliver(rotated, '{}')).status).toBe(202);
  expect((await deliver(hook, '{}')).status).toBe(202);
  await prismaClient().webhook.update({
    where: { id: hook.id },
    data: { oldSecretUntil: new Date(Date.now() - 1000) },
  });
  expect((await deliver(hook, '{}')).status).toBe(401);
  expect((await deliver(rotated, '{}')).status).toBe(202);
});
