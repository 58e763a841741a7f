import { type z } from 'zod';
import {
  AssignedRole,
  PermissionAnswer,
  PermissionQuery,
  RoleAssignment,
  RoleAssignmentQuery,
} from '@/contract/access/role';
import type { Permission } from '@/contract/access/security';
import { memberAccess, operation, type Facts } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalid, invalidField, notFound } from '@/server/errors/problem';
import type { Caller } from '@/server/access/caller';
import { explain } from '@/server/access/explain';
import { isLastOwner } from '@/server/access/members';
import { findSubject } from '@/server/access/subjects';
import { systemRoleId } from '@/server/db/system-role-id';
import { requirePermission } from '@/server/access/require';
import { lockRoles, permissionsOfRole, requireGrantable, rolesOf } from '@/server/access/roles';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { requireBelowCap } from '@/server/quotas/caps';

const tag = 'Roles';

const assign = operation({
  id: 'rbac.assign',
  method: 'POST',
  path: '/auth/rbac',
  summary: 'Assign a role to a member, in the workspace or on one object',
  description: 'Effective with the member’s next call. Callers cannot grant permissions that they do not have.',
  tag,
  access: memberAccess('role', 'assign'),
  effect: writeEffect('authorization'),
  body: jsonBody(RoleAssignment),
  reply: jsonReply(AssignedRole, { status: 201 }),
  async run({ db, caller, note }, { body }) {
    await lockRoles(db, caller.workspaceId);
    const { role, on } = await grantable(db, caller, body, note);
    if (on && !(await findSubject(caller.workspaceId, on.type, on.id))) {
      throw invalidField('resource.id', `is not a ${on.type} of this workspace`);
    }
    const assignment = { workspaceId: caller.workspaceId, userId: body.userId, roleId: role.id, ...placeOf(on) };
    const before = await db.roleAssignment.findFirst({ where: assignment });
    if (!before) {
      await requireBelowCap(db, 'assignments', `${caller.workspaceId} ${body.userId}`);
      await db.roleAssignment.create({ data: { id: newId('asg'), ...assignment } });
    }
    return { userId: body.userId, roleId: role.id, role: role.name, resource: body.resource ?? null };
  },
});

const revoke = operation({
  id: 'rbac.revoke',
  method: 'DELETE',
  path: '/auth/rbac',
  summary: 'Take a role away',
  description: 'The assignment comes as in POST, or in the query. Effective with the member’s next call.',
  tag,
  access: memberAccess('role', 'assign'),
  effect: writeEffect('authorization'),
  query: RoleAssignmentQuery,
  body: jsonBody(RoleAssignment.partial()),
  async run({ db, caller, note }, { query, body }) {
    const request = assignmentOf(query, body);
    await lockRoles(db, caller.workspaceId);
    const { role, on } = await grantable(db, caller, request, note);
    const assignmentKey = { workspaceId: caller.workspaceId, roleId: role.id };
    if (role.id === systemRoleId('owner') && !on && (await isLastOwner(db, caller.workspaceId, request.userId)))
      throw conflict('The last owner can’t lose that role.');
    const { count } = await db.roleAssignment.deleteMany({
      where: { ...assignmentKey, userId: request.userId, ...placeOf(on) },
    });
    if (count === 0) throw notFound('The assignment');
  },
});

const check = operation({
  id: 'rbac.check',
  method: 'GET',
  path: '/auth/rbac',
  summary: 'Explain whether a member may do an action',
  description:
    'The answer is for the member; an API key or a sign-in provider may restrict it further. Without `resourceId`: on ' +
    'any object. Questions about other members need role:read.',
  tag,
  access: memberAccess('workspace', 'read'),
  effect: readEffect(),
  query: PermissionQuery,
  reply: jsonReply(PermissionAnswer),
  async run({ db, caller }, { query: { userId = caller.userId, resource, action, resourceId } }) {
    if (userId !== caller.userId) requirePermission(caller, 'role', 'read');
    const user = await db.user.findFirst({
      where: { id: userId, memberships: { some: { workspaceId: caller.workspaceId } } },
      include: { roles: { where: { workspaceId: caller.workspaceId } } },
    });
    if (!user) throw invalidField('userId', 'is not a member of this workspace');
    const subject = resourceId === undefined ? null : await findSubject(caller.workspaceId, resource, resourceId);
    if (resourceId !== undefined && !subject)
      throw invalidField('resourceId', `is not a ${resource} of this workspace`);
    const assignments = user.roles.map(({ roleId, resourceType, resourceId: id }) => ({
      roleId,
      on: scopeOf(resourceType, id),
    }));
    const member = { userId, email: user.email };
    const reasons = explain(await rolesOf(db, caller.workspaceId), assignments, {
      resource,
      action,
      subject,
      user: member,
    });
    const holding = reasons.filter(({ failed }) => failed.length === 0);
    return {
      allowed: holding.length > 0,
      roles: [...new Set(holding.flatMap(({ path }) => path[0] ?? []))],
      reasons,
    };
  },
});

type On = NonNullable<Permission['on']>;

const placeOf = (on: On | undefined) => ({ resourceType: on?.type ?? null, resourceId: on?.id ?? null });

const scopeOf = (type: string | null, id: string | null): On | null =>
  type !== null && id !== null ? { type: type as On['type'], id } : null;

/** The role and object of an assignment, both validated, and the member, who must be one. */
async function grantable(db: Db, caller: Caller, request: RoleAssignment, note: (facts: Facts) => void) {
  note({ resourceId: request.userId, metadata: { role: request.roleId, on: request.resource } });
  const roles = await rolesOf(db, caller.workspaceId);
  const role = roles.find(({ id }) => id === request.roleId) ?? roles.find(({ name }) => name === request.roleId);
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId: caller.workspaceId, userId: request.userId } },
  });
  const issues = [];
  if (!member) issues.push({ field: 'userId', message: 'is not a member of this workspace' });
  if (!role) issues.push({ field: 'roleId', message: 'is not a role of this workspace' });
  if (!role || !member) throw invalid(issues);
  const on = request.resource;
  requireGrantable(caller, permissionsOfRole(roles, role), on);
  return { role, on };
}

/** The assignment that a DELETE names, in its body or its query. */
function assignmentOf(query: z.infer<typeof RoleAssignmentQuery>, body: Partial<RoleAssignment>): RoleAssignment {
  const { resourceType: type, resourceId: id } = query;
  if ((type === undefined) !== (id === undefined)) throw invalidField('resourceId', 'comes together with resourceType');
  const userId = body.userId ?? query.userId;
  const roleId = body.roleId ?? query.roleId;
  const missing = { userId, roleId };
  const issues = Object.entries(missing).filter(([, value]) => value === undefined);
  if (!userId || !roleId) throw invalid(issues.map(([field]) => ({ field, message: 'is required' })));
  return { userId, roleId, resource: body.resource ?? (type && id ? { type, id } : undefined) };
}

export const rbac = [assign, revoke, check];
