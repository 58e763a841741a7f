/** A page of a list. Some lists are paged by offset, others by cursor. */
export interface Page<Item> {
  data: Item[];
  total?: number;
  nextCursor?: string | null;
}

/** Where a page begins. Without offset and cursor it is the first page of the list. */
export interface PageQuery {
  offset?: number;
  cursor?: string;
}

/**
 * All items of a list, page by page. Lists are newest first, so an item that is added meanwhile shifts the pages by
 * offset: those with an id come once. Pages by cursor stay in place.
 */
export async function* paginate<Item>(
  read: (query: PageQuery) => Promise<Page<Item>>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  let query: PageQuery = {};
  for (let offset = 0; ;) {
    const page = await read(query);
    for (const item of page.data) {
      signal?.throwIfAborted();
      const isShifting = page.nextCursor === undefined;
      const id = isShifting && typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      yield item;
    }
    offset += page.data.length;
    if (page.nextCursor === null) return;
    if (page.nextCursor) query = { cursor: page.nextCursor };
    else if (page.total !== undefined && page.data.length > 0 && offset < page.total) query = { offset };
    else return;
  }
}
