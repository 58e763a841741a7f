import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { itemsFrom, startSource, type Source } from '@/server/testing/servers/source';
import { polledWorkflow, type PolledWorkflow } from '@/server/testing/polls';
import { executeDuePolls } from './poller';

useDatabase();

let source: Source;
let workflow: PolledWorkflow;

beforeEach(async () => {
  source = await startSource(itemsFrom(1, 3));
  workflow = await polledWorkflow();
});
afterEach(async () => {
  await source.close();
  await prismaClient().poll.deleteMany();
});

/** Makes the polls due and executes them. */
async function again(): Promise<void> {
  await workflow.makeDue();
  await executeDuePolls();
}

/** A node that asks for the items after the cursor. */
const since = (url: string) => ({ node: { type: 'http_request', config: { url, query: { since: '{{ cursor }}' } } } });

describe('the first poll', () => {
  test('remembers the items and starts no run; later items start runs', async () => {
    const { id } = await workflow.poll(source.url, { first: 'skip' });
    await executeDuePolls();
    expect(await workflow.started()).toEqual([]);
    expect(await workflow.read(id)).toMatchObject({ lastItems: 3, lastNewItems: 3, lastError: null });
    source.items.push(...itemsFrom(4, 2));
    await again();
    expect(await workflow.started()).toEqual([4, 5]);
  });

  test('starts a run for each item if it is to deliver them', async () => {
    const { id } = await workflow.poll(source.url);
    await executeDuePolls();
    expect(await workflow.started()).toEqual([1, 2, 3]);
    const [run] = await prismaClient().execution.findMany({ where: { workflowId: workflow.workflowId } });
    expect(run).toMatchObject({ trigger: 'poll', triggeredBy: { id, name: 'New items' }, status: 'pending' });
  });

  test('is the first that succeeds', async () => {
    await workflow.poll(source.url, { first: 'skip' });
    source.status = 500;
    await executeDuePolls();
    source.status = 200;
    source.items.push(...itemsFrom(4, 1));
    await again();
    expect(await workflow.started()).toEqual([]);
  });
});

test('all expressions of a poll are in its language', async () => {
  const settings = {
    language: 'javascript',
    node: {
      type: 'http_request',
      config: { url: '{{ `' + source.url + '` }}', query: { since: '{{ cursor ?? 0 }}' } },
    },
    items: 'input.body.items.filter((item) => item.id !== 2)',
    key: '`item ${String(item.id).padStart(4, "0")}`',
    cursor: 'Math.max(...input.body.items.map(({id}) => id))',
  };
  const { id } = await workflow.poll(source.url, settings);
  await executeDuePolls();
  expect(await workflow.read(id)).toMatchObject({ lastError: null, cursorValue: 3, lastItems: 2 });
  expect(await workflow.started()).toEqual([1, 3]);
  const refused = await workflow.send('PUT', `/${id}`, { key: 'item.id = ' });
  expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: 'key' }]]);
  expect((await workflow.send('PUT', `/${id}`, { language: 'jsonata' })).status).toBe(400);
});

