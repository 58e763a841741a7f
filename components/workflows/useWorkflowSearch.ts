import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WORKFLOW_STATUSES } from '@/contract/states';
import { useTRPC } from '@/components/client/trpc';

export const PER_PAGE = 25;
/** Polling interval, because last runs change. */
const LIVE_MS = 15_000;
export const ANY_STATUS = 'any';

export interface Filters {
  search: string;
  status: string;
  tag: string | null;
  /** `none`: workflows in no folder. Null: everywhere. */
  folderId: string | null;
  isFavorite: boolean;
}

const NO_FILTERS: Filters = { search: '', status: ANY_STATUS, tag: null, folderId: null, isFavorite: false };

/** The list of workflows with its filters and page. */
export function useWorkflowSearch() {
  const trpc = useTRPC();
  const [filters, setFilters] = useState(NO_FILTERS);
  const { search, status, tag, folderId, isFavorite } = filters;
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [page, setPage] = useState(1);
  const query = useQuery(
    trpc.workflows.list.queryOptions(
      {
        query: {
          search: wanted || undefined,
          status: WORKFLOW_STATUSES.find((option) => option === status),
          tag: tag ?? undefined,
          folderId: folderId ?? undefined,
          favorite: isFavorite ? 'true' : undefined,
          limit: String(PER_PAGE),
          offset: String((page - 1) * PER_PAGE),
        },
      },
      { placeholderData: keepPreviousData, refetchInterval: LIVE_MS },
    ),
  );
  const change = (changes: Partial<Filters>) => {
    setFilters({ ...filters, ...changes });
    setPage(1);
  };
  return {
    query,
    page,
    setPage,
    filters,
    isFiltered: wanted !== '' || status !== ANY_STATUS || tag !== null || folderId !== null || isFavorite,
    change,
    clear: () => change(NO_FILTERS),
  };
}
