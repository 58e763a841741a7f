import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useDraft } from './draft';

/**
 * The version to compare with before publishing: the live one, or the last published one. Undefined while loading, null
 * if nothing was published yet.
 */
export function usePublishedBaseline() {
  const trpc = useTRPC();
  const { id, version, draftVersion, liveVersion } = useDraft((draft) => draft.saved);
  const isWaiting = draftVersion !== null;
  const versions = useQuery(
    trpc.versions.list.queryOptions({ params: { id }, query: { limit: '100' } }, { enabled: !isWaiting }),
  );
  const last = versions.data?.data.find((each) => each.publishedAt !== null && each.version !== version);
  const base = isWaiting ? liveVersion : last?.version;
  const { data } = useQuery(
    trpc.versions.get.queryOptions({ params: { id, version: String(base) } }, { enabled: base !== undefined }),
  );
  if (versions.data && base === undefined) return null;
  return data;
}
