import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestPollResponse } from '@/contract/triggers/poll';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { itemsFrom, startSource, type Source } from '@/server/testing/servers/source';
import { itemsPoll, polledWorkflow } from '@/server/testing/polls';

useDatabase();

let source: Source;
beforeAll(async () => {
  source = await startSource(itemsFrom(1, 25));
});
afterAll(() => source.close());

const BASE = itemsPoll('https://shop.example.com/orders');

test('a poll shows its settings and its state', async () => {
  const { send, workflowId, user } = await polledWorkflow();
  const { status, body } = await send('POST', '', { ...BASE, first: undefined, cursor: '$max(input.body.items.id)' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...BASE,
    workflowId,
    first: 'skip',
    deliver: 'each',
    cursor: '$max(input.body.items.id)',
    language: 'jsonata',
    cron: null,
    timezone: null,
    enabled: true,
    createdBy: user.id,
    cursorValue: null,
    lastPolledAt: null,
    lastError: null,
    failures: 0,
  });
  expect(body.id).toMatch(/^poll_/);
  expect(body.nextPollAt).not.toBeNull();
  expect((await send('GET', `/${body.id}`)).body).toEqual(body);
  expect((await send('GET')).body).toMatchObject({ data: [body], total: 1, limit: 50, offset: 0 });
});

test('a partial change keeps other fields; cron and interval replace each other', async () => {
  const { send } = await polledWorkflow();
  const { body: before } = await send('POST', '', BASE);
  const { status, body } = await send('PUT', `/${before.id}`, { cron: '0 6 * * *', timezone: 'Europe/Berlin' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: BASE.name, intervalMs: null, cron: '0 6 * * *', timezone: 'Europe/Berlin' });
  expect((await send('PUT', `/${before.id}`, { intervalMs: 5000 })).body).toMatchObject({
    intervalMs: 5000,
    cron: null,
  });
  expect((await send('PUT', `/${before.id}`, { enabled: false })).body).toMatchObject({
    enabled: false,
    nextPollAt: null,
  });
});

test('in another language the known keys and the cursor are forgotten', async () => {
  const { send, poll } = await polledWorkflow();
  const { id } = await poll(source.url);
  const state = { cursor: 4, firstPolledAt: new Date() };
  await prismaClient().poll.update({ where: { id }, data: { ...state, seen: { create: { key: 'known' } } } });
  expect((await send('PUT', `/${id}`, { language: 'jsonata' })).body).toMatchObject({ cursorValue: 4 });
  expect(await prismaClient().pollSeen.count({ where: { pollId: id } })).toBe(1);
  expect((await send('PUT', `/${id}`, { language: 'javascript' })).body).toMatchObject({
    language: 'javascript',
    cursorValue: null,
  });
  expect(await prismaClient().pollSeen.count({ where: { pollId: id } })).toBe(0);
  expect(await prismaClient().poll.findUnique({ where: { id } })).toMatchObject({ firstPolledAt: null });
});

test('a deleted poll does not exist', async () => {
  const { send } = await polledWorkflow();
  const { body } = await send('POST', '', BASE);
  expect((await send('DELETE', `/${body.id}`)).status).toBe(204);
  expect((await send('GET', `/${body.id}`)).status).toBe(404);
});

