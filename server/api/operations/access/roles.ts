import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import {
  RoleResponse,
  CreateRoleRequest,
  ListRolesResponse,
  UpdateRoleRequest,
  type RolePermission,
} from '@/contract/access/role';
import { PaginationQuery } from '@/contract/text';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import {
  conflictProblem,
  forbiddenProblem,
  invalidFieldProblem,
  notFoundProblem,
} from '@/server/platform/errors/problem';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import {
  findWorkspaceRole,
  isSystemRoleId,
  inheritedRoleIds,
  lockWorkspaceRoles,
  listRolePermissions,
  renewRoleLineages,
  requireGrantablePermissions,
  listWorkspaceRoles,
  type WorkspaceRole,
} from '@/server/people/access/roles';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';

const ROLE_TAG = 'Roles';
const RoleParams = z.strictObject({ id: z.string() });
/** The limit keeps lists of roles readable and each change fast. */
export const MAX_WORKSPACE_ROLES = 200;

const toRoleResponse = ({ id, name, description, inherits, permissions, row }: WorkspaceRole) => ({
  id,
  name,
  description,
  isSystem: row === null,
  inherits,
  permissions,
  createdAt: row?.createdAt.toISOString() ?? null,
  updatedAt: row?.updatedAt.toISOString() ?? null,
  createdBy: row?.createdBy ?? null,
});

const listRolesOperation = defineOperation({
  id: 'roles.list',
  method: 'GET',
  path: '/api/roles',
  summary: 'List roles: the five system roles, then the workspace’s own',
  tag: ROLE_TAG,
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListRolesResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const roles = await listWorkspaceRoles(db, caller.workspaceId);
    return { data: roles.slice(offset, offset + limit).map(toRoleResponse), total: roles.length, limit, offset };
  },
});

const getRoleOperation = defineOperation({
  id: 'roles.get',
  method: 'GET',
  path: '/api/roles/{id}',
  summary: 'One role',
  tag: ROLE_TAG,
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  params: RoleParams,
  reply: jsonReply(RoleResponse),
  async run({ db, caller }, { params: { id } }) {
    const role = await findWorkspaceRole(db, caller.workspaceId, id);
    if (role?.id !== id) throw notFoundProblem('The role');
    return toRoleResponse(role);
  },
});

const createRoleOperation = defineOperation({
  id: 'roles.create',
  method: 'POST',
  path: '/api/roles',
  summary: 'Make a role',
  description: 'Callers cannot add permissions to a role that they do not have.',
  tag: ROLE_TAG,
  access: memberAccess('role', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateRoleRequest),
  reply: jsonReply(RoleResponse, { status: 201, location: '/api/roles/{id}' }),
  async run({ db, caller, note }, { body }) {
    await lockWorkspaceRoles(db, caller.workspaceId);
    const roles = await listWorkspaceRoles(db, caller.workspaceId);
    if (roles.length >= MAX_WORKSPACE_ROLES)
      throw conflictProblem(`A workspace has at most ${MAX_WORKSPACE_ROLES} roles.`);
    requireFreeRoleName(roles, body.name, null);
    const id = generateId('role');
    const role: WorkspaceRole = { id, ...body, inherits: resolveInheritedRoles(roles, body.inherits), row: null };
    requireOwnPermissions(caller, roles, role.permissions, role.inherits);
    note({ resourceId: id, metadata: { name: body.name } });
    const row = await db.role.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        name: body.name,
        description: body.description,
        inherits: role.inherits,
        permissions: toPermissionsJson(body.permissions),
        lineage: [id, ...inheritedRoleIds(roles, role.inherits)],
        createdBy: caller.userId,
      },
    });
    return toRoleResponse({ ...role, row });
  },
});

