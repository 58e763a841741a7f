import { expect, test } from 'vitest';
import { useOwnDatabase } from '@/server/testing/database';
import { runtime } from '@/server/runtime';
import { healthz, readyz } from './health';

useOwnDatabase();

test('the process is up', async () => {
  const response = await healthz();
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('is ready while the database accepts writes; else 503 in the same format', async () => {
  const ready = await readyz();
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', checks: { database: 'ok', queue: 'ok' } }]);

  await runtime().pool.query('ALTER TABLE stored_reply RENAME TO mislaid');
  runtime().env.logLevel = 'error';
  // Requests within a second share one check.
  await expect.poll(async () => (await readyz()).status, { timeout: 5000 }).toBe(503);
  expect(await (await readyz()).json()).toEqual({ status: 'failed', checks: { database: 'failed', queue: 'ok' } });
});
