import type { Action, Resource } from '@/contract/security';
import { useMe } from './useMe';

/** A permission, as the service names it. */
export type Right = `${Resource}:${Action}`;

/** Whether a right is held: on everything, on some objects only, or on none. */
export type Hold = 'all' | 'some' | 'none';

/**
 * What the caller may do in this workspace. The service decides again at each call; this is for what the page offers.
 * Until it is known nothing is held back, so that no button blinks.
 */
export function useCan(): (right: Right) => Hold {
  const { workspace } = useMe();
  return (right) => {
    if (!workspace || workspace.permissions.includes(right)) return 'all';
    return workspace.conditionalPermissions.includes(right) ? 'some' : 'none';
  };
}