describe('a poll is refused', () => {
  test.each([
    ['without times', { intervalMs: undefined }, 'intervalMs'],
    ['with two kinds of times', { cron: '* * * * *' }, 'cron'],
    ['that asks too often', { intervalMs: 4999 }, 'intervalMs'],
    ['that never asks', { intervalMs: undefined, cron: '0 0 31 2 *' }, 'cron'],
    ['in no known time zone', { intervalMs: undefined, cron: '* * * * *', timezone: 'Mars/Base' }, 'timezone'],
    ['of an unknown node type', { node: { type: 'telepathy', config: {} } }, 'node.type'],
    ['of a node type that asks nothing', { node: { type: 'send_email', config: {} } }, 'node.type'],
    ['without an address', { node: { type: 'http_request', config: {} } }, 'node.config.url'],
    [
      'with an unknown config field',
      { node: { type: 'http_request', config: { url: 'https://a.example', x: 1 } } },
      'node.config.x',
    ],
    [
      'with a broken template',
      { node: { type: 'http_request', config: { url: 'https://a.example/{{ cursor' } } },
      'node.config.url',
    ],
    [
      'with a credential that does not exist',
      { node: { ...BASE.node, credentialId: 'cred_gone' } },
      'node.credentialId',
    ],
    [
      'without its credential',
      { node: { type: 'connector', config: { connectorId: 'hubspot', operation: 'x' } } },
      'node.config.operation',
    ],
    ['with a broken items expression', { items: 'input.(' }, 'items'],
    ['with a broken key expression', { key: 'item.' }, 'key'],
    ['with a broken cursor expression', { cursor: '$max(' }, 'cursor'],
    ['without a key', { key: undefined }, 'key'],
    ['with an unknown delivery', { deliver: 'some' }, 'deliver'],
    ['with a field of the server', { cursorValue: 7 }, 'cursorValue'],
  ])('%s', async (_, settings, field) => {
    const { send } = await polledWorkflow();
    const { status, body } = await send('POST', '', { ...BASE, ...settings });
    expect(status).toBe(400);
    expect(body.error.details.map((detail) => detail.field)).toContain(field);
  });
});

test.each([
  [{ key: 'item.' }, 'key'],
  [{ node: { type: 'send_email', config: {} } }, 'node.type'],
  [{ cron: '0 0 31 2 *' }, 'cron'],
  [{ intervalMs: 60_000, cron: '* * * * *' }, 'cron'],
])('a change to %o is refused', async (change, field) => {
  const { send } = await polledWorkflow();
  const { body: before } = await send('POST', '', BASE);
  const { status, body } = await send('PUT', `/${before.id}`, change);
  expect(status).toBe(400);
  expect(body.error.details.map((detail) => detail.field)).toContain(field);
});

describe('a test of a poll', () => {
  test('shows the new items and starts nothing', async () => {
    const { send, user, workflowId, poll, started } = await polledWorkflow();
    const { id } = await poll(source.url, { cursor: '$max(input.body.items.id)' });
    const path = `/api/workflows/${workflowId}/polls/${id}/test`;
    const { status, body } = await call<TestPollResponse>('POST', path, { token: user.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 25, newItems: 25, cursor: 25 });
    expect(body.items).toHaveLength(20);
    expect(await started()).toEqual([]);
    expect(await prismaClient().pollSeen.count({ where: { pollId: id } })).toBe(0);
    expect((await send('GET', `/${id}`)).body).toMatchObject({ lastPolledAt: null, cursorValue: null });
  });

  test('says why it fails', async () => {
    const { user, workflowId, poll } = await polledWorkflow();
    const { id } = await poll(source.url, { items: 'input.body.itms' });
    const path = `/api/workflows/${workflowId}/polls/${id}/test`;
    const { status, body } = await call<Refused>('POST', path, { token: user.token });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('misspelt') });
  });
});

