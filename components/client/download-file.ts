import { saveBlobAs } from './files';
import { workspaceHeader } from './chosen-workspace';

/** Downloads a file of the chosen workspace. A plain link can't send the workspace header. Throws when refused. */
export async function downloadWorkspaceFile(path: string, name: string): Promise<void> {
  // oxlint-disable-next-line no-restricted-globals -- the rule is about servers; a browser reaches its own service by this
  const response = await fetch(path, { headers: workspaceHeader() });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  saveBlobAs(await response.blob(), name);
}
