import type { ApiKeyScope } from '@/contract/access/api-key';
import { PermissionResource, type ScopedPermission } from '@/contract/access/security';
import { intersectPermissions } from './conditions';

const RESOURCES_HIDDEN_FROM_READ: PermissionResource[] = ['member', 'sso_provider', 'api_key', 'audit'];
const WRITE_SCOPE_RESOURCES: PermissionResource[] = [
  'workflow',
  'execution',
  'credential',
  'webhook',
  'form',
  'chat',
  'schedule',
  'poll',
  'alert',
  'variable',
  'table',
];
const ADMIN_SCOPE_RESOURCES: PermissionResource[] = ['member', 'role', 'sso_provider', 'api_key', 'audit'];

const allActionsOn = (resources: PermissionResource[]): ScopedPermission[] =>
  resources.map((resource) => ({ resource, action: '*' as const }));

const READ_PERMISSIONS: ScopedPermission[] = PermissionResource.options
  .filter((resource) => !RESOURCES_HIDDEN_FROM_READ.includes(resource))
  .map((resource) => ({ resource, action: 'read' }));

const SCOPE_PERMISSIONS: Record<ApiKeyScope, ScopedPermission[]> = {
  read: READ_PERMISSIONS,
  write: [...READ_PERMISSIONS, ...allActionsOn(WRITE_SCOPE_RESOURCES), { resource: 'connector', action: 'use' }],
  admin: [...READ_PERMISSIONS, ...allActionsOn(ADMIN_SCOPE_RESOURCES)],
  '*': [{ resource: '*', action: '*' }],
};

const isPermissionPart = (part: ScopedPermission, of: ScopedPermission) =>
  (of.resource === '*' || of.resource === part.resource) && (of.action === '*' || of.action === part.action);

/** The permissions of a user, restricted to the scopes of a key. */
export function restrictToScopes(
  permissions: readonly ScopedPermission[],
  scopes: readonly ApiKeyScope[],
): ScopedPermission[] {
  const limits = scopes.flatMap((scope) => SCOPE_PERMISSIONS[scope]);
  return permissions.flatMap((permission) => limits.flatMap((limit) => intersectPermissions(permission, limit) ?? []));
}

/** Whether `mine` allow all that `scopes` allow. */
export const areScopesWithin = (scopes: readonly ApiKeyScope[], mine: readonly ApiKeyScope[]): boolean => {
  const limits = mine.flatMap((scope) => SCOPE_PERMISSIONS[scope]);
  return scopes
    .flatMap((scope) => SCOPE_PERMISSIONS[scope])
    .every((part) => limits.some((limit) => isPermissionPart(part, limit)));
};
