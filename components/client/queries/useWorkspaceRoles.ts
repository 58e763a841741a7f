import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

/** The system roles and the custom roles of the workspace. */
export function useWorkspaceRoles() {
  const trpc = useTRPC();
  return useQuery(trpc.roles.list.queryOptions({ query: { limit: 100 } }));
}
