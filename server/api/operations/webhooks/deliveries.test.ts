import { expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { RecordedDelivery } from '@/contract/triggers/webhook';
import { sealWebhookSecret, documentedSignature } from '@/server/triggers/webhooks/verification';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { processMeters } from '@/server/platform/counters/meters';
import { useDatabase } from '@/server/testing/database';
import { buildHook, deliver, register, type TestHook } from '@/server/testing/hooks';

useDatabase();

test.each([
  ['an object', '{"event":"order.created","data":{"no":7}}', { event: 'order.created', data: { no: 7 } }],
  ['an array', '[1,"two"]', [1, 'two']],
  ['a word', '"text"', 'text'],
  ['nothing much', 'null', null],
])('a signed body, %s, is accepted and becomes the input', async (_, raw, input) => {
  const { user, hook, workflowId } = await buildHook();
  const { status, body } = await deliver(hook, raw);
  expect([status, body.status]).toEqual([202, 'accepted']);
  const execution = await call<ExecutionResponse>('GET', `/api/executions/${body.executionId}`, { token: user.token });
  expect(execution.body).toMatchObject({ workflowId, trigger: 'webhook', input, status: 'pending' });
});

test('the signature covers the exact bytes', async () => {
  const { hook } = await buildHook();
  const raw = '{ "spaced" :  1 }\n';
  expect((await deliver(hook, raw)).status).toBe(202);
  const other = documentedSignature(hook.secret, new TextEncoder().encode('{"spaced":1}'));
  expect((await deliver(hook, raw, { 'x-service-signature': other })).status).toBe(401);
});

test.each([
  ['missing', ''],
  ['of another secret', documentedSignature('other', new TextEncoder().encode('{}'))],
  ['without its prefix', '0'.repeat(64)],
  ['too short', 'sha256=00'],
])('a signature that is %s is refused, and starts nothing', async (_, signature) => {
  const { hook, workflowId } = await buildHook();
  const { status, body } = await deliver(hook, '{}', { 'x-service-signature': signature });
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(0);
});

test('the signature is checked before the body is validated', async () => {
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

test('an input that does not match the start node’s schema is refused', async () => {
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

test('the webhook’s current state, not the cached one, counts when a delivery is stored', async () => {
  const { user, hook, workflowId } = await buildHook();
  const another = await buildHook();
  // Like another process: this process gets no notification.
  const change = async (sql: string, ...values: unknown[]) =>
    expect((await databasePool().query(sql, [workflowId, ...values])).rowCount).toBe(1);
  const versionOf = async (executionId: string) =>
    (await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } })).workflowVersion;
  const remember = async () => expect((await deliver(hook, '{}')).status).toBe(202);

  await remember();
  await change(
    `INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message)
     SELECT $2, workflow_id, 2, name, description, definition, message FROM workflow_version WHERE workflow_id = $1`,
    generateId('wfv'),
  );
  await change('UPDATE workflow SET version = 2 WHERE id = $1');
  expect(await versionOf((await deliver(hook, '{}')).body.executionId)).toBe(2);

  await change(`UPDATE workflow SET status = 'paused' WHERE id = $1`);
  expect((await deliver(hook, '{}')).status).toBe(409);
  await change(`UPDATE workflow SET status = 'active' WHERE id = $1`);
  await remember();

  const secret = 'whsec_of_somebody_else';
  await change('UPDATE webhook SET secret = $2 WHERE workflow_id = $1', sealWebhookSecret(hook.id, secret));
  expect((await deliver(hook, '{}')).status).toBe(401);
  expect((await deliver({ ...hook, secret }, '{}')).status).toBe(202);

  await change('UPDATE workspace SET deleted_at = now() WHERE id = (SELECT workspace_id FROM workflow WHERE id = $1)');
  expect((await deliver({ ...hook, secret }, '{}')).status).toBe(404);
  expect((await deliver(another.hook, '{}')).status).toBe(202);
  await change('UPDATE workspace SET deleted_at = NULL WHERE id = (SELECT workspace_id FROM workflow WHERE id = $1)');
  expect((await deliver({ ...hook, secret }, '{}')).status).toBe(202);

  await change('DELETE FROM webhook WHERE workflow_id = $1');
  expect((await deliver({ ...hook, secret }, '{}')).status).toBe(404);
  expect((await deliver(hook, '{}')).status).toBe(404);
  const stored = await prismaClient().execution.count({ where: { workspaceId: user.workspaceId } });
  const entries = await prismaClient().auditEntry.count({
    where: { workspaceId: user.workspaceId, action: 'webhooks.deliver', result: 'success' },
  });
  expect([stored, entries]).toEqual([5, 5]);
});

test('deliveries have a separate bucket: a flood does not affect the owners’ calls', async () => {
  const { user, hook } = await buildHook();
  await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'free' } });
  let status = 0;
  for (let i = 0; i < 400 && status !== 429; i++) ({ status } = await deliver(hook, '{}'));
  expect(status).toBe(429);
  expect((await call('GET', '/api/workflows', { token: user.token })).status).toBe(200);
});

