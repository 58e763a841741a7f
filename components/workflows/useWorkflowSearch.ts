import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WORKFLOW_STATUSES } from '@/contract/states';
import { useTRPC } from '@/components/client/trpc';

export const WORKFLOWS_PER_PAGE = 25;
/** Polling interval, because last runs change. */
const LIST_REFRESH_MS = 15_000;
export const ANY_STATUS_OPTION = 'any';

export interface WorkflowListFilters {
  search: string;
  status: string;
  tag: string | null;
  /** `none`: workflows in no folder. Null: everywhere. */
  folderId: string | null;
  isFavorite: boolean;
}

const EMPTY_WORKFLOW_FILTERS: WorkflowListFilters = {
  search: '',
  status: ANY_STATUS_OPTION,
  tag: null,
  folderId: null,
  isFavorite: false,
};

/** The list of workflows with its filters and page. */
export function useWorkflowSearch() {
  const trpc = useTRPC();
  const [filters, setFilters] = useState(EMPTY_WORKFLOW_FILTERS);
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
          limit: String(WORKFLOWS_PER_PAGE),
          offset: String((page - 1) * WORKFLOWS_PER_PAGE),
        },
      },
      { placeholderData: keepPreviousData, refetchInterval: LIST_REFRESH_MS },
    ),
  );
  const change = (changes: Partial<WorkflowListFilters>) => {
    setFilters({ ...filters, ...changes });
    setPage(1);
  };
  return {
    query,
    page,
    setPage,
    filters,
    isFiltered: wanted !== '' || status !== ANY_STATUS_OPTION || tag !== null || folderId !== null || isFavorite,
    change,
    clear: () => change(EMPTY_WORKFLOW_FILTERS),
  };
}
