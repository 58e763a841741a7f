import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import type { RoleResponse, RolePermission } from '@/contract/access/role';
import { readableActionName, readableResourceName } from '@/components/client/permission-words';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
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

/** The options of a selection of a resource. */
export const toResourceOptions = <Resource extends string>(resources: readonly Resource[]) =>
  resources.map((value) => ({ value, label: startWithCapital(readableResourceName(value)) }));

/** The options of a selection of an action. */
export const toActionOptions = (actions: readonly PermissionAction[]) =>
  actions.map((value) => ({ value, label: startWithCapital(readableActionName(value)) }));

/** A permission in words: "update workflow, where its status is draft". */
export function describePermission({ resource, action, conditions = [] }: RolePermission): string {
  const what = `${action === '*' ? 'all actions on' : readableActionName(action)} ${resource === '*' ? 'everything' : readableResourceName(resource)}`;
  const where = conditions.map(writeCondition);
  return where.length > 0 ? `${what}, where ${where.join(' and ')}` : what;
}
