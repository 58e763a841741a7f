import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { listFolderPaths } from './folder-paths';

const MAX_LISTED_FOLDERS = '100';

/** The folders of the workspace with their paths, and the names of its tags. */
export function useFolders() {
  const trpc = useTRPC();
  const folders = useQuery(trpc.folders.list.queryOptions({ query: { limit: MAX_LISTED_FOLDERS } }));
  const tags = useQuery(trpc.tags.list.queryOptions({ query: { limit: MAX_LISTED_FOLDERS } }));
  return {
    folders: listFolderPaths(folders.data?.data ?? []),
    rows: folders.data?.data ?? [],
    tags: (tags.data?.data ?? []).map(({ name }) => name),
  };
}
