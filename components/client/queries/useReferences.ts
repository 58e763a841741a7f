import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import type { Reference } from '@/components/graph/summary';
import { problemOf } from '../problem';
import { useTRPC } from '../trpc';

/** A workflow or table that a node names. `name` null: it does not exist, or the caller may not see it. */
export interface Named extends Reference {
  name: string | null;
}

export type NamedReferences = Readonly<Record<string, Named>>;

type Answer = { data?: { name: string } | undefined; error?: unknown };

/** What the service said: names by id; without those that are loading or could not be asked for. */
export function named(references: readonly Reference[], answers: readonly Answer[]): NamedReferences {
  return Object.fromEntries(
    references.flatMap((reference, at): [string, Named][] => {
      const { data, error } = answers[at] ?? {};
      if (data) return [[reference.id, { ...reference, name: data.name }]];
      const isHidden = error && ['NOT_FOUND', 'FORBIDDEN'].includes(problemOf(error).code);
      return isHidden ? [[reference.id, { ...reference, name: null }]] : [];
    }),
  );
}

const KEPT = { retry: false, staleTime: 60_000 };

/** The names of workflows and tables by id. `references`: without repetition. */
export function useReferences(references: readonly Reference[]): NamedReferences {
  const trpc = useTRPC();
  const of = (resource: Reference['resource']) => references.filter((one) => one.resource === resource);
  const [workflows, tables] = [of('workflow'), of('table')];
  const ofWorkflows = useQueries({
    queries: workflows.map(({ id }) => trpc.workflows.get.queryOptions({ params: { id } }, KEPT)),
    combine: (answers) => named(workflows, answers),
  });
  const ofTables = useQueries({
    queries: tables.map(({ id }) => trpc.tables.get.queryOptions({ params: { id } }, KEPT)),
    combine: (answers) => named(tables, answers),
  });
  return useMemo(() => ({ ...ofWorkflows, ...ofTables }), [ofWorkflows, ofTables]);
}
