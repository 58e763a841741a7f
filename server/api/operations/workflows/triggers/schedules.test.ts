import { describe, expect, test } from 'vitest';
import type { ScheduleTrigger } from '@/contract/triggers/schedule';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';

useDatabase();

type Body = ScheduleTrigger & Refused;

async function setUp(status = 'active') {
  const user = await buildUser();
  const workflow = await buildWorkflow({ workspaceId: user.workspaceId, status });
  const path = `/api/workflows/${workflow}/schedules`;
  const send = (method: string, tail = '', body?: object) =>
    call<Body>(method, `${path}${tail}`, { token: user.token, body });
  return { user, workflow, path, send };
}

test('a schedule shows when it fires next', async () => {
  const { send, workflow, user } = await setUp();
  const { status, body } = await send('POST', '', { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin', input: { a: 1 } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    workflowId: workflow,
    cron: '0 6 * * 1-5',
    timezone: 'Europe/Berlin',
    input: { a: 1 },
    enabled: true,
    overlap: 'skip',
    createdBy: user.id,
    lastRunAt: null,
  });
  expect(body.nextRuns).toHaveLength(5);
  expect(body.nextRunAt).toBe(body.nextRuns[0]);
  expect((await send('GET', `/${body.id}`)).body).toEqual(body);
});

test('a partial change keeps other fields; a disabled schedule has no next time', async () => {
  const { send } = await setUp();
  const { body: before } = await send('POST', '', { cron: '*/5 * * * *', input: { keep: true } });
  const { status, body } = await send('PUT', `/${before.id}`, { enabled: false });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    cron: '*/5 * * * *',
    input: { keep: true },
    enabled: false,
    nextRunAt: null,
    nextRuns: [],
  });
});

describe('a schedule that is due, before its run has begun', () => {
  async function due(status?: string) {
    const { send } = await setUp(status);
    const { body } = await send('POST', '', { cron: '*/5 * * * *' });
    const nextRunAt = new Date(Date.now() - 300);
    await prismaClient().schedule.update({ where: { id: body.id }, data: { nextRunAt } });
    const change = async (fields: object) => (await send('PUT', `/${body.id}`, fields)).body;
    return { at: nextRunAt.toISOString(), change };
  }

  test('misses its time when it is disabled, and keeps the note when it is enabled again', async () => {
    const { at, change } = await due();
    await change({ enabled: false });
    const after = await change({ enabled: true });
    expect(after).toMatchObject({
      lastMissedAt: at,
      lastMissedReason: expect.stringContaining('before its run began'),
    });
    expect(new Date(after.nextRunAt ?? 0).getTime()).toBeGreaterThan(Date.now());
  });

  test('misses its time when it gets other times', async () => {
    const { at, change } = await due();
    expect(await change({ cron: '0 6 * * *' })).toMatchObject({ lastMissedAt: at });
  });

  test('stays due when something else of it changes', async () => {
    const { at, change } = await due();
    expect(await change({ input: { a: 1 } })).toMatchObject({ lastMissedAt: null, nextRunAt: at });
  });

  test('misses nothing in a paused workflow', async () => {
    const { change } = await due('paused');
    expect(await change({ enabled: false })).toMatchObject({ lastMissedAt: null });
  });
});

test('a deleted schedule does not exist', async () => {
  const { send } = await setUp();
  const { body } = await send('POST', '', { cron: '*/5 * * * *' });
  expect((await send('DELETE', `/${body.id}`)).status).toBe(204);
  expect((await send('GET', `/${body.id}`)).status).toBe(404);
  expect((await send('GET')).body).toMatchObject({ data: [], total: 0, limit: 50, offset: 0 });
});

describe('a schedule is refused', () => {
  test.each([
    ['without times', {}, 'cron'],
    ['that never fires', { cron: '0 0 31 2 *' }, 'cron'],
    ['with seconds', { cron: '* * * * * *' }, 'cron'],
    ['in no known time zone', { cron: '* * * * *', timezone: 'Mars/Base' }, 'timezone'],
    ['with an input that is no object', { cron: '* * * * *', input: [1] }, 'input'],
    ['with an unknown overlap', { cron: '* * * * *', overlap: 'queue' }, 'overlap'],
    ['with a field of the server', { cron: '* * * * *', nextRunAt: '2026-01-01T00:00:00Z' }, 'nextRunAt'],
  ])('%s', async (_, body, field) => {
    const { send } = await setUp();
    const { status, body: refused } = await send('POST', '', body);
    expect(status).toBe(400);
    expect(refused.error.details.map((detail) => detail.field)).toContain(field);
  });

  test('for a change after which it would never fire', async () => {
    const { send } = await setUp();
    const { body } = await send('POST', '', { cron: '* * * * *' });
    expect((await send('PUT', `/${body.id}`, { cron: '0 0 31 2 *' })).status).toBe(400);
  });
});

test('another workspace sees neither the workflow nor its schedules', async () => {
  const [mine, theirs] = [await setUp(), await setUp()];
  const { body } = await mine.send('POST', '', { cron: '* * * * *' });
  for (const [method, tail] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${body.id}`],
    ['PUT', `/${body.id}`],
    ['DELETE', `/${body.id}`],
  ] as const) {
    const payload = method === 'POST' ? { cron: '* * * * *' } : method === 'PUT' ? {} : undefined;
    const { status } = await call(method, `${mine.path}${tail}`, { token: theirs.user.token, body: payload });
    expect(status).toBe(404);
  }
  // Nor can a schedule be reached through another workflow of the own workspace.
  expect((await theirs.send('GET', `/${body.id}`)).status).toBe(404);
});

test('viewers can read schedules and not change them', async () => {
  const { user, path, send } = await setUp();
  const { body } = await send('POST', '', { cron: '* * * * *' });
  const { token } = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
  expect((await call('GET', path, { token })).status).toBe(200);
  expect((await call('POST', path, { token, body: { cron: '* * * * *' } })).status).toBe(403);
  expect((await call('DELETE', `${path}/${body.id}`, { token })).status).toBe(403);
});
