import { ACTIONS, Resource, SystemRole, type Action, type Permission } from '@/contract/security';
import type { Db } from '../db/client';
import { covers } from './conditions';

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

const SYSTEM_ROLE_OF = new Map(SYSTEM_ROLES.map((role) => [role.id, role]));

/** The system role with this id. */
export const systemRole = (id: string) => SYSTEM_ROLE_OF.get(id);

/** A role that somebody holds, as `HELD_ROLES` reads it. */
export interface HeldRole {
  roleId: string;
  /** Null for system roles. */
  name: string | null;
  /** Ids of the roles whose permissions it has; null for system roles. */
  lineage: string[] | null;
  /** Permissions of the custom roles in its lineage. */
  permissions: Permission[][] | null;
  /** The object it is held on; null: in the whole workspace. */
  type: Resource | null;
  id: string | null;
}

/**
 * SQL: the roles that a member holds, as one JSON value, for statements that find out who calls. `workspace` and
 * `user` are SQL expressions.
 */
export const heldRoles = (workspace: string, user: string) => `
  SELECT json_agg(json_build_object('roleId', a.role_id, 'type', a.resource_type, 'id', a.resource_id, 'name', r.name,
    'lineage', r.lineage, 'permissions', (
      SELECT json_agg(l.permissions) FROM role l WHERE l.workspace_id = r.workspace_id AND l.id = ANY(r.lineage)
    ))) AS held
  FROM role_assignment a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = a.workspace_id
  WHERE a.workspace_id = ${workspace} AND a.user_id = ${user}`;

/** The roles that a member holds now. */
export async function heldByMember(db: Db, workspaceId: string, userId: string): Promise<HeldRole[]> {
  const [row] = await db.$queryRawUnsafe<{ held: HeldRole[] | null }[]>(heldRoles('$1', '$2'), workspaceId, userId);
  return row?.held ?? [];
}

/** What a person may do in each of their workspaces, by workspace. */
export async function rightsEverywhere(db: Db, userId: string): Promise<Map<string, ReturnType<typeof rightsOf>>> {
  const rows = await db.$queryRawUnsafe<{ id: string; held: HeldRole[] | null }[]>(
    `SELECT m.workspace_id AS id, r.held FROM member m
     LEFT JOIN LATERAL (${heldRoles('m.workspace_id', 'm.user_id')}) r ON true WHERE m.user_id = $1`,
    userId,
  );
  return new Map(rows.map(({ id, held }) => [id, rightsOf(held ?? [])]));
}

/** What the holder of these roles may do, and the names of those held in the whole workspace, system roles first. */
export function rightsOf(held: readonly HeldRole[]): { roles: string[]; permissions: Permission[] } {
  const everywhere = held.filter(({ type }) => type === null);
  return {
    roles: [
      ...SYSTEM_ROLES.filter(({ id }) => everywhere.some(({ roleId }) => roleId === id)).map(({ name }) => name),
      ...everywhere.flatMap(({ name }) => name ?? []).sort(),
    ],
    permissions: held.flatMap(permissionsHeld),
  };
}

function permissionsHeld({ roleId, lineage, permissions, type, id }: HeldRole): Permission[] {
  const own = [roleId, ...(lineage ?? [])].flatMap((roleOf) => systemRole(roleOf)?.permissions ?? []);
  const all = [...own, ...(permissions ?? []).flat()];
  return type && id ? all.map((permission) => ({ ...permission, on: { type, id } })) : all;
}

/** Whether the action is allowed on whatever object there is: by a permission without conditions, on no one object. */
export const isAllowed = (
  permissions: readonly Permission[],
  resource: Resource | '*',
  action: Action | '*',
): boolean => permissions.some((held) => !held.conditions?.length && !held.on && covers(held, resource, action));

/** Permissions in full, as `resource:action`: those that hold on whatever object, and those on some only. */
export function permitted(permissions: readonly Permission[]): {
  permissions: string[];
  conditionalPermissions: string[];
} {
  const all = Resource.options.flatMap((resource) =>
    ACTIONS[resource].map((action) => ({ word: `${resource}:${action}`, resource, action })),
  );
  const known = all.filter(({ resource, action }) => permissions.some((held) => covers(held, resource, action)));
  const whole = known.filter(({ resource, action }) => isAllowed(permissions, resource, action));
  const partly = known.filter((one) => !whole.includes(one));
  return { permissions: whole.map(({ word }) => word), conditionalPermissions: partly.map(({ word }) => word) };
}

/**
 * Nobody can give what they don't have: each permission must be held without conditions, or under the very same ones.
 * `on`: the object that it shall be given on.
 */
export const canGrant = (mine: readonly Permission[], wanted: readonly Permission[], on?: Permission['on']): boolean =>
  wanted.every(({ resource, action, conditions = [] }) =>
    mine.some(
      (held) =>
        covers(held, resource, action) &&
        (!held.on || (held.on.type === on?.type && held.on.id === on.id)) &&
        (!held.conditions?.length || JSON.stringify(held.conditions) === JSON.stringify(conditions)),
    ),
  );
