import { systemRoleId } from '@/server/platform/db/system-role-id';
import {
  ACTIONS_BY_RESOURCE,
  PermissionResource,
  SystemRole,
  type PermissionAction,
  type ScopedPermission,
} from '@/contract/access/security';
import type { DatabaseClient } from '@/server/platform/db/client';
import { permissionCovers } from './conditions';

/** Permissions that each system role has itself, as `resource: actions`; `inherits` adds those of another role. */
interface RoleRule {
  inherits?: SystemRole;
  grants: Partial<Record<PermissionResource | '*', (PermissionAction | '*')[]>>;
}

const SYSTEM_ROLE_RULES: Record<SystemRole, RoleRule> = {
  viewer: {
    grants: {
      workflow: ['read'],
      execution: ['read'],
      schedule: ['read'],
      poll: ['read'],
      webhook: ['read'],
      form: ['read'],
      chat: ['read'],
      connector: ['read'],
      credential: ['read'],
      variable: ['read'],
      table: ['read'],
      workspace: ['read'],
    },
  },
  operator: {
    inherits: 'viewer',
    grants: { workflow: ['execute'], execution: ['update', 'cancel', 'resume', 'rerun'] },
  },
  editor: {
    inherits: 'operator',
    grants: {
      workflow: ['*'],
      credential: ['*'],
      webhook: ['*'],
      form: ['*'],
      chat: ['*'],
      schedule: ['*'],
      poll: ['*'],
      alert: ['*'],
      variable: ['*'],
      table: ['*'],
      connector: ['use'],
    },
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

const ruleOwnPermissions = ({ grants }: RoleRule): ScopedPermission[] =>
  Object.entries(grants).flatMap(([resource, actions]) =>
    actions.map((action) => ({ resource: resource as ScopedPermission['resource'], action })),
  );

function systemRolePermissions(role: SystemRole): ScopedPermission[] {
  const rule = SYSTEM_ROLE_RULES[role];
  return [...(rule.inherits ? systemRolePermissions(rule.inherits) : []), ...ruleOwnPermissions(rule)];
}

/** The system roles, strongest first. */
export const SYSTEM_ROLES: { id: string; name: SystemRole; permissions: ScopedPermission[] }[] = SystemRole.options.map(
  (name) => ({ id: systemRoleId(name), name, permissions: systemRolePermissions(name) }),
);

const SYSTEM_ROLES_BY_ID = new Map(SYSTEM_ROLES.map((role) => [role.id, role]));

/** The system role with this id. */
export const findSystemRole = (id: string) => SYSTEM_ROLES_BY_ID.get(id);

/** A role held by a member, as `HELD_ROLES` selects it. */
export interface HeldRole {
  roleId: string;
  /** Null for system roles. */
  name: string | null;
  /** Ids of the roles whose permissions it has; null for system roles. */
  lineage: string[] | null;
  /** Permissions of the custom roles in its lineage. */
  permissions: ScopedPermission[][] | null;
  /** The object that the role is held on; null: the whole workspace. */
  type: PermissionResource | null;
  id: string | null;
}

/**
 * SQL: the roles of a member as one JSON value, for statements that authenticate a caller. `workspace` and `user` are
 * SQL expressions.
 */
export const heldRolesSql = (workspace: string, user: string) => `
  SELECT json_agg(json_build_object('roleId', a.role_id, 'type', a.resource_type, 'id', a.resource_id, 'name', r.name,
    'lineage', r.lineage, 'permissions', (
      SELECT json_agg(l.permissions) FROM role l WHERE l.workspace_id = r.workspace_id AND l.id = ANY(r.lineage)
    ))) AS held
  FROM role_assignment a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = a.workspace_id
  WHERE a.workspace_id = ${workspace} AND a.user_id = ${user}`;

/** The current roles of a member. */
export async function findHeldRoles(db: DatabaseClient, workspaceId: string, userId: string): Promise<HeldRole[]> {
  const [row] = await db.$queryRawUnsafe<{ held: HeldRole[] | null }[]>(heldRolesSql('$1', '$2'), workspaceId, userId);
  return row?.held ?? [];
}

/** The permissions of a user in each of their workspaces, by workspace id. */
export async function findRightsByWorkspace(
  db: DatabaseClient,
  userId: string,
): Promise<Map<string, ReturnType<typeof combineRoleRights>>> {
  const rows = await db.$queryRawUnsafe<{ id: string; held: HeldRole[] | null }[]>(
    `SELECT m.workspace_id AS id, r.held FROM member m
     LEFT JOIN LATERAL (${heldRolesSql('m.workspace_id', 'm.user_id')}) r ON true WHERE m.user_id = $1`,
    userId,
  );
  return new Map(rows.map(({ id, held }) => [id, combineRoleRights(held ?? [])]));
}

/** The permissions that these roles give, and the names of those held in the whole workspace, system roles first. */
export function combineRoleRights(assignments: readonly HeldRole[]): {
  roles: string[];
  permissions: ScopedPermission[];
} {
  const everywhere = assignments.filter(({ type }) => type === null);
  return {
    roles: [
      ...SYSTEM_ROLES.filter(({ id }) => everywhere.some(({ roleId }) => roleId === id)).map(({ name }) => name),
      ...everywhere.flatMap(({ name }) => name ?? []).sort(),
    ],
    permissions: assignments.flatMap(heldRolePermissions),
  };
}

function heldRolePermissions({ roleId, lineage, permissions, type, id }: HeldRole): ScopedPermission[] {
  const own = [roleId, ...(lineage ?? [])].flatMap((roleOf) => findSystemRole(roleOf)?.permissions ?? []);
  const all = [...own, ...(permissions ?? []).flat()];
  return type && id ? all.map((permission) => ({ ...permission, on: { type, id } })) : all;
}

/** Whether the action is allowed on every object: by a permission without conditions and not limited to one object. */
export const isAllowedOnEveryObject = (
  permissions: readonly ScopedPermission[],
  resource: PermissionResource | '*',
  action: PermissionAction | '*',
): boolean =>
  permissions.some(
    (permission) => !permission.conditions?.length && !permission.on && permissionCovers(permission, resource, action),
  );

/** Permissions in full, as `resource:action`: those that apply to every object, and those that apply to some. */
export function summarizePermissions(permissions: readonly ScopedPermission[]): {
  permissions: string[];
  conditionalPermissions: string[];
} {
  const all = PermissionResource.options.flatMap((resource) =>
    ACTIONS_BY_RESOURCE[resource].map((action) => ({ word: `${resource}:${action}`, resource, action })),
  );
  const covered = all.filter(({ resource, action }) =>
    permissions.some((permission) => permissionCovers(permission, resource, action)),
  );
  const whole = covered.filter(({ resource, action }) => isAllowedOnEveryObject(permissions, resource, action));
  const partly = covered.filter((one) => !whole.includes(one));
  return { permissions: whole.map(({ word }) => word), conditionalPermissions: partly.map(({ word }) => word) };
}

/**
 * The single permissions that a permission covers: `*:read` becomes one per resource. `*:*` stays whole: it belongs to
 * owners and includes permissions of later versions.
 */
function singlePermissions({ resource, action }: ScopedPermission): Pick<ScopedPermission, 'resource' | 'action'>[] {
  if (resource === '*' && action === '*') return [{ resource, action }];
  if (resource !== '*') {
    return action === '*'
      ? ACTIONS_BY_RESOURCE[resource].map((one) => ({ resource, action: one }))
      : [{ resource, action }];
  }
  return PermissionResource.options
    .filter((one) => ACTIONS_BY_RESOURCE[one].some((existing) => existing === action))
    .map((one) => ({ resource: one, action }));
}

/**
 * Members cannot grant permissions that they do not have: all that a permission covers must be held without conditions,
 * or under the same conditions. `on`: the object of the grant.
 */
export function canGrantPermissions(
  mine: readonly ScopedPermission[],
  requested: readonly ScopedPermission[],
  on?: ScopedPermission['on'],
): boolean {
  const isHeld = (
    part: Pick<ScopedPermission, 'resource' | 'action'>,
    conditions: ScopedPermission['conditions'] = [],
  ) =>
    mine.some(
      (held) =>
        permissionCovers(held, part.resource, part.action) &&
        (!held.on || (held.on.type === on?.type && held.on.id === on.id)) &&
        (!held.conditions?.length || JSON.stringify(held.conditions) === JSON.stringify(conditions)),
    );
  return requested.every((permission) =>
    singlePermissions(permission).every((part) => isHeld(part, permission.conditions)),
  );
}
