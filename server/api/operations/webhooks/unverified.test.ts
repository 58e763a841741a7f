import { beforeEach, expect, test } from 'vitest';
import type { RecordedDelivery } from '@/contract/triggers/webhook';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { findRequestHandler } from '@/server/api/http/routes';
import { sealWebhookSecret, documentedSignature } from '@/server/triggers/webhooks/verification';
import { readWebhookAt } from '@/server/triggers/webhooks/lookup';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { leaseTokens } from '@/server/platform/limits/bucket-lease';
import { TokenBuckets } from '@/server/platform/limits/token-bucket';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { buildHook, deliver, register, type Hook, type TestHook } from '@/server/testing/hooks';

useDatabase({ rateLimitTier: 'free' });
beforeEach(async () => {
  // A clock that stands still: no token is refilled during a test on a slow machine.
  const now = Date.now();
  getRuntime().buckets = new TokenBuckets(leaseTokens, () => now);
  await prismaClient().rateBucket.deleteMany();
});

/** A workspace of the free tier (a burst of 100) with two webhooks. */
async function buildTwo(): Promise<{ of: TestHook; other: Hook }> {
  const of = await buildHook();
  const { body: other } = await register(of.user, of.workflowId, 'other');
  await prismaClient().workspace.update({ where: { id: of.user.workspaceId }, data: { tier: 'free' } });
  return { of, other };
}

const FORGED = { 'x-service-signature': `sha256=${'0'.repeat(64)}` };
const UNSIGNED = { 'x-service-signature': '' };

/** The statuses of the answers, in their order. Any but 401 and 429 fails the test with the answer. */
async function flood(hook: Hook, headers: Record<string, string>, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < times; round += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(hook, '{}', headers)));
    expect(answers.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

/** A delivery from another address than that of `call`. */
async function send(hook: Hook, raw: string, given: { from: string; headers?: Record<string, string> }) {
  const read: number[] = [];
  const bytes = new TextEncoder().encode(raw);
  const headers = new Headers({
    [PEER_ADDRESS_HEADER]: given.from,
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'x-service-signature': documentedSignature(hook.secret, bytes),
    ...given.headers,
  });
  const path = new URL(hook.url).pathname;
  const readBody = async (max: number) => {
    read.push(max);
    return bytes;
  };
  async function* stream() {
    yield bytes;
  }
  const { status } = await findRequestHandler('POST', path)!({
    requestId: 'req_test',
    method: 'POST',
    path,
    query: new URLSearchParams(),
    rawQuery: '',
    headers,
    ipAddress: given.from,
    readBody,
    streamBody: stream,
    readSentBody: readBody,
    streamSentBody: stream,
  });
  return { status, isRead: read.length > 0 };
}

test.each([
  ['without a signature', UNSIGNED],
  ['with a wrong signature', FORGED],
])('a flood %s does not affect signed deliveries, also from the same address', async (_, headers) => {
  const { of, other } = await buildTwo();
  const statuses = await flood(of.hook, headers, 300);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(110);
  const { rows } = await databasePool().query(`SELECT FROM rate_bucket WHERE name = $1`, [
    `webhooks:${of.user.workspaceId}`,
  ]);
  expect(rows).toHaveLength(0);
  for (const hook of [of.hook, other]) {
    for (let i = 0; i < 20; i++) expect((await deliver(hook, `{"no":${i}}`)).status).toBe(202);
    expect((await send(hook, '{}', { from: '198.51.100.1' })).status).toBe(202);
  }
});

test('a flood occupies few connections to the database', async () => {
  const { of } = await buildTwo();
  let [open, most] = [0, 0];
  const take = () => (most = Math.max(most, (open += 1)));
  const give = () => (open -= 1);
  databasePool().on('acquire', take).on('release', give);
  await flood(of.hook, FORGED, 100);
  databasePool().off('acquire', take).off('release', give);
  // To find the webhook, to count against the rate limit, and to store the delivery and its audit entry.
  expect(most).toBeLessThanOrEqual(4);
});

test('signed deliveries are still counted against their workspace', async () => {
  const { of, other } = await buildTwo();
  for (let i = 0; i < 50; i++) expect((await deliver(of.hook, '{}')).status).toBe(202);
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await deliver(other, '{}')).status);
  expect(statuses).toContain(429);
});

