import { SystemRole, type Action, type Permission, type Resource } from '@/contract/security';

/** Every permission a system role has by itself, as `resource: actions`; `inherits` adds another role's. */
interface RoleRule {
  inherits?: SystemRole;
  grants: Partial<Record<Resource | '*', (Action | '*')[]>>;
}

const RULES: Record<SystemRole, RoleRule> = {
  viewer: {
    grants: {
      workflow: ['read'],
      execution: ['read'],
      schedule: ['read'],
      webhook: ['read'],
      connector: ['read'],
      credential: ['read'],
      workspace: ['read'],
    },
  },
  operator: { inherits: 'viewer', grants: { workflow: ['execute'], execution: ['cancel', 'resume', 'rerun'] } },
  editor: {
    inherits: 'operator',
    grants: { workflow: ['*'], credential: ['*'], webhook: ['*'], schedule: ['*'], connector: ['use'] },
  },
  admin: {
    inherits: 'editor',
    grants: {
      connector: ['*'],
      workspace: ['update'],
      member: ['*'],
      role: ['*'],
      api_key: ['*'],
      sso_provider: ['*'],
      audit: ['*'],
    },
  },
  owner: { grants: { '*': ['*'] } },
};

const ownPermissions = ({ grants }: RoleRule): Permission[] =>
  Object.entries(grants).flatMap(([resource, actions]) =>
    actions.map((action) => ({ resource: resource as Permission['resource'], action })),
  );

function permissionsOf(role: SystemRole): Permission[] {
  const rule = RULES[role];
  return [...(rule.inherits ? permissionsOf(rule.inherits) : []), ...ownPermissions(rule)];
}

/** The same id in every workspace of every installation. */
export const systemRoleId = (role: SystemRole): string => `role_${role}-`.padEnd(29, '0');

/** Strongest first. */
export const SYSTEM_ROLES: { id: string; name: SystemRole; permissions: Permission[] }[] = SystemRole.options.map(
  (name) => ({ id: systemRoleId(name), name, permissions: permissionsOf(name) }),
);

/** What the holder of these roles may do. Ids that are no role give nothing. */
export function rightsOf(roleIds: readonly string[]): { roles: SystemRole[]; permissions: Permission[] } {
  const held = SYSTEM_ROLES.filter(({ id }) => roleIds.includes(id));
  return { roles: held.map(({ name }) => name), permissions: held.flatMap(({ permissions }) => permissions) };
}

const covers = (held: Permission, wanted: Permission): boolean =>
  (held.resource === '*' || held.resource === wanted.resource) && (held.action === '*' || held.action === wanted.action);

export const isAllowed = (permissions: readonly Permission[], resource: Resource, action: Action): boolean =>
  permissions.some((held) => covers(held, { resource, action }));

/** Nobody can give what they don't have. */
export const canGrant = (mine: readonly Permission[], role: SystemRole): boolean =>
  permissionsOf(role).every((wanted) => mine.some((held) => covers(held, wanted)));
