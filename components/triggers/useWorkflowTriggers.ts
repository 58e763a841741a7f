import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { TRIGGER_KINDS } from './kinds';
import type { TriggerCardData, TriggeredWorkflow } from './kinds/kind';

/** The triggers of all kinds, without those that may not be read. Undefined until all are loaded. */
const combineTriggers = (results: UseQueryResult<TriggerCardData[], unknown>[]): TriggerCardData[] | undefined =>
  results.some(({ isPending }) => isPending) ? undefined : results.flatMap(({ data }) => data ?? []);

/** The triggers of a workflow. Undefined while they are loading. */
export function useWorkflowTriggers(workflow: TriggeredWorkflow): TriggerCardData[] | undefined {
  const trpc = useTRPC();
  return useQueries({
    queries: TRIGGER_KINDS.flatMap((kind) => kind.query?.(trpc, workflow) ?? []),
    combine: combineTriggers,
  });
}
