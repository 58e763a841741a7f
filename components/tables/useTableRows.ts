import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableRowFilter } from '@/contract/tables/table-columns';
import { useTRPC } from '@/components/client/trpc';

const ROWS_PER_REQUEST = '200';

/** The rows of a table as far as they have been asked for, page after page. */
export function useTableRows(id: string, filter: TableRowFilter | undefined, sort: string | undefined) {
  const trpc = useTRPC();
  const query = {
    limit: ROWS_PER_REQUEST,
    ...(filter ? { filter: JSON.stringify(filter) } : {}),
    ...(sort ? { sort } : {}),
  };
  const list = JSON.stringify(query);
  const [pages, setPages] = useState<{ list: string; cursors: string[] }>({ list, cursors: [] });
  // Another filter or sort begins at its first page.
  const cursors = pages.list === list ? pages.cursors : [];
  const results = useQueries({
    queries: [undefined, ...cursors].map((cursor) =>
      trpc.rows.list.queryOptions(
        { params: { id }, query: cursor === undefined ? query : { ...query, cursor } },
        { placeholderData: keepPreviousData },
      ),
    ),
  });
  const last = results.at(-1);
  const nextCursor = last?.isPlaceholderData ? null : (last?.data?.nextCursor ?? null);
  return {
    rows: results.flatMap(({ data }) => data?.data ?? []),
    isLoading: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error ?? null,
    more: nextCursor === null ? null : () => setPages({ list, cursors: [...cursors, nextCursor] }),
  };
}