test('each network has a bucket for each webhook; the addresses of an IPv6 network share it', async () => {
  const { of, other } = await buildTwo();
  const forge = (hook: Hook, from: string) => send(hook, '{}', { from, headers: FORGED });
  for (let i = 0; i < 130; i++) await forge(of.hook, `2001:db8:1:1::${i.toString(16)}`);
  expect((await forge(of.hook, '2001:db8:1:1::ffff')).status).toBe(429);
  expect((await forge(of.hook, '2001:db8:1:2::1')).status).toBe(401);
  expect((await forge(other, '2001:db8:1:1::ffff')).status).toBe(401);
});

test('unsigned bodies are never read, and over the limit no large ones are', async () => {
  const { of } = await buildTwo();
  const from = '198.51.100.2';
  const large = JSON.stringify('x'.repeat(100_000));
  expect(await send(of.hook, large, { from, headers: UNSIGNED })).toEqual({ status: 401, isRead: false });
  expect(await send(of.hook, large, { from, headers: FORGED })).toEqual({ status: 401, isRead: true });
  for (let i = 0; i < 130; i++) await send(of.hook, '{}', { from, headers: FORGED });
  expect(await send(of.hook, large, { from, headers: FORGED })).toEqual({ status: 429, isRead: false });
  expect(await send(of.hook, '{}', { from, headers: UNSIGNED })).toEqual({ status: 429, isRead: false });
  expect((await send(of.hook, large, { from: '198.51.100.3' })).status).toBe(202);
});

test('a secret that another process has just rotated counts', async () => {
  const { of } = await buildTwo();
  expect((await deliver(of.hook, '{}')).status).toBe(202);
  const secret = 'whsec_of_another_process';
  await databasePool().query('UPDATE webhook SET secret = $2 WHERE id = $1', [
    of.hook.id,
    sealWebhookSecret(of.hook.id, secret),
  ]);
  expect((await deliver({ ...of.hook, secret }, '{}')).status).toBe(202);
  expect((await deliver(of.hook, '{}')).status).toBe(401);
  expect(await readWebhookAt({ workflowId: of.workflowId, path: of.hook.path })).toMatchObject({ id: of.hook.id });
});

test('unverified deliveries cannot displace deliveries that can be replayed from the inbox', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'paused' });
  const { body: hook } = await register(user, workflowId, 'in');
  expect((await deliver(hook, '{"order":7}')).status).toBe(409);
  for (let from = 10; from < 13; from++) {
    for (let i = 0; i < 60; i++) await send(hook, '{}', { from: `198.51.100.${from}`, headers: FORGED });
  }
  const path = `/api/workflows/${workflowId}/webhooks/${hook.id}/deliveries?limit=100`;
  const { body } = await call<{ data: RecordedDelivery[]; total: number }>('GET', path, { token: user.token });
  const second = await call<{ data: RecordedDelivery[] }>('GET', `${path}&offset=100`, { token: user.token });
  expect(body.total).toBe(101);
  expect([...body.data, ...second.body.data].filter(({ canReplay }) => canReplay)).toHaveLength(1);
});

test('a caller with the password but without the second factor uses up their own network’s limit, not the workspace’s', async () => {
  const user = await buildUser();
  await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'free' } });
  await prismaClient().user.update({ where: { id: user.id }, data: { mfaEnabledAt: new Date() } });
  const ask = () => call('GET', '/api/workflows', { token: user.token, from: '198.51.100.9' });
  expect((await ask()).status).toBe(403);
  const { rows } = await databasePool().query('SELECT FROM rate_bucket WHERE name = $1', [
    `workspace:${user.workspaceId}`,
  ]);
  expect(rows).toHaveLength(0);
});
