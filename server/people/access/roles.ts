import type { RolePermission } from '@/contract/access/role';
import type { ScopedPermission } from '@/contract/access/security';
import type { Role as Row } from '@/generated/prisma/client';
import { forbiddenProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller } from './caller';
import { canGrantPermissions, findSystemRole, SYSTEM_ROLES } from './permissions';

/** A system role or a custom role of a workspace. */
export interface WorkspaceRole {
  id: string;
  name: string;
  description: string;
  inherits: string[];
  permissions: RolePermission[];
  /** The row of a custom role; null for system roles. */
  row: Row | null;
}

const toCustomRole = (row: Row): WorkspaceRole => ({
  ...row,
  permissions: row.permissions as unknown as RolePermission[],
  row,
});

const SYSTEM_ROLE_DESCRIPTIONS: Record<string, string> = {
  owner: 'Everything, ownership and deletion included',
  admin: 'Also members, roles, keys, sign-in, audit and settings',
  editor: 'Also creates and changes workflows, credentials, webhooks, schedules and polls',
  operator: 'Also runs workflows and decides approvals',
  viewer: 'Sees workflows, runs and names of credentials',
};

const SYSTEM_WORKSPACE_ROLES: WorkspaceRole[] = SYSTEM_ROLES.map(({ id, name, permissions }) => ({
  id,
  name,
  description: SYSTEM_ROLE_DESCRIPTIONS[name] ?? '',
  inherits: [],
  permissions,
  row: null,
}));

/** Every role that can be held in a workspace: the five system roles, then custom roles by name. */
export async function listWorkspaceRoles(db: DatabaseClient, workspaceId: string): Promise<WorkspaceRole[]> {
  const rows = await db.role.findMany({ where: { workspaceId }, orderBy: { name: 'asc' } });
  return [...SYSTEM_WORKSPACE_ROLES, ...rows.map(toCustomRole)];
}

/** A role by id or name; null if the workspace has none. */
export async function findWorkspaceRole(
  db: DatabaseClient,
  workspaceId: string,
  idOrName: string,
): Promise<WorkspaceRole | null> {
  const system = SYSTEM_WORKSPACE_ROLES.find(({ id, name }) => id === idOrName || name === idOrName);
  if (system) return system;
  const row = await db.role.findFirst({ where: { workspaceId, OR: [{ id: idOrName }, { name: idOrName }] } });
  return row && toCustomRole(row);
}

/** All permissions of a role: its own and those of its lineage. */
export function listRolePermissions(roles: readonly WorkspaceRole[], role: WorkspaceRole): ScopedPermission[] {
  const lineage = role.row ? inheritedRoleIds(roles, role.inherits) : [];
  return [role, ...roles.filter(({ id }) => lineage.includes(id))].flatMap(({ permissions }) => permissions);
}

/** Ids of roles that are inherited, directly or indirectly, through `inherits`. Each id once, cycles included. */
export function inheritedRoleIds(roles: readonly WorkspaceRole[], inherits: readonly string[]): string[] {
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
export function requireGrantablePermissions(
  caller: WorkspaceCaller,
  permissions: readonly ScopedPermission[],
  on?: ScopedPermission['on'],
): void {
  if (!canGrantPermissions(caller.permissions, permissions, on)) {
    throw forbiddenProblem('You can’t grant or withdraw permissions that you don’t have.');
  }
}

/**
 * The roles that a request names by id or name. Each is a role of the workspace that the caller may assign. `field` is
 * the request's field, for the 400 on unknown names.
 */
export async function requireGrantableRoles(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  names: readonly string[],
  field: string,
): Promise<WorkspaceRole[]> {
  const roles = await listWorkspaceRoles(db, caller.workspaceId);
  return names.map((name, index) => {
    const role = roles.find((one) => one.id === name) ?? roles.find((one) => one.name === name);
    if (!role)
      throw invalidFieldProblem(names.length > 1 ? `${field}[${index}]` : field, 'is not a role of this workspace');
    requireGrantablePermissions(caller, listRolePermissions(roles, role));
    return role;
  });
}

/** Serializes changes of a workspace's roles until the commit, so that two of them cannot close a cycle. */
export const lockWorkspaceRoles = (db: DatabaseClient, workspaceId: string) =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`roles:${workspaceId}`}, 0))`;

/** Recomputes the lineage of every role of a workspace, after a change of `inherits`. */
export async function renewRoleLineages(db: DatabaseClient, workspaceId: string): Promise<void> {
  const roles = await listWorkspaceRoles(db, workspaceId);
  for (const { id, inherits, row } of roles) {
    const lineage = [id, ...inheritedRoleIds(roles, inherits)];
    if (row && JSON.stringify(row.lineage) !== JSON.stringify(lineage)) {
      await db.role.update({ where: { id }, data: { lineage } });
    }
  }
}

export const isSystemRoleId = (id: string): boolean => findSystemRole(id) !== undefined;
