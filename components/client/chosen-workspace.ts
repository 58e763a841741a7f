const WORKSPACE_STORAGE_KEY = 'weft.workspace';

/** The workspace chosen in this browser; null: the first one of the person. */
export const readChosenWorkspace = (): string | null => localStorage.getItem(WORKSPACE_STORAGE_KEY);

export function storeChosenWorkspace(id: string | null): void {
  if (id === null) localStorage.removeItem(WORKSPACE_STORAGE_KEY);
  else localStorage.setItem(WORKSPACE_STORAGE_KEY, id);
}

export const workspaceHeader = (): Record<string, string> => {
  const id = readChosenWorkspace();
  return id === null ? {} : { 'x-workspace-id': id };
};
