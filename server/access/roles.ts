import type { RolePermission } from '@/contract/access/role';
import type { Permission } from '@/contract/access/security';
import type { Role as Row } from '@/generated/prisma/client';
import { forbidden, invalidField } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { canGrant, systemRole, SYSTEM_ROLES } from './permissions';

/** A system role or a custom role of a workspace. */
export interface AnyRole {
  id: string;
  name: string;
  description: string;
  inherits: string[];
  permissions: RolePermission[];
  /** The row of a custom role; null for system roles. */
  row: Row | null;
}

const custom = (row: Row): AnyRole => ({ ...row, permissions: row.permissions as unknown as RolePermission[], row });

const DESCRIPTIONS: Record<string, string> = {
  owner: 'Everything, ownership and deletion included',
  admin: 'Also members, roles, keys, sign-in, audit and settings',
  editor: 'Also creates and changes workflows, credentials, webhooks, schedules and polls',
  operator: 'Also runs workflows and decides approvals',
  viewer: 'Sees workflows, executions and names of credentials',
};

const SYSTEM: AnyRole[] = SYSTEM_ROLES.map(({ id, name, permissions }) => ({
  id,
  name,
  description: DESCRIPTIONS[name] ?? '',
  inherits: [],
  permissions,
  row: null,
}));

/** Every role that can be held in a workspace: the five system roles, then custom roles by name. */
export async function rolesOf(db: Db, workspaceId: string): Promise<AnyRole[]> {
  const rows = await db.role.findMany({ where: { workspaceId }, orderBy: { name: 'asc' } });
  return [...SYSTEM, ...rows.map(custom)];
}

/** A role by id or name; null if the workspace has none. */
export async function findRole(db: Db, workspaceId: string, idOrName: string): Promise<AnyRole | null> {
  const system = SYSTEM.find(({ id, name }) => id === idOrName || name === idOrName);
  if (system) return system;
  const row = await db.role.findFirst({ where: { workspaceId, OR: [{ id: idOrName }, { name: idOrName }] } });
  return row && custom(row);
}

/** All permissions of a role: its own and those of its lineage. */
export function permissionsOfRole(roles: readonly AnyRole[], role: AnyRole): Permission[] {
  const lineage = role.row ? lineageOf(roles, role.inherits) : [];
  return [role, ...roles.filter(({ id }) => lineage.includes(id))].flatMap(({ permissions }) => permissions);
}

/** Ids of roles that are inherited, directly or indirectly, through `inherits`. Each id once, cycles included. */
export function lineageOf(roles: readonly AnyRole[], inherits: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    roles.find((role) => role.id === id)?.inherits.forEach(visit);
  };
  inherits.forEach(visit);
  return [...found];
}

/**
 * Throws 403 unless the caller may assign or withdraw this role: members cannot grant permissions that they do not
 * have, nor withdraw stronger ones.
 */
export function requireGrantable(caller: Caller, permissions: readonly Permission[], on?: Permission['on']): void {
  if (!canGrant(caller.permissions, permissions, on)) {
    throw forbidden('You can’t grant or withdraw permissions that you don’t have.');
  }
}

/**
 * The roles that a request names by id or name. Each is a role of the workspace that the caller may assign. `field` is
 * the request's field, for the 400 on unknown names.
 */
export async function grantableRoles(
  db: Db,
  caller: Caller,
  names: readonly string[],
  field: string,
): Promise<AnyRole[]> {
  const roles = await rolesOf(db, caller.workspaceId);
  return names.map((name, index) => {
    const role = roles.find((one) => one.id === name) ?? roles.find((one) => one.name === name);
    if (!role) throw invalidField(names.length > 1 ? `${field}[${index}]` : field, 'is not a role of this workspace');
    requireGrantable(caller, permissionsOfRole(roles, role));
    return role;
  });
}

/** Serializes changes of a workspace's roles until the commit, so that two of them cannot close a cycle. */
export const lockRoles = (db: Db, workspaceId: string) =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`roles:${workspaceId}`}, 0))`;

/** Recomputes the lineage of every role of a workspace, after a change of `inherits`. */
export async function renewLineages(db: Db, workspaceId: string): Promise<void> {
  const roles = await rolesOf(db, workspaceId);
  for (const { id, inherits, row } of roles) {
    const lineage = [id, ...lineageOf(roles, inherits)];
    if (row && JSON.stringify(row.lineage) !== JSON.stringify(lineage)) {
      await db.role.update({ where: { id }, data: { lineage } });
    }
  }
}

export const isSystemRole = (id: string): boolean => systemRole(id) !== undefined;
