import { pool } from '@/server/db/client';
import { fromJson } from '@/server/expressions/large-json';
import { ITEM_PAGE } from '../../load/memory';

/** Consecutive items of a large loop. */
interface ItemPage {
  first: number;
  /** As JSON. */
  items: string[];
}

const MAX_PAGES = 32;
/** LRU cache by run and loop. */
const itemPages = new Map<string, ItemPage>();

const keyOf = (executionId: string, loop: string) => `${executionId} ${loop}`;

/** A cached item as a list of one; empty: the item has to be loaded. */
export function cachedItem(executionId: string, loop: string, index: number): unknown[] {
  const key = keyOf(executionId, loop);
  const page = itemPages.get(key);
  if (!page) return [];
  itemPages.delete(key);
  itemPages.set(key, page);
  return page.items.slice(index - page.first, index - page.first + 1).map(fromJson);
}

function cachePage(key: string, page: ItemPage): void {
  itemPages.delete(key);
  itemPages.set(key, page);
  const [oldest] = itemPages.keys();
  if (itemPages.size > MAX_PAGES && oldest !== undefined) itemPages.delete(oldest);
}

/** Loads an item and caches a page of the following items for the next rounds; returns the item. */
export async function loadItemPage(executionId: string, loop: string, index: number): Promise<unknown> {
  const { rows } = await pool().query<{ item: string; until: number }>({
    name: 'engine.items',
    text: `SELECT item::text, until FROM (
        SELECT item, place, sum(octet_length(item::text)) OVER (ORDER BY place)::int AS until
        FROM node_result, json_array_elements(loop_items(held)) WITH ORDINALITY AS every(item, place)
        WHERE execution_id = $1 AND node_id = $2 AND place > $3) following
      WHERE until <= $4 OR place = $3 + 1 ORDER BY place`,
    values: [executionId, loop, index, ITEM_PAGE],
  });
  const isSingle = rows.length === 1 && (rows[0]?.until ?? 0) > ITEM_PAGE;
  if (!isSingle) cachePage(keyOf(executionId, loop), { first: index, items: rows.map(({ item }) => item) });
  return fromJson(rows[0]?.item ?? 'null');
}
