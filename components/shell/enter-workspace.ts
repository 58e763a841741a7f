import { chooseWorkspace } from '../client/workspace';

/**
 * The place in another workspace that is most like this one: the same list or settings; from a workflow or run, which
 * the other doesn't have, the list of them.
 */
export const placeLike = (path: string): string =>
  path.startsWith('/settings') ? path : `/${path.split('/')[1] || 'workflows'}`;

/** Goes on in another workspace. Everything on the page belongs to the one left, so all of it is loaded afresh. */
export function enterWorkspace(id: string, path = placeLike(location.pathname)): void {
  chooseWorkspace(id);
  location.assign(path);
}
