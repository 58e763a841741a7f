import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { collectChecks, type WorkflowCheck } from './workflow-checks';
import { useDraft } from '../draft/draft';
import { useKnownVariableNames } from '../preview/useWorkspaceVariables';

/** The checks of the workflow on the canvas. Refetched after each save. */
export function useWorkflowChecks(catalogue: NodeTypesByName): WorkflowCheck[] {
  const trpc = useTRPC();
  const definition = useDraft((draft) => draft.definition);
  const saved = useDraft((draft) => draft.saved);
  const issues = useDraft((draft) => draft.issues);
  const { data } = useQuery(trpc.workflows.gaps.queryOptions({ params: { id: saved.id } }));
  const variables = useKnownVariableNames();
  return useMemo(
    () => collectChecks({ definition, saved, issues }, data, catalogue, variables),
    [definition, saved, issues, data, catalogue, variables],
  );
}
