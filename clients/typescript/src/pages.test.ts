import { expect, it } from 'vitest';
import { Weft } from './client.js';
import { createNewEventFilter, type RunEvent } from './events.js';
import { paginate } from './pages.js';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

it('reads page by page; an item that moves to the next page comes once', async () => {
  const items = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];
  const read = async ({ offset = 0 }: { offset?: number }) => {
    const data = items.slice(offset, offset + 2);
    if (offset === 0) items.unshift({ id: 'd' });
    return { data, total: items.length };
  };
  expect(await all(paginate(read))).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
});

it('follows cursors', async () => {
  const pages: Record<string, { data: number[]; nextCursor: string | null }> = {
    first: { data: [1, 2], nextCursor: 'second' },
    second: { data: [3], nextCursor: null },
  };
  const read = async ({ cursor = 'first' }: { cursor?: string }) => pages[cursor] ?? { data: [] };
  expect(await all(paginate<number>(read))).toEqual([1, 2, 3]);
});

it('an aborted signal ends a page before its next item', async () => {
  const stop = new AbortController();
  const items: number[] = [];
  const reading = async () => {
    for await (const item of paginate(async () => ({ data: [1, 2, 3] }), stop.signal)) {
      items.push(item);
      if (item === 2) stop.abort('enough');
    }
  };
  await expect(reading()).rejects.toBe('enough');
  expect(items).toEqual([1, 2]);
});

it('reads as many items at once as the caller says, else 100', async () => {
  const queries: string[] = [];
  const fetch = async (url: unknown) => {
    queries.push((url as URL).search);
    return Response.json({ data: [{ id: String(queries.length) }], total: 2 });
  };
  const weft = new Weft({ url: 'https://weft.test', apiKey: 'wk_test', fetch: fetch as typeof globalThis.fetch });
  await all(weft.all('/api/executions', { query: { limit: 1, status: 'failed' } }));
  await all(weft.all('/api/executions'));
  expect(queries).toEqual([
    '?limit=1&status=failed',
    '?limit=1&status=failed&offset=1',
    '?limit=100',
    '?limit=100&offset=1',
  ]);
});

it('passes on the events that a further connection tells again only once', () => {
  const update = (status: 'pending' | 'running', nodeId?: string): RunEvent => ({
    type: 'execution_update',
    executionId: 'exec_1',
    status,
    timestamp: '',
    ...(nodeId === undefined ? {} : { nodeId }),
  });
  const done = (nodeId: string): RunEvent => ({ type: 'node_completed', executionId: 'exec_1', nodeId, output: 1 });
  const isNew = createNewEventFilter();
  const first = [update('running'), update('running', 'a'), done('a'), update('running', 'b')];
  const again = [update('running'), done('a'), done('b')];
  expect([...first, ...again].map(isNew)).toEqual([true, true, true, true, false, false, true]);
});
