import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

/** Every connector of this installation. */
export function useConnectors(enabled = true) {
  const trpc = useTRPC();
  return useQuery(trpc.connectors.list.queryOptions({ query: { limit: 100 } }, { staleTime: 60_000, enabled }));
}
