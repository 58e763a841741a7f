import { useEffect, useMemo, useState } from 'react';
import { RowIndex, type TableRowQuery } from './row-index';

/** The indices of the rows that a query finds, in its order. `isBusy`: they are those of the query before. */
export function useMatchingRows(rows: readonly unknown[], columns: readonly string[], query: TableRowQuery) {
  const index = useMemo(() => new RowIndex(rows, columns), [rows, columns]);
  const { text, order } = query;
  const isPlain = text.trim() === '' && order === undefined;
  const all = useMemo(() => [...rows.keys()], [rows]);
  const [found, setFound] = useState<{ index: RowIndex; query: TableRowQuery; indices: number[] }>();
  useEffect(() => {
    if (isPlain) return;
    const abort = new AbortController();
    const asked = { text, order };
    index.find(asked, abort.signal).then(
      (indices) => setFound({ index, query: asked, indices }),
      // The search was aborted, because another query has begun.
      () => undefined,
    );
    return () => abort.abort();
  }, [index, isPlain, text, order]);
  if (isPlain) return { indices: all, isBusy: false };
  const isOfRows = found?.index === index;
  const isCurrent = isOfRows && found.query.text === text && found.query.order === order;
  return { indices: isOfRows ? found.indices : all, isBusy: !isCurrent };
}
