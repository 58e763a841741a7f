import { useQuery } from '@tanstack/react-query';
import type { Action, Resource } from '@/contract/access/security';
import { useTRPC } from './trpc';
import { useCan } from './useCan';

/**
 * Whether the caller has a permission on one object; undefined while loading. The service is asked only if a condition
 * or a role on single objects decides.
 */
export function useMay(resource: Resource, action: Action, resourceId: string): boolean | undefined {
  const trpc = useTRPC();
  const hold = useCan()(`${resource}:${action}`);
  const { data, isError } = useQuery(
    trpc.rbac.check.queryOptions({ query: { resource, action, resourceId } }, { enabled: hold === 'some' }),
  );
  if (hold !== 'some') return hold === 'all';
  return isError ? false : data?.allowed;
}
