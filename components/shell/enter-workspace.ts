import { chooseWorkspace } from '@/components/client/workspace';

/**
 * The corresponding page in another workspace: the same list or settings page; for a single workflow or run, its list.
 */
export const placeLike = (path: string): string =>
  path.startsWith('/settings') ? path : `/${path.split('/')[1] || 'workflows'}`;

/** Switches the workspace with a full page load, because all loaded data belongs to the old one. */
export function enterWorkspace(id: string, path = placeLike(location.pathname)): void {
  chooseWorkspace(id);
  location.assign(path);
}
