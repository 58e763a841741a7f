import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useAddressState } from '@/components/client/useAddressState';
import { useDelayedSearch } from '@/components/client/useDelayedSearch';
import { WORKFLOW_LIST_ADDRESS, workflowListQuery, type WorkflowListState } from './list/workflow-address';

export const WORKFLOWS_PER_PAGE = 25;
/** Polling interval, because last runs change. */
const LIST_REFRESH_MS = 15_000;

/** The list of workflows with its folder, filters, order and page. */
export function useWorkflowSearch() {
  const trpc = useTRPC();
  const [state, setState] = useAddressState(WORKFLOW_LIST_ADDRESS);
  const asked = useDelayedSearch(state);
  const query = useQuery(
    trpc.workflows.list.queryOptions(
      {
        query: {
          ...workflowListQuery(asked),
          limit: String(WORKFLOWS_PER_PAGE),
          offset: String((asked.page - 1) * WORKFLOWS_PER_PAGE),
        },
      },
      { placeholderData: keepPreviousData, refetchInterval: LIST_REFRESH_MS },
    ),
  );
  return {
    query,
    state,
    /** What the list is asked for, which follows the search after a moment. */
    asked,
    /** Other filters and orders begin on the first page. */
    change: (changes: Partial<WorkflowListState>) => setState({ ...state, page: 1, ...changes }),
  };
}
