import type { Action, Resource } from '@/contract/security';
import type { RolePermission } from '@/contract/role';

/** What can be done with each resource. */
export const MATRIX: Record<Resource, Action[]> = {
  workflow: ['read', 'create', 'update', 'delete', 'execute'],
  execution: ['read', 'cancel', 'resume', 'rerun'],
  credential: ['read', 'create', 'update', 'delete', 'use'],
  webhook: ['read', 'create', 'update', 'delete'],
  schedule: ['read', 'create', 'update', 'delete'],
  connector: ['read', 'update', 'use'],
  workspace: ['read', 'update'],
  member: ['read', 'create', 'update', 'delete'],
  role: ['read', 'create', 'update', 'delete', 'assign'],
  api_key: ['read', 'create', 'delete'],
  sso_provider: ['read', 'create', 'update', 'delete'],
  audit: ['read', 'export'],
};

const isPlain = ({ conditions }: RolePermission) => !conditions?.length;

/** Whether a role has it by itself and without conditions; `wide`: by a `*` that cannot be taken away here alone. */
export function grantOf(
  permissions: RolePermission[],
  resource: Resource | '*',
  action: Action | '*',
): 'own' | 'wide' | null {
  const plain = permissions.filter(isPlain);
  if (plain.some((held) => held.resource === resource && held.action === action)) return 'own';
  const isCovered = plain.some(
    (held) => (held.resource === '*' || held.resource === resource) && (held.action === '*' || held.action === action),
  );
  return isCovered ? 'wide' : null;
}

/** Gives or takes it. Permissions with conditions stay as they are. */
export function toggled(
  permissions: RolePermission[],
  resource: Resource | '*',
  action: Action | '*',
): RolePermission[] {
  if (grantOf(permissions, resource, action) !== 'own') return [...permissions, { resource, action }];
  return permissions.filter((held) => !(isPlain(held) && held.resource === resource && held.action === action));
}

/** "api_key" → "api key". */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');

/** A permission as a sentence would say it. */
export function permissionText({ resource, action, conditions = [] }: RolePermission): string {
  const what = `${action === '*' ? 'anything' : action} with ${resource === '*' ? 'everything' : wordsOf(resource)}`;
  const where = conditions.map(
    ({ attribute, operator, value, valueFrom }) => `${attribute} ${operator} ${valueFrom ?? JSON.stringify(value)}`,
  );
  return where.length > 0 ? `${what}, where ${where.join(' and ')}` : what;
}
