import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

const MAX_LISTED_TAGS = 100;

/** The names of the tags of the workspace's workflows. */
export function useWorkflowTags(): string[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.tags.list.queryOptions({ query: { limit: MAX_LISTED_TAGS } }));
  return (data?.data ?? []).map(({ name }) => name);
}
