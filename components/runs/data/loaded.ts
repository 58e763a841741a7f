import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NodeResult } from '@/contract/execution';
import { useTRPC } from '@/components/client/trpc';
import type { LiveRun } from '../live';

type LoadedResults = Readonly<Record<string, NodeResult>>;

const EMPTY_LOADED_RESULTS: LoadedResults = {};
const loadedResultsKey = (executionId: string | undefined) => ['loaded', executionId];

/** Results of a run that were loaded on demand because the run omitted parts of them; by node. */
export function useLoadedResults(executionId: string | undefined): LoadedResults {
  const { data = EMPTY_LOADED_RESULTS } = useQuery<LoadedResults>({
    queryKey: loadedResultsKey(executionId),
    queryFn: skipToken,
    initialData: EMPTY_LOADED_RESULTS,
    staleTime: Infinity,
  });
  return data;
}

/** Loads the complete result of a node. */
export function useLoadNodeResult(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (nodeId: string) =>
      queryClient.fetchQuery(trpc.executions.nodeResult.queryOptions({ params: { id: executionId, nodeId } })),
    onSuccess: (result) =>
      queryClient.setQueryData<LoadedResults>(loadedResultsKey(executionId), (before) => ({
        ...before,
        [result.nodeId]: result,
      })),
  });
}

/** A run with loaded data in the places where it was omitted. */
export function mergeLoadedResults(run: LiveRun, loaded: LoadedResults): LiveRun {
  if (!run.nodeResults.some(({ nodeId, omitted }) => omitted && loaded[nodeId])) return run;
  const nodeResults = run.nodeResults.map((result) => {
    const whole = result.omitted && loaded[result.nodeId];
    if (!whole) return result;
    const { input = result.input, output = result.output, omitted, omittedBytes } = whole;
    return { ...result, input, output, omitted, omittedBytes };
  });
  return { ...run, nodeResults };
}