test('a source that is down is asked again later and later; the error is shown, and it recovers by itself', async () => {
  const { id } = await workflow.poll(source.url);
  source.status = 503;
  const waits: number[] = [];
  for (const failures of [1, 2, 3]) {
    await again();
    const poll = await workflow.read(id);
    expect(poll).toMatchObject({ failures, lastError: expect.stringContaining('HTTP_STATUS: GET 127.0.0.1') });
    waits.push(Date.parse(poll.nextPollAt ?? '') - Date.parse(poll.lastPolledAt ?? ''));
  }
  expect(waits.map((wait) => Math.round(wait / 60_000))).toEqual([1, 2, 4]);
  expect(await workflow.started()).toEqual([]);
  source.status = 200;
  await again();
  expect(await workflow.read(id)).toMatchObject({ failures: 0, lastError: null });
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('a source that cannot be reached is shown, too', async () => {
  const { id } = await workflow.poll('http://127.0.0.1:1/');
  await executeDuePolls();
  expect((await workflow.read(id)).lastError).toContain('127.0.0.1');
});

test('items that a source returns again start no second run, also in another order and twice in one answer', async () => {
  await workflow.poll(source.url);
  await executeDuePolls();
  source.items = [...itemsFrom(4, 1), ...source.items.toReversed(), ...itemsFrom(4, 1)];
  await again();
  await again();
  expect(await workflow.started()).toEqual([1, 2, 3, 4]);
});

test('10,000 new items start 10,000 runs, once', { tags: 'long' }, async () => {
  source.items = itemsFrom(1, 10_000);
  const { id } = await workflow.poll(source.url);
  await executeDuePolls();
  await again();
  const ids = await workflow.started();
  expect(ids.length).toBe(10_000);
  expect(new Set(ids).size).toBe(10_000);
  expect(await workflow.read(id)).toMatchObject({ lastError: null, lastItems: 10_000, lastNewItems: 0 });
});

test('a batch is one run with all new items', async () => {
  await workflow.poll(source.url, { deliver: 'batch' });
  await executeDuePolls();
  source.items.push(...itemsFrom(4, 2));
  await again();
  await again();
  expect((await workflow.started()).toSorted()).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('the cursor is sent with the next poll, and moves only with a value', async () => {
  const { id } = await workflow.poll(source.url, { ...since(source.url), cursor: '$max(input.body.items.id)' });
  await executeDuePolls();
  expect((await workflow.read(id)).cursorValue).toBe(3);
  await again();
  // The answer had no items, so that the expression returned nothing.
  expect((await workflow.read(id)).cursorValue).toBe(3);
  source.items.push(...itemsFrom(4, 1));
  await again();
  expect(source.calls).toEqual(['/', '/?since=3', '/?since=3']);
  expect(await workflow.started()).toEqual([1, 2, 3, 4]);
});

test('another cursor expression begins without a stored cursor; known items stay known', async () => {
  const { id } = await workflow.poll(source.url, { ...since(source.url), cursor: '$max(input.body.items.id)' });
  await executeDuePolls();
  const { body } = await workflow.send('PUT', `/${id}`, { cursor: '$max(input.body.items.id) - 1' });
  expect(body).toMatchObject({ cursorValue: null, cursor: '$max(input.body.items.id) - 1' });
  await again();
  expect(source.calls).toEqual(['/', '/']);
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('another key expression begins again: the next answer is the first', async () => {
  const { id } = await workflow.poll(source.url, { first: 'skip' });
  await executeDuePolls();
  await workflow.send('PUT', `/${id}`, { key: 'item.title' });
  await again();
  expect(await workflow.started()).toEqual([]);
  source.items.push(...itemsFrom(4, 1));
  await again();
  expect(await workflow.started()).toEqual([4]);
});

describe('an expression that does not fit the answer fails the poll and starts nothing:', () => {
  test.each([
    ['items', { items: 'input.body.itms' }, 'misspelt'],
    ['key', { key: 'item.uid' }, 'items[0] has none'],
    ['key', { key: '$number(item.title)' }, 'key: items[0]'],
    ['cursor', { cursor: '$number("x")' }, 'Unable to cast'],
  ])('%s %o', async (_, settings, message) => {
    const { id } = await workflow.poll(source.url, settings);
    await executeDuePolls();
    expect(await workflow.read(id)).toMatchObject({ failures: 1, lastError: expect.stringContaining(message) });
    expect(await workflow.started()).toEqual([]);
  });
});

test('an item that inputSchema refuses is noted and blocks nothing', async () => {
  const inputSchema = { type: 'object', properties: { id: { type: 'number', not: { const: 2 } } } };
  workflow = await polledWorkflow(flow({ s: { type: 'start', config: { inputSchema } } }));
  const { id } = await workflow.poll(source.url);
  await executeDuePolls();
  expect(await workflow.started()).toEqual([1, 3]);
  const { lastRefusedReason, lastError } = await workflow.read(id);
  expect(lastRefusedReason).toContain('items[1]: input.id');
  expect(lastError).toBeNull();
  const refusedAt = (await workflow.read(id)).lastRefusedAt;
  await again();
  expect((await workflow.read(id)).lastRefusedAt).toBe(refusedAt);
});

describe('a poll does nothing', () => {
  test.each(['draft', 'paused'])('while its workflow is %s, and catches up once it is active', async (status) => {
    await workflow.poll(source.url);
    const where = { id: workflow.workflowId };
    await prismaClient().workflow.update({ where, data: { status } });
    expect(await executeDuePolls()).toBe(0);
    await prismaClient().workflow.update({ where, data: { status: 'active' } });
    await executeDuePolls();
    expect(await workflow.started()).toEqual([1, 2, 3]);
  });

  test('while it is disabled', async () => {
    const { id } = await workflow.poll(source.url, { enabled: false });
    expect(await workflow.read(id)).toMatchObject({ enabled: false, nextPollAt: null });
    expect(await executeDuePolls()).toBe(0);
  });

  test('before its time', async () => {
    await workflow.poll(source.url, { intervalMs: undefined, cron: '0 0 1 1 *' });
    expect(await executeDuePolls()).toBe(0);
  });
});

describe('what a poll has found is dropped', () => {
  test.each([
    ['its workflow is paused', () => prismaClient().workflow.updateMany({ data: { status: 'paused' } })],
    ['it is disabled', async (id: string) => workflow.send('PUT', `/${id}`, { enabled: false })],
    ['it is deleted', async (id: string) => workflow.send('DELETE', `/${id}`)],
  ])('if %s meanwhile', async (_, change) => {
    const { id } = await workflow.poll(source.url);
    const answer = source.hold();
    const polled = executeDuePolls();
    await expect.poll(() => source.calls.length).toBe(1);
    await change(id);
    answer();
    await polled;
    expect(await workflow.started()).toEqual([]);
    expect(await prismaClient().pollSeen.count()).toBe(0);
  });
});
