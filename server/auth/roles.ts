import type { RolePermission } from '@/contract/role';
import type { Permission } from '@/contract/security';
import type { Role as Row } from '@/generated/prisma/client';
import { forbidden, invalidField } from '../api/problem';
import type { Db } from '../db/client';
import type { Caller } from './caller';
import { canGrant, systemRole, SYSTEM_ROLES } from './permissions';

/** A role of a workspace, of the system or its own. */
export interface AnyRole {
  id: string;
  name: string;
  description: string;
  inherits: string[];
  permissions: RolePermission[];
  /** Its own row; null for system roles. */
  row: Row | null;
}

const custom = (row: Row): AnyRole => ({ ...row, permissions: row.permissions as unknown as RolePermission[], row });

const DESCRIPTIONS: Record<string, string> = {
  owner: 'Everything, ownership and deletion included',
  admin: 'Also members, roles, keys, sign-in, audit and settings',
  editor: 'Also makes and changes workflows, credentials, webhooks and schedules',
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

/** Every role that can be held in a workspace: the five of the system, then its own by name. */
export async function rolesOf(db: Db, workspaceId: string): Promise<AnyRole[]> {
  const rows = await db.role.findMany({ where: { workspaceId }, orderBy: { name: 'asc' } });
  return [...SYSTEM, ...rows.map(custom)];
}

/** A workspace's role by id or name; null: there is none. */
export async function findRole(db: Db, workspaceId: string, idOrName: string): Promise<AnyRole | null> {
  const system = SYSTEM.find(({ id, name }) => id === idOrName || name === idOrName);
  if (system) return system;
  const row = await db.role.findFirst({ where: { workspaceId, OR: [{ id: idOrName }, { name: idOrName }] } });
  return row && custom(row);
}

/** All that a role permits: its own permissions and those of its lineage. */
export function permissionsOfRole(roles: readonly AnyRole[], role: AnyRole): Permission[] {
  const lineage = role.row ? lineageOf(roles, role.inherits) : [];
  return [role, ...roles.filter(({ id }) => lineage.includes(id))].flatMap(({ permissions }) => permissions);
}

/** Ids of roles that are inherited, near or far, through `inherits`. Each once, whatever cycles there are. */
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
 * Whether the caller may hand this role out, or take it away. Throws 403: nobody can grant what they don't have, nor
 * strip those who have more.
 */
export function requireGrantable(caller: Caller, permissions: readonly Permission[], on?: Permission['on']): void {
  if (!canGrant(caller.permissions, permissions, on)) {
    throw forbidden('You can’t give or take permissions that you don’t have yourself.');
  }
}

/**
 * The roles that a request names by id or name, checked: each is one of the workspace's, and the caller may hand it
 * out. `field` is the request's, for the 400 that an unknown name gets.
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

/** One after the other: changes of a workspace's roles, so that two together can't close a cycle. Until the commit. */
export const lockRoles = (db: Db, workspaceId: string) =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`roles:${workspaceId}`}, 0))`;

/** Writes the lineage of every role of a workspace anew, after a change of who inherits from whom. */
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
