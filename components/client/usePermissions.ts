import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import { useCurrentUser } from './useCurrentUser';

/** A permission in the notation of the service. */
export type PermissionName = `${PermissionResource}:${PermissionAction}`;

/** Whether a permission is held on all objects, on some, or on none. */
export type PermissionExtent = 'all' | 'some' | 'none';

/**
 * The permissions of the caller in this workspace. They only decide what the page offers; the service checks each call.
 * Until they are loaded everything is offered, so that buttons don't flicker.
 */
export function usePermissions(): (right: PermissionName) => PermissionExtent {
  const { workspace } = useCurrentUser();
  return (right) => {
    if (!workspace || workspace.permissions.includes(right)) return 'all';
    return workspace.conditionalPermissions.includes(right) ? 'some' : 'none';
  };
}
