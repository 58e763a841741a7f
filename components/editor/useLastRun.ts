import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';

/** The newest run of a workflow, whose data helps to write expressions; `current` (just started here) comes first. */
export function useLastRun(workflowId: string, current: string | undefined): string | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { workflowId, limit: '1' } },
      { enabled: current === undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return current ?? data?.data[0]?.id;
}