const inboxOf = ({ workflowId, hook }: TestHook) => `/api/workflows/${workflowId}/webhooks/${hook.id}/deliveries`;

const inbox = async (of: TestHook, query = '') =>
  (await call<{ data: RecordedDelivery[]; total: number }>('GET', inboxOf(of) + query, { token: of.user.token })).body;

test('the inbox records deliveries that were too large, and a flood once', async () => {
  const large = await buildHook();
  expect((await deliver(large.hook, JSON.stringify('x'.repeat(1024 * 1024)))).status).toBe(400);
  expect(await inbox(large)).toMatchObject({
    total: 1,
    data: [{ verdict: 'refused', reason: expect.stringContaining('larger than'), canReplay: false }],
  });

  const flooded = await buildHook();
  await prismaClient().workspace.update({ where: { id: flooded.user.workspaceId }, data: { tier: 'free' } });
  let refused = 0;
  for (let i = 0; i < 400 && refused < 3; i++) if ((await deliver(flooded.hook, '{}')).status === 429) refused++;
  expect((await inbox(flooded, '?verdict=refused')).data).toMatchObject([
    { reason: expect.stringContaining('Too many requests') },
  ]);
});

const replay = (of: TestHook, deliveryId: string, headers = {}) =>
  call<{ executionId: string } & Refused>('POST', `${inboxOf(of)}/${deliveryId}/replay`, {
    token: of.user.token,
    headers,
  });

const setStatus = (workflowId: string, status: string) =>
  prismaClient().workflow.update({ where: { id: workflowId }, data: { status } });

const runsOf = ({ workflowId }: TestHook) => prismaClient().execution.count({ where: { workflowId } });

const input = async ({ user }: TestHook, executionId: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token: user.token })).body.input;

test('a repeated delivery starts nothing and returns the first run', async () => {
  const of = await buildHook();
  const first = await deliver(of.hook, '{"no":1}', { 'x-service-delivery': 'd-1' });
  const again = await deliver(of.hook, '{"no":1}', { 'x-service-delivery': 'd-1' });
  expect([again.status, again.body]).toEqual([202, first.body]);
  const other = await deliver(of.hook, '{"no":1}', { 'x-service-delivery': 'd-2' });
  expect(other.body.executionId).not.toBe(first.body.executionId);
  expect(await runsOf(of)).toBe(2);
});

test('also with fifty concurrent repetitions', async () => {
  const of = await buildHook();
  const ids = [...Array(50).keys()].map((index) => `d-${index % 5}`);
  const answers = await Promise.all(ids.map((id) => deliver(of.hook, '{}', { 'x-service-delivery': id })));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
  expect(new Set(answers.map(({ body }, index) => `${ids[index]} ${body.executionId}`)).size).toBe(5);
  expect(await runsOf(of)).toBe(5);
});

