import type { Action, Resource } from '@/contract/access/security';
import { useMe } from './useMe';

/** A permission in the notation of the service. */
export type Right = `${Resource}:${Action}`;

/** Whether a permission is held on all objects, on some, or on none. */
export type Hold = 'all' | 'some' | 'none';

/**
 * The permissions of the caller in this workspace. They only decide what the page offers; the service checks each call.
 * Until they are loaded everything is offered, so that buttons don't flicker.
 */
export function useCan(): (right: Right) => Hold {
  const { workspace } = useMe();
  return (right) => {
    if (!workspace || workspace.permissions.includes(right)) return 'all';
    return workspace.conditionalPermissions.includes(right) ? 'some' : 'none';
  };
}
