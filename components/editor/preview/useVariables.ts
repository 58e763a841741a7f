import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { MAX_VARIABLES } from '@/contract/workflows/variable-names';
import { useTRPC } from '@/components/client/trpc';
import { useCan } from '@/components/client/useCan';

type Variables = Readonly<Record<string, unknown>>;

/** The variables of the workspace by name; undefined if they are not loaded, or the caller may not read them. */
export function useVariables(): Variables | undefined {
  const trpc = useTRPC();
  const enabled = useCan()('variable:read') === 'all';
  const query = { limit: String(MAX_VARIABLES) };
  const { data } = useQuery(trpc.variables.list.queryOptions({ query }, { enabled }));
  return useMemo(() => data && Object.fromEntries(data.data.map(({ name, value }) => [name, value])), [data]);
}

/** Their names. */
export function useVariableNames(): ReadonlySet<string> | undefined {
  const variables = useVariables();
  return useMemo(() => variables && new Set(Object.keys(variables)), [variables]);
}
