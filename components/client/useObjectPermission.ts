import { useQuery } from '@tanstack/react-query';
import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import { useTRPC } from './trpc';
import { usePermissions } from './usePermissions';

/**
 * Whether the caller has a permission on one object; undefined while loading. The service is asked only if a condition
 * or a role on single objects decides.
 */
export function useObjectPermission(
  resource: PermissionResource,
  action: PermissionAction,
  resourceId: string,
): boolean | undefined {
  const trpc = useTRPC();
  const hold = usePermissions()(`${resource}:${action}`);
  const { data, isError } = useQuery(
    trpc.rbac.check.queryOptions({ query: { resource, action, resourceId } }, { enabled: hold === 'some' }),
  );
  if (hold !== 'some') return hold === 'all';
  return isError ? false : data?.allowed;
}
