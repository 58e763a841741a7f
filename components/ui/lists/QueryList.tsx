import type { ReactNode } from 'react';
import { RequestErrorAlert } from '../states/RequestErrorAlert';
import { ListSkeleton } from '../states/ListSkeleton';

interface Props<Item> {
  /** Plural noun of the items: "members". */
  of: string;
  query: { data?: { data: Item[]; total?: number }; error: unknown; refetch(): unknown };
  /** Shown for an empty list. */
  empty: ReactNode;
  children(items: Item[]): ReactNode;
}

/** A list in each of its states: loading, failed, empty, loaded. */
export function QueryList<Item>({ of, query: { data, error, refetch }, empty, children }: Props<Item>) {
  if (error && !data)
    return <RequestErrorAlert title={`The ${of} can’t be shown`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={4} />;
  if (data.data.length > 0) return children(data.data);
  // A page beyond the end of the list is left by `ListPagination`.
  return data.total ? <ListSkeleton rows={4} /> : empty;
}