describe('settings that are not saved are tested', () => {
  const settings = (url: string) => ({
    node: { type: 'http_request', config: { url } },
    items: 'input.body.items',
    key: 'item.id',
  });

  test('they show what is there, and nothing is stored', async () => {
    const { send, workflowId, started } = await polledWorkflow();
    const tested = { ...settings(source.url), cursor: '$max(input.body.items.id)' };
    const { status, body } = await send('POST', '/preview', tested);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 25, newItems: 25, cursor: 25 });
    expect(await prismaClient().poll.count({ where: { workflowId } })).toBe(0);
    expect(await started()).toEqual([]);
  });

  test('refusals name the field or the reason', async () => {
    const { send, user, workflowId } = await polledWorkflow();
    const incomplete = await send('POST', '/preview', {
      ...settings(source.url),
      node: { type: 'http_request', config: {} },
    });
    expect(incomplete.body.error.details).toMatchObject([{ field: 'node.config.url' }]);
    const wrong = await send('POST', '/preview', { ...settings(source.url), items: 'input.body.itms' });
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('misspelt')]);
    const { token } = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    const path = `/api/workflows/${workflowId}/polls/preview`;
    expect((await call('POST', path, { token, body: settings(source.url) })).status).toBe(403);
  });

  test('a credential of another workspace is not used', async () => {
    const [mine, theirs] = [await polledWorkflow(), await polledWorkflow()];
    const credential = { name: 'Shop', type: 'api_key', config: { apiKey: 'secret', header: 'X-API-Key' } };
    const made = await call<{ id: string }>('POST', '/api/credentials', { token: theirs.user.token, body: credential });
    const node = { type: 'http_request', config: { url: source.url }, credentialId: made.body.id };
    const { status, body } = await mine.send('POST', '/preview', { ...settings(source.url), node });
    expect([status, body.error.details[0]?.field]).toEqual([400, 'node.credentialId']);
  });
});

test('another workspace sees neither the workflow nor its polls', async () => {
  const [mine, theirs] = [await polledWorkflow(), await polledWorkflow()];
  const { body } = await mine.send('POST', '', BASE);
  const base = `/api/workflows/${mine.workflowId}/polls`;
  for (const [method, tail, payload] of [
    ['GET', '', undefined],
    ['POST', '', BASE],
    ['GET', `/${body.id}`, undefined],
    ['PUT', `/${body.id}`, {}],
    ['DELETE', `/${body.id}`, undefined],
    ['POST', `/${body.id}/test`, undefined],
    ['POST', '/preview', { node: BASE.node, items: BASE.items, key: BASE.key }],
  ] as const) {
    const { status } = await call(method, `${base}${tail}`, { token: theirs.user.token, body: payload });
    expect(status, `${method} ${tail}`).toBe(404);
  }
  // Nor can a poll be reached through another workflow.
  expect((await theirs.send('GET', `/${body.id}`)).status).toBe(404);
});

test('a credential of another workspace cannot be used', async () => {
  const [mine, theirs] = [await polledWorkflow(), await polledWorkflow()];
  const credential = { name: 'Shop', type: 'api_key', config: { apiKey: 'secret', header: 'X-API-Key' } };
  const { id } = (
    await call<{ id: string }>('POST', '/api/credentials', { token: theirs.user.token, body: credential })
  ).body;
  const { status, body } = await mine.send('POST', '', { ...BASE, node: { ...BASE.node, credentialId: id } });
  expect(status).toBe(400);
  expect(body.error.details).toMatchObject([{ field: 'node.credentialId' }]);
});

test('viewers can read polls and not change them', async () => {
  const { user, workflowId, send } = await polledWorkflow();
  const { body } = await send('POST', '', BASE);
  const { token } = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
  const path = `/api/workflows/${workflowId}/polls`;
  expect((await call('GET', path, { token })).status).toBe(200);
  expect((await call('POST', path, { token, body: BASE })).status).toBe(403);
  expect((await call('POST', `${path}/${body.id}/test`, { token })).status).toBe(403);
  expect((await call('DELETE', `${path}/${body.id}`, { token })).status).toBe(403);
});

test('schedules and polls share a quota', async () => {
  const { user, workflowId, send } = await polledWorkflow();
  await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'free' } });
  const schedule = { workflowId, cron: '* * * * *', timezone: 'UTC', input: {}, enabled: true, overlap: 'skip' };
  const rows = Array.from({ length: 19 }, (_, index) => ({ ...schedule, id: `sch_${workflowId}_${index}` }));
  await prismaClient().schedule.createMany({ data: rows });
  expect((await send('POST', '', BASE)).status).toBe(201);
  const { status, body } = await send('POST', '', BASE);
  expect(status).toBe(403);
  expect(body.error.message).toContain('schedules and polls');
});
