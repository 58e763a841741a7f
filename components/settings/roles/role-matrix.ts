import type { Action, Resource } from '@/contract/access/security';
import type { Role, RolePermission } from '@/contract/access/role';
import { conditionText } from './comparison';

const isPlain = ({ conditions }: RolePermission) => !conditions?.length;

/** The source of a permission: own, covered by an own `*`, or inherited. */
export type Grant = 'own' | 'wide' | 'inherited' | null;

/** The source of an unconditional permission. Only own permissions can be removed one by one. */
export function grantOf(
  permissions: RolePermission[],
  resource: Resource | '*',
  action: Action | '*',
  inherited: RolePermission[] = [],
): Grant {
  const plain = permissions.filter(isPlain);
  if (plain.some((held) => held.resource === resource && held.action === action)) return 'own';
  const covers = (held: RolePermission) =>
    (held.resource === '*' || held.resource === resource) && (held.action === '*' || held.action === action);
  if (plain.some(covers)) return 'wide';
  return inherited.filter(isPlain).some(covers) ? 'inherited' : null;
}

/** All inherited permissions; `ids` are the direct parents. */
export function inheritedFrom(roles: Role[], ids: string[], seen = new Set<string>()): RolePermission[] {
  return ids.flatMap((id) => {
    const role = roles.find((one) => one.id === id);
    if (!role || seen.has(id)) return [];
    seen.add(id);
    return [...role.permissions, ...inheritedFrom(roles, role.inherits, seen)];
  });
}

/** Adds or removes a permission. Conditional permissions are not changed. */
export function toggled(
  permissions: RolePermission[],
  resource: Resource | '*',
  action: Action | '*',
): RolePermission[] {
  if (grantOf(permissions, resource, action) !== 'own') return [...permissions, { resource, action }];
  return permissions.filter((held) => !(isPlain(held) && held.resource === resource && held.action === action));
}

/** "api_key" → "API key". */
export const wordsOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/^(?:api|sso)\b/, (word) => word.toUpperCase());

/** A permission in words: "update workflow, where its status is draft". */
export function permissionText({ resource, action, conditions = [] }: RolePermission): string {
  const what = `${action === '*' ? 'all actions on' : action} ${resource === '*' ? 'everything' : wordsOf(resource)}`;
  const where = conditions.map(conditionText);
  return where.length > 0 ? `${what}, where ${where.join(' and ')}` : what;
}
