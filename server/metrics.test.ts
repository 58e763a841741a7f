import { expect, test } from 'vitest';
import { PEER_HEADER } from './client-address';
import { metrics } from './metrics';
import { handlerFor } from './http/routes';
import { runtime, setRuntime } from './runtime';
import { arrivalOf } from './api/incoming';
import { useDatabase } from '@/server/testing/database';
import { call } from '@/server/testing/factories';

useDatabase();

const ask = (from: string, authorization?: string, forwarding: Record<string, string> = {}) =>
  metrics(
    new Request('http://weft.test/metrics', {
      headers: { [PEER_HEADER]: from, ...(authorization ? { authorization } : {}), ...forwarding },
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
});

test('other clients need the token', async () => {
  runtime().env.metricsToken = 'a-token-for-prometheus';
  expect((await ask('192.0.2.7')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer another')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer a-token-for-prometheus')).status).toBe(200);
});

test('without a configured token external requests are refused', async () => {
  runtime().env.metricsToken = undefined;
  expect((await ask('192.0.2.7', 'Bearer undefined')).status).toBe(401);
});

test.each(['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Forwarded', 'Via'])(
  'a request that a proxy on this machine forwards, marked by %s, counts as external',
  async (name) => {
    runtime().env.metricsToken = 'a-token-for-prometheus';
    for (const hops of [0, 1]) {
      runtime().env.trustProxy = hops;
      for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        expect((await ask(from, undefined, { [name]: '127.0.0.1' })).status, `${from}, ${hops}`).toBe(401);
        expect((await ask(from, 'Bearer a-token-for-prometheus', { [name]: '127.0.0.1' })).status).toBe(200);
      }
    }
    runtime().env.trustProxy = 0;
    for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect((await ask(from)).status).toBe(200);
  },
);

test('without a database the answer has the documented shape', async () => {
  const before = runtime();
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  setRuntime({ ...before, pool: Object.assign(Object.create(before.pool), { query: () => Promise.reject(lost) }) });
  try {
    const request = new Request('http://weft.test/metrics', { headers: { [PEER_HEADER]: '127.0.0.1' } });
    runtime().env.metricsToken = undefined;
    const reply = await handlerFor('GET', '/metrics')!(arrivalOf(request));
    expect(reply).toMatchObject({ status: 503, body: { error: { code: 'INTERNAL_ERROR' } } });
  } finally {
    setRuntime(before);
  }
});