const updateRoleOperation = defineOperation({
  id: 'roles.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/roles/{id}',
  summary: 'Change a role',
  description: 'Takes effect with the next call of every holder.',
  tag: ROLE_TAG,
  access: memberAccess('role', 'update'),
  effect: writeEffect('configuration_change'),
  params: RoleParams,
  body: jsonBody(UpdateRoleRequest),
  reply: jsonReply(RoleResponse),
  async run({ db, caller, note }, { params: { id }, body }) {
    note({ resourceId: id, metadata: { changed: Object.keys(body) } });
    await lockWorkspaceRoles(db, caller.workspaceId);
    const roles = await listWorkspaceRoles(db, caller.workspaceId);
    const role = requireCustomRole(roles, id);
    // A caller who cannot assign the role cannot edit it either: members with more permissions may hold it.
    requireGrantablePermissions(caller, listRolePermissions(roles, role));
    if (body.name !== undefined) requireFreeRoleName(roles, body.name, id);
    const inherits = body.inherits ? resolveInheritedRoles(roles, body.inherits) : role.inherits;
    if (inherits.includes(id) || inheritedRoleIds(roles, inherits).includes(id)) {
      throw invalidFieldProblem('inherits', 'would make the role inherit from itself');
    }
    const permissions = body.permissions ?? role.permissions;
    requireOwnPermissions(caller, roles, permissions, inherits);
    const { name = role.name, description = role.description } = body;
    const row = await db.role.update({
      where: { id },
      data: { name, description, inherits, permissions: toPermissionsJson(permissions), updatedAt: new Date() },
    });
    if (body.inherits) await renewRoleLineages(db, caller.workspaceId);
    return toRoleResponse({ id, name, description, inherits, permissions, row });
  },
});

const deleteRoleOperation = defineOperation({
  id: 'roles.delete',
  method: 'DELETE',
  path: '/api/roles/{id}',
  summary: 'Delete a role',
  description: 'Its holders lose it at once. A role that other roles or sign-in providers refer to cannot be deleted.',
  tag: ROLE_TAG,
  access: memberAccess('role', 'delete'),
  effect: writeEffect('configuration_change'),
  params: RoleParams,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    await lockWorkspaceRoles(db, caller.workspaceId);
    const roles = await listWorkspaceRoles(db, caller.workspaceId);
    const role = requireCustomRole(roles, id);
    note({ metadata: { name: role.name } });
    requireGrantablePermissions(caller, listRolePermissions(roles, role));
    const heir = roles.find(({ inherits }) => inherits.includes(id));
    if (heir) throw conflictProblem(`The role ${heir.name} inherits from it.`);
    await requireNotDefaultRole(db, caller.workspaceId, id);
    await db.roleAssignment.deleteMany({ where: { workspaceId: caller.workspaceId, roleId: id } });
    await db.role.delete({ where: { id } });
  },
});

async function requireNotDefaultRole(db: DatabaseClient, workspaceId: string, roleId: string): Promise<void> {
  const provider = await db.ssoProvider.findFirst({ where: { workspaceId, defaultRole: roleId } });
  if (provider) throw conflictProblem(`New members who sign in through ${provider.name} get it.`);
}

const toPermissionsJson = (permissions: RolePermission[]) => permissions as unknown as Prisma.InputJsonArray;

function requireCustomRole(roles: readonly WorkspaceRole[], id: string): WorkspaceRole {
  if (isSystemRoleId(id)) throw forbiddenProblem('System roles can’t be changed.');
  const role = roles.find((one) => one.id === id);
  if (!role) throw notFoundProblem('The role');
  return role;
}

function requireFreeRoleName(roles: readonly WorkspaceRole[], name: string, own: string | null): void {
  const isTaken = roles.some((role) => role.id !== own && role.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw invalidFieldProblem('name', 'is the name of another role');
}

/** Returns the ids of the inherited roles, which a request may name by id or by name. */
const resolveInheritedRoles = (roles: readonly WorkspaceRole[], names: readonly string[]): string[] => [
  ...new Set(
    names.map((name, index) => {
      const role = roles.find((one) => one.id === name) ?? roles.find((one) => one.name === name);
      if (!role) throw invalidFieldProblem(`inherits[${index}]`, 'is not a role of this workspace');
      return role.id;
    }),
  ),
];

/** Throws if a role would get or inherit permissions that the caller does not have. */
function requireOwnPermissions(
  caller: WorkspaceCaller,
  roles: readonly WorkspaceRole[],
  permissions: RolePermission[],
  inherits: string[],
): void {
  const lineage = inheritedRoleIds(roles, inherits);
  const all = [...permissions, ...roles.filter(({ id }) => lineage.includes(id)).flatMap((role) => role.permissions)];
  requireGrantablePermissions(caller, all);
}

export const roleOperations = [
  listRolesOperation,
  getRoleOperation,
  createRoleOperation,
  updateRoleOperation,
  deleteRoleOperation,
];
