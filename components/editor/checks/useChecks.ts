import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Catalogue } from '@/components/graph/flow';
import { useTRPC } from '@/components/client/trpc';
import { checksOf, type Check } from './checks';
import { useDraft } from '../draft/draft';
import { useVariableNames } from '../preview/useVariables';

/** The checks of the workflow on the canvas. Refetched after each save. */
export function useChecks(catalogue: Catalogue): Check[] {
  const trpc = useTRPC();
  const definition = useDraft((draft) => draft.definition);
  const saved = useDraft((draft) => draft.saved);
  const issues = useDraft((draft) => draft.issues);
  const { data } = useQuery(trpc.workflows.gaps.queryOptions({ params: { id: saved.id } }));
  const variables = useVariableNames();
  return useMemo(
    () => checksOf({ definition, saved, issues }, data, catalogue, variables),
    [definition, saved, issues, data, catalogue, variables],
  );
}
