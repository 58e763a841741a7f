import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NodeResult } from '@/contract/execution';
import { useTRPC } from '../client/trpc';
import type { Run } from './live';

type Loaded = Readonly<Record<string, NodeResult>>;

const NONE: Loaded = {};
const keyOf = (executionId: string | undefined) => ['loaded', executionId];

/** The results of a run that somebody asked for because the run's own answer left something of them out; by node. */
export function useLoaded(executionId: string | undefined): Loaded {
  const { data = NONE } = useQuery<Loaded>({
    queryKey: keyOf(executionId),
    queryFn: skipToken,
    initialData: NONE,
    staleTime: Infinity,
  });
  return data;
}

/** Fetches a node's result with all that it has. */
export function useLoadResult(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (nodeId: string) =>
      queryClient.fetchQuery(trpc.executions.nodeResult.queryOptions({ params: { id: executionId, nodeId } })),
    onSuccess: (result) =>
      queryClient.setQueryData<Loaded>(keyOf(executionId), (before) => ({ ...before, [result.nodeId]: result })),
  });
}

/** A run with what was loaded of it in the places where something had been left out. */
export function withLoaded(run: Run, loaded: Loaded): Run {
  if (!run.nodeResults.some(({ nodeId, omitted }) => omitted && loaded[nodeId])) return run;
  const nodeResults = run.nodeResults.map((result) => {
    const whole = result.omitted && loaded[result.nodeId];
    if (!whole) return result;
    const { input = result.input, output = result.output, omitted, omittedBytes } = whole;
    return { ...result, input, output, omitted, omittedBytes };
  });
  return { ...run, nodeResults };
}
