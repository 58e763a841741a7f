import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

/** The tags that runs have, the most frequent first; read once something asks for them. */
export function useRunTags(isNeeded: boolean): string[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.annotations.tags.queryOptions(undefined, { enabled: isNeeded }));
  return data?.data.map(({ tag }) => tag) ?? [];
}
