import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/components/client/trpc';
import type { LiveRun } from '@/components/runs/live';
import { definitionAtPath } from '@/components/graph/body';
import { canvasDefinition, useDraft } from './draft';
import { findOutdatedNodes } from './outdated-nodes';

const EMPTY_OUTDATED_NODES: ReadonlySet<string> = new Set();

/** The nodes on the canvas whose results in a run are outdated. */
export function useOutdatedNodes(execution: LiveRun | undefined): ReadonlySet<string> {
  const trpc = useTRPC();
  const now = useDraft(canvasDefinition);
  const path = useDraft((draft) => draft.path);
  const { workflowId = '', workflowVersion = 0 } = execution ?? {};
  const { data } = useQuery(
    trpc.versions.get.queryOptions(
      { params: { id: workflowId, version: String(workflowVersion) } },
      { enabled: execution !== undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const then = data?.definition;
  return useMemo(
    () => (then ? findOutdatedNodes(now, definitionAtPath(then, path)) : EMPTY_OUTDATED_NODES),
    [now, then, path],
  );
}
