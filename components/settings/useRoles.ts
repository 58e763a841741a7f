import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';

/** The system roles and the workspace's own. */
export function useRoles() {
  const trpc = useTRPC();
  return useQuery(trpc.roles.list.queryOptions({ query: { limit: 100 } }));
}
