import { expect, it } from 'vitest';
import { newEvents, type RunEvent } from './events.js';
import { paginate } from './pages.js';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

it('reads page by page; an item that moves to the next page comes once', async () => {
  const items = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];
  const read = async ({ limit, offset = 0 }: { limit: number; offset?: number }) => {
    const data = items.slice(offset, offset + limit);
    if (offset === 0) items.unshift({ id: 'd' });
    return { data, total: items.length };
  };
  expect(await all(paginate(read, 2))).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
});

it('follows cursors', async () => {
  const pages: Record<string, { data: number[]; nextCursor: string | null }> = {
    first: { data: [1, 2], nextCursor: 'second' },
    second: { data: [3], nextCursor: null },
  };
  const read = async ({ cursor = 'first' }: { cursor?: string }) => pages[cursor] ?? { data: [] };
  expect(await all(paginate<number>(read))).toEqual([1, 2, 3]);
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
  const isNew = newEvents();
  const first = [update('running'), update('running', 'a'), done('a'), update('running', 'b')];
  const again = [update('running'), done('a'), done('b')];
  expect([...first, ...again].map(isNew)).toEqual([true, true, true, true, false, false, true]);
});
