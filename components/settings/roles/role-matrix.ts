import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import type { RoleResponse, RolePermission } from '@/contract/access/role';
import { writeCondition } from './comparison';

const isUnconditional = ({ conditions }: RolePermission) => !conditions?.length;

/** The source of a permission: own, covered by an own `*`, or inherited. */
export type PermissionSource = 'own' | 'wide' | 'inherited' | null;

/** The source of an unconditional permission. Only own permissions can be removed one by one. */
export function permissionSource(
  permissions: RolePermission[],
  resource: PermissionResource | '*',
  action: PermissionAction | '*',
  inherited: RolePermission[] = [],
): PermissionSource {
  const plain = permissions.filter(isUnconditional);
  if (plain.some((held) => held.resource === resource && held.action === action)) return 'own';
  const covers = (held: RolePermission) =>
    (held.resource === '*' || held.resource === resource) && (held.action === '*' || held.action === action);
  if (plain.some(covers)) return 'wide';
  return inherited.filter(isUnconditional).some(covers) ? 'inherited' : null;
}

/** All inherited permissions; `ids` are the direct parents. */
export function inheritedPermissions(roles: RoleResponse[], ids: string[], seen = new Set<string>()): RolePermission[] {
  return ids.flatMap((id) => {
    const role = roles.find((one) => one.id === id);
    if (!role || seen.has(id)) return [];
    seen.add(id);
    return [...role.permissions, ...inheritedPermissions(roles, role.inherits, seen)];
  });
}

/** Adds or removes a permission. Conditional permissions are not changed. */
export function togglePermission(
  permissions: RolePermission[],
  resource: PermissionResource | '*',
  action: PermissionAction | '*',
): RolePermission[] {
  if (permissionSource(permissions, resource, action) !== 'own') return [...permissions, { resource, action }];
  return permissions.filter((held) => !(isUnconditional(held) && held.resource === resource && held.action === action));
}

/** "api_key" → "API key". */
export const readableResourceName = (name: string): string =>
  name.replaceAll('_', ' ').replace(/^(?:api|sso)\b/, (word) => word.toUpperCase());

/** A permission in words: "update workflow, where its status is draft". */
export function describePermission({ resource, action, conditions = [] }: RolePermission): string {
  const what = `${action === '*' ? 'all actions on' : action} ${resource === '*' ? 'everything' : readableResourceName(resource)}`;
  const where = conditions.map(writeCondition);
  return where.length > 0 ? `${what}, where ${where.join(' and ')}` : what;
}
