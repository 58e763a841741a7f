import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { folderPaths } from './folder-paths';

const MOST = '100';

/** The folders of the workspace with their paths, and the names of its tags. */
export function useFolders() {
  const trpc = useTRPC();
  const folders = useQuery(trpc.folders.list.queryOptions({ query: { limit: MOST } }));
  const tags = useQuery(trpc.tags.list.queryOptions({ query: { limit: MOST } }));
  return {
    folders: folderPaths(folders.data?.data ?? []),
    rows: folders.data?.data ?? [],
    tags: (tags.data?.data ?? []).map(({ name }) => name),
  };
}
