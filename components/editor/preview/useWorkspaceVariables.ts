import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { MAX_WORKSPACE_VARIABLES } from '@/contract/workflows/variable-names';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';

type VariablesByName = Readonly<Record<string, unknown>>;

/** The variables of the workspace by name; undefined if they are not loaded, or the caller may not read them. */
export function useWorkspaceVariables(): VariablesByName | undefined {
  const trpc = useTRPC();
  const enabled = usePermissions()('variable:read') === 'all';
  const query = { limit: String(MAX_WORKSPACE_VARIABLES) };
  const { data } = useQuery(trpc.variables.list.queryOptions({ query }, { enabled }));
  return useMemo(() => data && Object.fromEntries(data.data.map(({ name, value }) => [name, value])), [data]);
}

/** The names of the variables of the workspace. */
export function useKnownVariableNames(): ReadonlySet<string> | undefined {
  const variables = useWorkspaceVariables();
  return useMemo(() => variables && new Set(Object.keys(variables)), [variables]);
}
