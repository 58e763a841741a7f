import { useQueries } from '@tanstack/react-query';
import { problemOf } from './problem';
import { useTRPC } from './trpc';

/** A workflow that a node calls. `name` null: it does not exist, or the caller may not see it. */
export interface CalledWorkflow {
  id: string;
  name: string | null;
}

export type CalledWorkflows = Readonly<Record<string, CalledWorkflow>>;

/** What the service said: names by id; without those that are loading or could not be asked for. */
export function calledWorkflows(ids: readonly string[], answers: readonly Answer[]): CalledWorkflows {
  return Object.fromEntries(
    ids.flatMap((id, at): [string, CalledWorkflow][] => {
      const { data, error } = answers[at] ?? {};
      if (data) return [[id, { id, name: data.name }]];
      const isHidden = error && ['NOT_FOUND', 'FORBIDDEN'].includes(problemOf(error).code);
      return isHidden ? [[id, { id, name: null }]] : [];
    }),
  );
}

type Answer = { data?: { name: string } | undefined; error?: unknown };

/** The names of workflows by id. `ids`: without repetition. */
export function useCalledWorkflows(ids: readonly string[]): CalledWorkflows {
  const trpc = useTRPC();
  return useQueries({
    queries: ids.map((id) => trpc.workflows.get.queryOptions({ params: { id } }, { retry: false, staleTime: 60_000 })),
    combine: (answers) => calledWorkflows(ids, answers),
  });
}
