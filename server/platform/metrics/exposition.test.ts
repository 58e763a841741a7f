import { expect, test } from 'vitest';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { processMeters } from '@/server/platform/counters/meters';
import { metricsResponse } from './exposition';
import { findRequestHandler } from '@/server/api/http/routes';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { receivedFromWeb } from '@/server/api/operation/incoming';
import { useDatabase } from '@/server/testing/database';
import { call } from '@/server/testing/factories';

useDatabase();

const ask = (from: string, authorization?: string, forwarding: Record<string, string> = {}) =>
  metricsResponse(
    new Request('http://weft.test/metrics', {
      headers: { [PEER_ADDRESS_HEADER]: from, ...(authorization ? { authorization } : {}), ...forwarding },
    }),
  );

test('requests from this machine get all metrics, calls and the queue included', async () => {
  await call('GET', '/api/workflows');
  const response = await ask('127.0.0.1');
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/weft_call_seconds_count\{operation="workflows.list",status="401"\} \d/);
  expect(text).toContain('weft_executions{status="pending"} 0');
  expect(text).toContain('weft_queue_overdue_seconds 0');
  expect(text).toContain('weft_process_resident_memory_bytes');
  expect(text).toMatch(/weft_database_connections_open\{pool="main"\} \d/);
  expect(text).toContain('weft_database_connections_waiting{pool="aside"} 0');
  expect(text).toContain('weft_evaluation_jobs_waiting 0');
});

test('the numbers of a histogram add up from bound to bound', async () => {
  processMeters.scheduleLateness.observe(0.7);
  processMeters.scheduleLateness.observe(7200);
  const text = await (await ask('127.0.0.1')).text();
  const values = [...text.matchAll(/^weft_schedule_lateness_seconds_\w+(?:\{le="(.+)"\})? (.+)$/gm)].map(
    ([, bound, value]) => [bound, Number(value)] as const,
  );
  const last = values.at(-1)?.[1] ?? 0;
  const buckets = values.flatMap(([bound, value]) => (bound === undefined ? [] : value));
  expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
  expect(buckets.at(-1)).toBe(last);
  expect(last).toBeGreaterThanOrEqual(2);
});

test('names follow the conventions: counters, and only they, end in _total, and every metric has a help text', async () => {
  const text = await (await ask('127.0.0.1')).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(30);
  for (const { name, type } of types) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name).toMatch(/^weft_[a-z0-9_]+$/);
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  }
  for (const name of ['handles', 'requests', 'resources'])
    expect(text).toMatch(new RegExp(`^weft_nodejs_open_${name} \\d+$`, 'm'));
});

test('other clients need the token', async () => {
  getRuntime().env.metricsToken = 'a-token-for-prometheus';
  expect((await ask('192.0.2.7')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer another')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer a-token-for-prometheus')).status).toBe(200);
});

test('without a configured token external requests are refused', async () => {
  getRuntime().env.metricsToken = undefined;
  expect((await ask('192.0.2.7', 'Bearer undefined')).status).toBe(401);
});

test.each(['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Forwarded', 'Via'])(
  'a request that a proxy on this machine forwards, marked by %s, counts as external',
  async (name) => {
    getRuntime().env.metricsToken = 'a-token-for-prometheus';
    for (const hops of [0, 1]) {
      getRuntime().env.trustProxy = hops;
      for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        expect((await ask(from, undefined, { [name]: '127.0.0.1' })).status, `${from}, ${hops}`).toBe(401);
        expect((await ask(from, 'Bearer a-token-for-prometheus', { [name]: '127.0.0.1' })).status).toBe(200);
      }
    }
    getRuntime().env.trustProxy = 0;
    for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect((await ask(from)).status).toBe(200);
  },
);

test('without a database the answer has the documented shape', async () => {
  const before = getRuntime();
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  setRuntime({ ...before, pool: Object.assign(Object.create(before.pool), { query: () => Promise.reject(lost) }) });
  try {
    const request = new Request('http://weft.test/metrics', { headers: { [PEER_ADDRESS_HEADER]: '127.0.0.1' } });
    getRuntime().env.metricsToken = undefined;
    const reply = await findRequestHandler('GET', '/metrics')!(receivedFromWeb(request));
    expect(reply).toMatchObject({ status: 503, body: { error: { code: 'INTERNAL_ERROR' } } });
  } finally {
    setRuntime(before);
  }
});
