import type { FolderResponse } from '@/contract/workflows/folder';

type NamedFolder = Pick<FolderResponse, 'id' | 'name' | 'parentId'>;

/** The folders from the top level down to this one, which is the last. Empty: it is not in the list. */
export function folderTrail<Folder extends NamedFolder>(folders: readonly Folder[], id: string | null): Folder[] {
  const folder = folders.find((one) => one.id === id);
  return folder ? [...folderTrail(folders, folder.parentId), folder] : [];
}

/** The folders in this one, by name. Null: those at the top level, with those whose parent is not in the list. */
export const listSubfolders = <Folder extends NamedFolder>(folders: readonly Folder[], id: string | null): Folder[] =>
  folders
    .filter(({ parentId }) => (folders.some((one) => one.id === parentId) ? parentId : null) === id)
    .toSorted((one, other) => one.name.localeCompare(other.name));

/** Folders by their whole path such as `Sales / Leads`, in alphabetical order. */
export function listFolderPaths(folders: readonly NamedFolder[]): { id: string; path: string }[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = ({ name, parentId }: NamedFolder): string => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent ? `${pathOf(parent)} / ${name}` : name;
  };
  return folders
    .map((folder) => ({ id: folder.id, path: pathOf(folder) }))
    .toSorted((one, other) => one.path.localeCompare(other.path));
}
