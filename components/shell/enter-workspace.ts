import { storeChosenWorkspace } from '@/components/client/chosen-workspace';

/**
 * The corresponding page in another workspace: the same list or settings page; for a single workflow or run, its list.
 */
export const pathInOtherWorkspace = (path: string): string =>
  path.startsWith('/settings') ? path : `/${path.split('/')[1] || 'workflows'}`;

/** Switches the workspace with a full page load, because all loaded data belongs to the old one. */
export function enterWorkspace(id: string, path = pathInOtherWorkspace(location.pathname)): void {
  storeChosenWorkspace(id);
  location.assign(path);
}
