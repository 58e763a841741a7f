import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc';

/** Every node type of this installation. They change only with the version of the service. */
export function useNodeTypes() {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.nodeTypes.list.queryOptions({ query: { limit: '100' } }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return { data: data?.data, error };
}
