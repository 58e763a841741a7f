import type { ReactNode } from 'react';
import { FailureNote } from './FailureNote';
import { ListSkeleton } from './ListSkeleton';

interface Props<Item> {
  /** What is listed, in a word: "members". */
  of: string;
  query: { data?: { data: Item[] }; error: unknown; refetch(): unknown };
  /** Stands where there is nothing. */
  empty: ReactNode;
  children(items: Item[]): ReactNode;
}

/** A list in each of its states: on the way, refused, empty, there. */
export function Listing<Item>({ of, query: { data, error, refetch }, empty, children }: Props<Item>) {
  if (error && !data)
    return <FailureNote title={`The ${of} can’t be shown`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={4} />;
  return data.data.length === 0 ? empty : children(data.data);
}