test('also when the workflow was paused meanwhile', async () => {
  const of = await buildHook();
  const first = await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1' });
  await setStatus(of.workflowId, 'paused');
  expect((await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1' })).body).toEqual(first.body);
});

test('an id is unique per webhook, for a day', async () => {
  const [of, elsewhere] = [await buildHook(), await buildHook()];
  const send = ({ hook }: TestHook) => deliver(hook, '{}', { 'x-service-delivery': 'd-1' });
  const first = (await send(of)).body.executionId;
  expect((await send(elsewhere)).body.executionId).not.toBe(first);
  await prismaClient().webhookDelivery.updateMany({ data: { receivedAt: new Date(Date.now() - 24 * 3_600_000 - 1) } });
  const second = (await send(of)).body.executionId;
  expect(second).not.toBe(first);
  expect((await send(of)).body.executionId).toBe(second);
});

test('the id of a refused delivery may be used again', async () => {
  const of = await buildHook('paused');
  expect((await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1' })).status).toBe(409);
  await setStatus(of.workflowId, 'active');
  expect((await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1' })).status).toBe(202);
});

test.each(['', 'with space', 'x'.repeat(201), 'ümlaut'])('%j is no valid delivery id', async (id) => {
  const { hook } = await buildHook();
  const { status, body } = await deliver(hook, '{}', { 'x-service-delivery': id });
  expect([status, body.error.details[0]?.field]).toEqual([400, 'X-Service-Delivery']);
});

/** How many deliveries were counted with this result. */
const counted = (result: string) =>
  [...processMeters.webhookDeliveries.entries()].find(([labels]) => labels['result'] === result)?.[1].value ?? 0;

test('the inbox lists deliveries and their outcome, and each is counted by result', async () => {
  const of = await buildHook();
  const results = ['accepted', 'duplicate', 'refused', 'invalid'];
  const before = results.map(counted);
  const { executionId } = (await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1', 'user-agent': 'shop/2' })).body;
  await deliver(of.hook, '{}', { 'x-service-delivery': 'd-1' });
  await deliver(of.hook, '{}', { 'x-service-signature': 'sha256=00' });
  await deliver(of.hook, 'no json');
  const { data, total } = await inbox(of);
  expect(total).toBe(4);
  expect(data.map(({ verdict, canReplay }) => [verdict, canReplay])).toEqual([
    ['refused', false],
    ['refused', false],
    ['duplicate', false],
    ['accepted', true],
  ]);
  expect(data[0]?.reason).toContain('not valid JSON');
  expect(data[1]?.reason).toContain('signature');
  expect(data[2]).toMatchObject({ executionId, senderId: 'd-1' });
  expect(data[3]).toMatchObject({
    executionId,
    senderId: 'd-1',
    reason: null,
    userAgent: 'shop/2',
    ipAddress: '192.0.2.1',
  });
  expect((await inbox(of, '?verdict=refused&limit=1')).data).toEqual([data[0]]);
  expect(results.map((result, index) => counted(result) - (before[index] ?? 0))).toEqual([1, 1, 1, 1]);
});

test('the inbox keeps a hundred refused deliveries, and no body with a wrong signature', async () => {
  const of = await buildHook();
  await deliver(of.hook, '{}');
  for (let round = 0; round < 5; round++) {
    await Promise.all([...Array(25).keys()].map(() => deliver(of.hook, '"forged"', { 'x-service-signature': 'no' })));
  }
  await deliver(of.hook, '"forged"', { 'x-service-signature': 'no' });
  expect((await inbox(of, '?verdict=refused')).total).toBe(100);
  expect((await inbox(of, '?verdict=accepted')).total).toBe(1);
  expect(JSON.stringify(await prismaClient().webhookDelivery.findMany())).not.toContain('forged');
});

test('a replayed delivery starts another run with the same input, and is audited', async () => {
  const of = await buildHook();
  await deliver(of.hook, '{"text":"a\\u0000b","deep":[[1.50]]}', { 'x-service-delivery': 'd-1' });
  const [first] = (await inbox(of)).data;
  const { status, body } = await replay(of, first!.id);
  expect(status).toBe(202);
  expect(body.executionId).not.toBe(first!.executionId);
  expect(await input(of, body.executionId)).toEqual({ text: 'a\u0000b', deep: [[1.5]] });
  expect((await inbox(of)).data[0]).toMatchObject({
    verdict: 'accepted',
    replayOf: first!.id,
    executionId: body.executionId,
    senderId: null,
  });
  const entries = await prismaClient().auditEntry.findMany({ where: { action: 'deliveries.replay' } });
  expect(entries).toMatchObject([{ metadata: { deliveryId: first!.id, webhookId: of.hook.id } }]);
});

test('deliveries refused by a paused workflow can be replayed after it is active', async () => {
  const of = await buildHook('paused');
  await deliver(of.hook, 'null');
  const [refused] = (await inbox(of)).data;
  expect(refused).toMatchObject({ verdict: 'refused', canReplay: true });
  expect((await replay(of, refused!.id)).status).toBe(409);
  await setStatus(of.workflowId, 'active');
  const { status, body } = await replay(of, refused!.id);
  expect(status).toBe(202);
  expect(await input(of, body.executionId)).toBe(null);
});

test('a replay with an Idempotency-Key starts one run', async () => {
  const of = await buildHook();
  await deliver(of.hook, '{}');
  const [first] = (await inbox(of)).data;
  const once = () => replay(of, first!.id, { 'idempotency-key': 'again' });
  expect((await once()).body).toEqual((await once()).body);
  expect(await runsOf(of)).toBe(2);
});

test('missing deliveries, and those without a stored body, cannot be replayed', async () => {
  const of = await buildHook();
  const other = await buildHook();
  await deliver(of.hook, '{}', { 'x-service-signature': 'no' });
  await deliver(other.hook, '{}');
  const [forged] = (await inbox(of)).data;
  const [foreign] = (await inbox(other)).data;
  expect((await replay(of, forged!.id)).status).toBe(409);
  expect((await replay(of, foreign!.id)).status).toBe(404);
  expect((await replay(of, 'dlv_nothing')).status).toBe(404);
  expect((await replay({ ...of, workflowId: other.workflowId }, forged!.id)).status).toBe(404);
});

test('a delivery whose webhook is removed at that moment is refused without an internal error', async () => {
  const of = await buildHook();
  const path = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}`;
  const answers = await Promise.all([
    ...[...Array(20).keys()].map(() => deliver(of.hook, '{}')),
    call('DELETE', path, { token: of.user.token }),
    ...[...Array(20).keys()].map(() => deliver(of.hook, '{}')),
  ]);
  for (const { status } of answers) expect([202, 204, 404, 409]).toContain(status);
});
