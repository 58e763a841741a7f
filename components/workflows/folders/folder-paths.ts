import type { FolderResponse } from '@/contract/workflows/folder';

/** Folders by their whole path such as `Sales / Leads`, in alphabetical order. */
export function listFolderPaths(folders: FolderResponse[]): { id: string; path: string }[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = ({ name, parentId }: FolderResponse): string => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent ? `${pathOf(parent)} / ${name}` : name;
  };
  return folders
    .map((folder) => ({ id: folder.id, path: pathOf(folder) }))
    .toSorted((one, other) => one.path.localeCompare(other.path));
}
