import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Catalogue } from '../canvas/flow';
import { useTRPC } from '../client/trpc';
import { checksOf, type Check } from './checks';
import { useDraft } from './draft';

/** What is to be settled in the workflow on the canvas. Asked anew after each save. */
export function useChecks(catalogue: Catalogue): Check[] {
  const trpc = useTRPC();
  const definition = useDraft((draft) => draft.definition);
  const saved = useDraft((draft) => draft.saved);
  const issues = useDraft((draft) => draft.issues);
  const { data } = useQuery(trpc.workflows.gaps.queryOptions({ params: { id: saved.id } }));
  return useMemo(
    () => checksOf({ definition, saved, issues }, data, catalogue),
    [definition, saved, issues, data, catalogue],
  );
}
