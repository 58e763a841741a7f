import { expect, test } from 'vitest';
import type { Execution } from '@/contract/execution';
import type { Webhook } from '@/contract/webhook';
import { signatureOf } from '../auth/signature';
import { prisma } from '../db/client';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '../testing/factories';
import { useDatabase } from '../testing/database';

useDatabase();

type Hook = Webhook & { secret: string };

async function buildHook(status = 'active'): Promise<{ user: TestUser; workflowId: string; hook: Hook }> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status });
  return { user, workflowId, hook: (await register(user, workflowId, 'orders/new')).body };
}

const register = ({ token }: TestUser, workflowId: string, path: string) =>
  call<Hook & Refused>('POST', `/api/workflows/${workflowId}/webhooks`, { token, body: { path } });

const deliver = (hook: Hook, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
  const signature = signatureOf(hook.secret, bytes);
  const path = new URL(hook.url).pathname;
  return call<{ executionId: string; status: string } & Refused>('POST', path, {
    raw,
    headers: { 'x-service-signature': signature, ...headers },
  });
};

test('registering shows address and secret; lists show no secret', async () => {
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
  expect(JSON.stringify(await prisma().webhook.findMany())).not.toContain(hook.secret);
});

test.each([
  ['an object', '{"event":"order.created","data":{"no":7}}', { event: 'order.created', data: { no: 7 } }],
  ['an array', '[1,"two"]', [1, 'two']],
  ['a word', '"text"', 'text'],
  ['nothing much', 'null', null],
])('a signed body, %s, is accepted and becomes the input', async (_, raw, input) => {
  const { user, hook, workflowId } = await buildHook();
  const { status, body } = await deliver(hook, raw);
  expect([status, body.status]).toEqual([202, 'accepted']);
  const execution = await call<Execution>('GET', `/api/executions/${body.executionId}`, { token: user.token });
  expect(execution.body).toMatchObject({ workflowId, trigger: 'webhook', input, status: 'pending' });
});

test('the signature is over the exact bytes', async () => {
  const { hook } = await buildHook();
  const raw = '{ "spaced" :  1 }\n';
  expect((await deliver(hook, raw)).status).toBe(202);
  const other = signatureOf(hook.secret, new TextEncoder().encode('{"spaced":1}'));
  expect((await deliver(hook, raw, { 'x-service-signature': other })).status).toBe(401);
});

test.each([
  ['missing', ''],
  ['of another secret', signatureOf('other', new TextEncoder().encode('{}'))],
  ['without its prefix', '0'.repeat(64)],
  ['too short', 'sha256=00'],
])('a signature that is %s is refused, and starts nothing', async (_, signature) => {
  const { hook, workflowId } = await buildHook();
  const { status, body } = await deliver(hook, '{}', { 'x-service-signature': signature });
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect(await prisma().execution.count({ where: { workflowId } })).toBe(0);
});

test('the signature is checked before anything else is said of the body', async () => {
  const { hook } = await buildHook();
  expect((await deliver(hook, 'no json', { 'x-service-signature': 'sha256=00' })).status).toBe(401);
  expect((await deliver(hook, 'no json')).status).toBe(400);
  expect((await deliver(hook, '')).status).toBe(400);
  expect((await deliver(hook, '{}', { 'content-type': 'text/plain' })).status).toBe(400);
  expect((await deliver(hook, Uint8Array.from([0x22, 0xff, 0x22]))).status).toBe(400);
  expect((await deliver(hook, JSON.stringify('x'.repeat(1024 * 1024)))).status).toBe(400);
});

test('an unknown workflow or path is 404', async () => {
  const { hook, workflowId } = await buildHook();
  for (const url of [
    `http://x/webhooks/${workflowId}/other`,
    'http://x/webhooks/wf_nothing/in',
    `http://x/webhooks/${workflowId}/%00`,
  ]) {
    expect((await deliver({ ...hook, url }, '{}')).status).toBe(404);
  }
});

test('draft and active workflows run; a paused one answers 409', async () => {
  expect((await deliver((await buildHook('draft')).hook, '{}')).status).toBe(202);
  expect((await deliver((await buildHook('paused')).hook, '{}')).status).toBe(409);
});

test('an input that does not fit the start node’s schema is refused', async () => {
  const user = await buildUser();
  const config = { inputSchema: { type: 'object', required: ['no'] } };
  const definition = { nodes: [{ id: 's', type: 'start', position: { x: 0, y: 0 }, config }], connections: [] };
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const hook = (await register(user, workflowId, 'in')).body;
  const { status, body } = await deliver(hook, '{}');
  expect(status).toBe(400);
  expect(body.error.details[0]?.field).toMatch(/^input/);
  expect((await deliver(hook, '{"no":1}')).status).toBe(202);
});

test('deliveries have a bucket of their own: a flood leaves the owners theirs', async () => {
  const { user, hook } = await buildHook();
  await prisma().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'free' } });
  let status = 0;
  for (let i = 0; i < 400 && status !== 429; i++) ({ status } = await deliver(hook, '{}'));
  expect(status).toBe(429);
  expect((await call('GET', '/api/workflows', { token: user.token })).status).toBe(200);
});

test.each(['', '/', '/a', 'a/', 'a//b', 'A', 'ä', 'a b', 'a'.repeat(101), '..', 'a?b'])(
  '%j is no path',
  async (path) => {
    const user = await buildUser();
    const { status, body } = await register(user, await buildWorkflow(user), path);
    expect([status, body.error.details[0]?.field]).toEqual([400, 'path']);
  },
);

test('a path is taken once per workflow', async () => {
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

test('after a rotation senders have a day to change over; then only the new secret counts', async () => {
  const { user, workflowId, hook } = await buildHook();
  const path = `/api/workflows/${workflowId}/webhooks/${hook.id}/rotate-secret`;
  const { status, body: rotated } = await call<Hook>('POST', path, { token: user.token });
  expect(status).toBe(200);
  expect(rotated.secret).not.toBe(hook.secret);
  expect((await deliver(rotated, '{}')).status).toBe(202);
  expect((await deliver(hook, '{}')).status).toBe(202);
  await prisma().webhook.update({ where: { id: hook.id }, data: { oldSecretUntil: new Date(Date.now() - 1000) } });
  expect((await deliver(hook, '{}')).status).toBe(401);
  expect((await deliver(rotated, '{}')).status).toBe(202);
});
