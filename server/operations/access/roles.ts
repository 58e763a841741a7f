import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import { Role, RoleCreate, RolePage, RoleUpdate, type RolePermission } from '@/contract/access/role';
import { PageQuery } from '@/contract/text';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, forbidden, invalidField, notFound } from '@/server/errors/problem';
import type { Caller } from '@/server/access/caller';
import {
  findRole,
  isSystemRole,
  lineageOf,
  lockRoles,
  permissionsOfRole,
  renewLineages,
  requireGrantable,
  rolesOf,
  type AnyRole,
} from '@/server/access/roles';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';

const tag = 'Roles';
const Id = z.strictObject({ id: z.string() });
/** More would make lists of roles unreadable, and each change slow. */
export const MAX_ROLES = 200;

const presentRole = ({ id, name, description, inherits, permissions, row }: AnyRole) => ({
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

const list = operation({
  id: 'roles.list',
  method: 'GET',
  path: '/api/roles',
  summary: 'List roles: the five system roles, then the workspace’s own',
  tag,
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(RolePage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const roles = await rolesOf(db, caller.workspaceId);
    return { data: roles.slice(offset, offset + limit).map(presentRole), total: roles.length, limit, offset };
  },
});

const get = operation({
  id: 'roles.get',
  method: 'GET',
  path: '/api/roles/{id}',
  summary: 'One role',
  tag,
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Role),
  async run({ db, caller }, { params: { id } }) {
    const role = await findRole(db, caller.workspaceId, id);
    if (role?.id !== id) throw notFound('The role');
    return presentRole(role);
  },
});

const create = operation({
  id: 'roles.create',
  method: 'POST',
  path: '/api/roles',
  summary: 'Make a role',
  description: 'Callers cannot add permissions to a role that they do not have.',
  tag,
  access: memberAccess('role', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(RoleCreate),
  reply: jsonReply(Role, { status: 201, location: '/api/roles/{id}' }),
  async run({ db, caller, note }, { body }) {
    await lockRoles(db, caller.workspaceId);
    const roles = await rolesOf(db, caller.workspaceId);
    if (roles.length >= MAX_ROLES) throw conflict(`A workspace has at most ${MAX_ROLES} roles.`);
    requireFreeName(roles, body.name, null);
    const id = newId('role');
    const role: AnyRole = { id, ...body, inherits: inherited(roles, body.inherits), row: null };
    requireOwn(caller, roles, role.permissions, role.inherits);
    note({ resourceId: id, metadata: { name: body.name } });
    const row = await db.role.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        name: body.name,
        description: body.description,
        inherits: role.inherits,
        permissions: toJson(body.permissions),
        lineage: [id, ...lineageOf(roles, role.inherits)],
        createdBy: caller.userId,
      },
    });
    return presentRole({ ...role, row });
  },
});

const update = operation({
  id: 'roles.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/roles/{id}',
  summary: 'Change a role',
  description: 'Takes effect with the next call of every holder.',
  tag,
  access: memberAccess('role', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(RoleUpdate),
  reply: jsonReply(Role),
  async run({ db, caller, note }, { params: { id }, body }) {
    note({ resourceId: id, metadata: { changed: Object.keys(body) } });
    await lockRoles(db, caller.workspaceId);
    const roles = await rolesOf(db, caller.workspaceId);
    const role = requireCustom(roles, id);
    // A caller who cannot assign the role cannot edit it either: members with more permissions may hold it.
    requireGrantable(caller, permissionsOfRole(roles, role));
    if (body.name !== undefined) requireFreeName(roles, body.name, id);
    const inherits = body.inherits ? inherited(roles, body.inherits) : role.inherits;
    if (inherits.includes(id) || lineageOf(roles, inherits).includes(id)) {
      throw invalidField('inherits', 'would make the role inherit from itself');
    }
    const permissions = body.permissions ?? role.permissions;
    requireOwn(caller, roles, permissions, inherits);
    const { name = role.name, description = role.description } = body;
    const row = await db.role.update({
      where: { id },
      data: { name, description, inherits, permissions: toJson(permissions), updatedAt: new Date() },
    });
    if (body.inherits) await renewLineages(db, caller.workspaceId);
    return presentRole({ id, name, description, inherits, permissions, row });
  },
});

const remove = operation({
  id: 'roles.delete',
  method: 'DELETE',
  path: '/api/roles/{id}',
  summary: 'Delete a role',
  description: 'Its holders lose it at once. A role that other roles or sign-in providers refer to cannot be deleted.',
  tag,
  access: memberAccess('role', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    await lockRoles(db, caller.workspaceId);
    const roles = await rolesOf(db, caller.workspaceId);
    const role = requireCustom(roles, id);
    note({ metadata: { name: role.name } });
    requireGrantable(caller, permissionsOfRole(roles, role));
    const heir = roles.find(({ inherits }) => inherits.includes(id));
    if (heir) throw conflict(`The role ${heir.name} inherits from it.`);
    await requireNotDefault(db, caller.workspaceId, id);
    await db.roleAssignment.deleteMany({ where: { workspaceId: caller.workspaceId, roleId: id } });
    await db.role.delete({ where: { id } });
  },
});

async function requireNotDefault(db: Db, workspaceId: string, roleId: string): Promise<void> {
  const provider = await db.ssoProvider.findFirst({ where: { workspaceId, defaultRole: roleId } });
  if (provider) throw conflict(`New members who sign in through ${provider.name} get it.`);
}

const toJson = (permissions: RolePermission[]) => permissions as unknown as Prisma.InputJsonArray;

function requireCustom(roles: readonly AnyRole[], id: string): AnyRole {
  if (isSystemRole(id)) throw forbidden('System roles can’t be changed.');
  const role = roles.find((one) => one.id === id);
  if (!role) throw notFound('The role');
  return role;
}

function requireFreeName(roles: readonly AnyRole[], name: string, own: string | null): void {
  const isTaken = roles.some((role) => role.id !== own && role.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw invalidField('name', 'is the name of another role');
}

/** Ids of the inherited roles, which the request names by id or name. */
const inherited = (roles: readonly AnyRole[], names: readonly string[]): string[] => [
  ...new Set(
    names.map((name, index) => {
      const role = roles.find((one) => one.id === name) ?? roles.find((one) => one.name === name);
      if (!role) throw invalidField(`inherits[${index}]`, 'is not a role of this workspace');
      return role.id;
    }),
  ),
];

/** Members cannot add permissions to a role that they do not have. */
function requireOwn(
  caller: Caller,
  roles: readonly AnyRole[],
  permissions: RolePermission[],
  inherits: string[],
): void {
  const lineage = lineageOf(roles, inherits);
  const all = [...permissions, ...roles.filter(({ id }) => lineage.includes(id)).flatMap((role) => role.permissions)];
  requireGrantable(caller, all);
}

export const roles = [list, get, create, update, remove];
