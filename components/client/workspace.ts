const KEY = 'weft.workspace';

/** The workspace chosen in this browser; null: the first one of the person. */
export const chosenWorkspace = (): string | null => localStorage.getItem(KEY);

export function chooseWorkspace(id: string | null): void {
  if (id === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, id);
}

export const workspaceHeader = (): Record<string, string> => {
  const id = chosenWorkspace();
  return id === null ? {} : { 'x-workspace-id': id };
};
