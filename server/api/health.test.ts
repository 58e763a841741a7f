import { expect, test } from 'vitest';
import { useDatabase } from '../testing/database';
import { runtime } from '../runtime';
import { healthz, readyz } from './health';

useDatabase();

test('the process is up', async () => {
  const response = await healthz();
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('ready while the database takes writes; 503 in the same shape when it does not', async () => {
  const ready = await readyz();
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', checks: { database: 'ok', queue: 'ok' } }]);

  await runtime().pool.query('ALTER TABLE stored_reply RENAME TO mislaid');
  runtime().env.logLevel = 'error';
  // Answers within a second share one look.
  await expect.poll(async () => (await readyz()).status, { timeout: 5000 }).toBe(503);
  expect(await (await readyz()).json()).toEqual({ status: 'failed', checks: { database: 'failed', queue: 'ok' } });
});
