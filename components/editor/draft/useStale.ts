import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/components/client/trpc';
import type { Run } from '@/components/executions/live';
import { bodyAt } from '@/components/graph/body';
import { shown, useDraft } from './draft';
import { staleNodes } from './stale';

const NONE: ReadonlySet<string> = new Set();

/** The nodes on the canvas whose results in a run are outdated. */
export function useStale(execution: Run | undefined): ReadonlySet<string> {
  const trpc = useTRPC();
  const now = useDraft(shown);
  const path = useDraft((draft) => draft.path);
  const { workflowId = '', workflowVersion = 0 } = execution ?? {};
  const { data } = useQuery(
    trpc.versions.get.queryOptions(
      { params: { id: workflowId, version: String(workflowVersion) } },
      { enabled: execution !== undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const then = data?.definition;
  return useMemo(() => (then ? staleNodes(now, bodyAt(then, path)) : NONE), [now, then, path]);
}
