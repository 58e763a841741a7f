import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { useOwnDatabase } from '@/server/testing/database';
import { getRuntime } from '@/server/platform/runtime';
import { handleHealthz, handleReadyz } from './health';
import { createProbeServer } from './probes';

useOwnDatabase();

test('the process is up', async () => {
  const response = await handleHealthz();
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('the port of the probes says that the process is up, and that it takes requests only when it does', async () => {
  let isStarted = false;
  const server = createProbeServer(() => isStarted).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
      return [answer.status, await answer.json()];
    };
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/readyz')).toEqual([503, { status: 'starting' }]);
    isStarted = true;
    expect(await ask('/readyz?fresh')).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', queue: 'ok', files: 'ok' } },
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('is ready while the database accepts writes; else 503 in the same format', async () => {
  const ready = await handleReadyz();
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', queue: 'ok', files: 'ok' } },
  ]);

  await getRuntime().pool.query('ALTER TABLE stored_reply RENAME TO mislaid');
  getRuntime().env.logLevel = 'error';
  // Requests within a second share one check.
  await expect.poll(async () => (await handleReadyz()).status, { timeout: 5000 }).toBe(503);
  expect(await (await handleReadyz()).json()).toEqual({
    status: 'failed',
    checks: { database: 'failed', queue: 'ok', files: 'ok' },
    reasons: { database: 'the database does not answer as it should' },
  });

  await getRuntime().pool.query('ALTER TABLE mislaid RENAME TO stored_reply');
  // The next test in this process does not meet the shared check that failed.
  await expect.poll(async () => (await handleReadyz()).status, { timeout: 5000 }).toBe(200);
});
