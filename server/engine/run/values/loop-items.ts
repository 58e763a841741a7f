import { databasePool } from '@/server/platform/db/client';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { LOOP_ITEM_PAGE_BYTES } from '../../load/memory';

/** Consecutive items of a large loop. */
interface LoopItemPage {
  first: number;
  /** The items as JSON. */
  items: string[];
}

const MAX_CACHED_PAGES = 32;
/** LRU cache by run and loop. */
const loopItemPages = new Map<string, LoopItemPage>();

const itemPageKey = (executionId: string, loop: string) => `${executionId} ${loop}`;

/** A cached item as a list of one; empty: the item has to be loaded. */
export function findCachedItem(executionId: string, loop: string, index: number): unknown[] {
  const key = itemPageKey(executionId, loop);
  const page = loopItemPages.get(key);
  if (!page) return [];
  loopItemPages.delete(key);
  loopItemPages.set(key, page);
  return page.items.slice(index - page.first, index - page.first + 1).map(parseUnlessLarge);
}

function cacheItemPage(key: string, page: LoopItemPage): void {
  loopItemPages.delete(key);
  loopItemPages.set(key, page);
  const [oldest] = loopItemPages.keys();
  if (loopItemPages.size > MAX_CACHED_PAGES && oldest !== undefined) loopItemPages.delete(oldest);
}

/** Loads an item and caches a page of the following items for the next rounds; returns the item. */
export async function loadLoopItem(executionId: string, loop: string, index: number): Promise<unknown> {
  const { rows } = await databasePool().query<{ item: string; until: number }>({
    name: 'engine.items',
    text: `SELECT item::text, until FROM (
        SELECT item, place, sum(octet_length(item::text)) OVER (ORDER BY place)::int AS until
        FROM node_result, json_array_elements(loop_items(held)) WITH ORDINALITY AS every(item, place)
        WHERE execution_id = $1 AND node_id = $2 AND place > $3) following
      WHERE until <= $4 OR place = $3 + 1 ORDER BY place`,
    values: [executionId, loop, index, LOOP_ITEM_PAGE_BYTES],
  });
  const isSingle = rows.length === 1 && (rows[0]?.until ?? 0) > LOOP_ITEM_PAGE_BYTES;
  if (!isSingle) cacheItemPage(itemPageKey(executionId, loop), { first: index, items: rows.map(({ item }) => item) });
  return parseUnlessLarge(rows[0]?.item ?? 'null');
}

/** Loads all items of a loop. */
export async function loadLoopItems(executionId: string, loop: string): Promise<unknown> {
  const { rows } = await databasePool().query<{ items: string | null }>({
    name: 'engine.all-items',
    text: 'SELECT loop_items(held)::text AS items FROM node_result WHERE execution_id = $1 AND node_id = $2',
    values: [executionId, loop],
  });
  return parseUnlessLarge(rows[0]?.items ?? 'null');
}
