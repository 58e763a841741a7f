import { expect, test } from 'vitest';
import { PEER_HEADER } from './api/address';
import { metrics } from './metrics';
import { runtime } from './runtime';
import { useDatabase } from './testing/database';
import { call } from './testing/factories';

useDatabase();

const ask = (from: string, authorization?: string) =>
  metrics(
    new Request('http://weft.test/metrics', {
      headers: { [PEER_HEADER]: from, ...(authorization ? { authorization } : {}) },
    }),
  );

test('from this machine everything is told, calls and the queue included', async () => {
  await call('GET', '/api/workflows');
  const response = await ask('127.0.0.1');
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/weft_call_seconds_count\{operation="workflows.list",status="401"\} \d/);
  expect(text).toContain('weft_executions{status="pending"} 0');
  expect(text).toContain('weft_queue_overdue_seconds 0');
  expect(text).toContain('weft_process_resident_memory_bytes');
});

test('others need the token', async () => {
  runtime().env.metricsToken = 'a-token-for-prometheus';
  expect((await ask('192.0.2.7')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer another')).status).toBe(401);
  expect((await ask('192.0.2.7', 'Bearer a-token-for-prometheus')).status).toBe(200);
});

test('without a configured token nothing opens it from outside', async () => {
  runtime().env.metricsToken = undefined;
  expect((await ask('192.0.2.7', 'Bearer undefined')).status).toBe(401);
});
