const KEY = 'weft.workspace';

/** The workspace that this browser works in; null: the person's first. */
export const chosenWorkspace = (): string | null => localStorage.getItem(KEY);

export function chooseWorkspace(id: string | null): void {
  if (id === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, id);
}

export const workspaceHeader = (): Record<string, string> => {
  const id = chosenWorkspace();
  return id === null ? {} : { 'x-workspace-id': id };
};
