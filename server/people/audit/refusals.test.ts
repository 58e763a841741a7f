import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flushSuppressedRefusals, RefusalLimiter } from './refusals';
import type { AuditRow } from './entry';

useDatabase();

const row = (changes: Partial<AuditRow> = {}): AuditRow => ({
  id: 'aud_x',
  workspaceId: 'ws_x',
  category: 'authorization',
  action: 'webhooks.deliver',
  result: 'denied',
  actor: { type: 'webhook', id: 'whk_x' },
  resource: { type: 'webhook', id: null },
  metadata: { ipAddress: '192.0.2.1', reason: 'wrong' },
  ...changes,
});

test('writes ten equal refusals one by one and the rest of the minute as one entry', () => {
  let now = 0;
  const refusals = new RefusalLimiter(() => now);
  const written = Array.from({ length: 1000 }, () => refusals.admit([row()]).length);
  expect(written.filter(Boolean)).toHaveLength(10);
  expect(refusals.collect()).toEqual([]);
  now = 60_000;
  const [summary, ...others] = refusals.collect();
  expect(others).toEqual([]);
  expect(summary).toMatchObject({ action: 'webhooks.deliver', metadata: { alike: 990, reason: 'wrong' } });
  expect(summary?.id).not.toBe('aud_x');
  expect(refusals.admit([row()])).toHaveLength(1);
});

test('separates callers; anonymous callers are separated by address, not by the name they send', () => {
  const refusals = new RefusalLimiter(() => 0);
  for (let i = 0; i < 10; i++) refusals.admit([row()]);
  expect(refusals.admit([row({ actor: { type: 'webhook', id: 'whk_y' } })])).toHaveLength(1);
  expect(refusals.admit([row({ workspaceId: 'ws_y' })])).toHaveLength(1);
  expect(refusals.admit([row({ metadata: { ipAddress: '192.0.2.1', reason: 'other' } })])).toHaveLength(1);
  const guess = (email: string) => row({ actor: { type: 'anonymous', id: null, email } });
  const guesses = Array.from({ length: 30 }, (_, i) => refusals.admit([guess(`${i}@example.com`)]).length);
  expect(guesses.filter(Boolean)).toHaveLength(10);
});

test('bounds memory for any number of kinds', () => {
  const refusals = new RefusalLimiter(() => 0);
  const kinds = Array.from({ length: 20_000 }, (_, i) => refusals.admit([row({ actor: { id: `usr_${i}` } })]).length);
  expect(kinds.filter(Boolean).length).toBeLessThanOrEqual(10_010);
  expect(refusals.collect(true)).toHaveLength(1);
});

test('a flood of wrongly signed deliveries leaves eleven entries that state its size', async () => {
  const owner = await buildUser();
  const id = await buildWorkflow(owner);
  await call('POST', `/api/workflows/${id}/webhooks`, { token: owner.token, body: { path: 'in' } });
  const headers = { 'x-service-signature': 'sha256=00' };
  for (let i = 0; i < 40; i++) {
    expect((await call('POST', `/webhooks/${id}/in`, { raw: '{}', headers })).status).toBe(401);
  }
  await flushSuppressedRefusals(true);
  const entries = await prismaClient().auditEntry.findMany({
    where: { workspaceId: owner.workspaceId, action: 'webhooks.deliver' },
    orderBy: { sequence: 'asc' },
  });
  expect(entries).toHaveLength(11);
  expect(entries.at(-1)).toMatchObject({ result: 'denied', metadata: { alike: 30 } });
});
