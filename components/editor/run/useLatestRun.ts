import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

/** The latest run of a workflow when the editor was opened. `isNeeded`: none was started here. */
export function useLatestRun(workflowId: string, isNeeded: boolean) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { workflowId, limit: '1' } },
      { enabled: isNeeded, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return data?.data[0];
}
