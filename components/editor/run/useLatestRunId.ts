import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

/** The id of the latest run of a workflow; `current`, a run started here, takes precedence. */
export function useLatestRunId(workflowId: string, current: string | undefined): string | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { workflowId, limit: '1' } },
      { enabled: current === undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return current ?? data?.data[0]?.id;
}
