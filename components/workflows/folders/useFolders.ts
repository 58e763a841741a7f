import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FolderResponse } from '@/contract/workflows/folder';
import { useTRPC } from '@/components/client/trpc';
import { listFolderPaths } from './folder-paths';

/** The largest page that the service gives. */
export const FOLDER_PAGE_SIZE = 100;

const joinFolderPages = (pages: { data: { data: FolderResponse[] } | undefined }[]): FolderResponse[] =>
  pages.flatMap(({ data }) => data?.data ?? []);

/** The folders of the workspace with their paths. */
export function useFolders() {
  const trpc = useTRPC();
  const page = (offset: number) => trpc.folders.list.queryOptions({ query: { limit: FOLDER_PAGE_SIZE, offset } });
  const { data: first } = useQuery(page(0));
  const more = Math.max(0, Math.ceil((first?.total ?? 0) / FOLDER_PAGE_SIZE) - 1);
  const rest = useQueries({
    queries: Array.from({ length: more }, (_, index) => page((index + 1) * FOLDER_PAGE_SIZE)),
    combine: joinFolderPages,
  });
  const rows = useMemo(() => [...(first?.data ?? []), ...rest], [first, rest]);
  const folders = useMemo(() => listFolderPaths(rows), [rows]);
  return { rows, folders, isLoaded: first !== undefined && rows.length >= first.total };
}
