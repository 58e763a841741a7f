import { type z } from 'zod';
import {
  AssignedRole,
  CheckPermissionResponse,
  CheckPermissionQuery,
  AssignRoleRequest,
  RevokeRoleQuery,
} from '@/contract/access/role';
import type { ScopedPermission } from '@/contract/access/security';
import { memberAccess, defineOperation, type AuditNote } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import {
  conflictProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  notFoundProblem,
} from '@/server/platform/errors/problem';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { explainAccess } from '@/server/people/access/explain';
import { isLastOwner } from '@/server/people/access/members';
import { findAccessSubject } from '@/server/people/access/subjects';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { requirePermission } from '@/server/people/access/require';
import {
  lockWorkspaceRoles,
  listRolePermissions,
  requireGrantablePermissions,
  listWorkspaceRoles,
} from '@/server/people/access/roles';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { requireBelowCap } from '@/server/platform/quotas/caps';

const RBAC_TAG = 'Roles';

const assignRoleOperation = defineOperation({
  id: 'rbac.assign',
  method: 'POST',
  path: '/auth/rbac',
  summary: 'Assign a role to a member, in the workspace or on one object',
  description: 'Effective with the member’s next call. Callers cannot grant permissions that they do not have.',
  tag: RBAC_TAG,
  access: memberAccess('role', 'assign'),
  effect: writeEffect('authorization'),
  body: jsonBody(AssignRoleRequest),
  reply: jsonReply(AssignedRole, { status: 201 }),
  async run({ db, caller, note }, { body }) {
    await lockWorkspaceRoles(db, caller.workspaceId);
    const { role, on } = await requireGrantableRole(db, caller, body, note);
    if (on && !(await findAccessSubject(caller.workspaceId, on.type, on.id))) {
      throw invalidFieldProblem('resource.id', `is not a ${on.type} of this workspace`);
    }
    const assignment = {
      workspaceId: caller.workspaceId,
      userId: body.userId,
      roleId: role.id,
      ...assignmentColumns(on),
    };
    const before = await db.roleAssignment.findFirst({ where: assignment });
    if (!before) {
      await requireBelowCap(db, 'assignments', `${caller.workspaceId} ${body.userId}`);
      await db.roleAssignment.create({ data: { id: generateId('asg'), ...assignment } });
    }
    return { userId: body.userId, roleId: role.id, role: role.name, resource: body.resource ?? null };
  },
});

const revokeRoleOperation = defineOperation({
  id: 'rbac.revoke',
  method: 'DELETE',
  path: '/auth/rbac',
  summary: 'Take a role away',
  description: 'The assignment comes as in POST, or in the query. Effective with the member’s next call.',
  tag: RBAC_TAG,
  access: memberAccess('role', 'assign'),
  effect: writeEffect('authorization'),
  query: RevokeRoleQuery,
  body: jsonBody(AssignRoleRequest.partial()),
  async run({ db, caller, note }, { query, body }) {
    const request = parseRevokedAssignment(query, body);
    await lockWorkspaceRoles(db, caller.workspaceId);
    const { role, on } = await requireGrantableRole(db, caller, request, note);
    const assignmentKey = { workspaceId: caller.workspaceId, roleId: role.id };
    if (role.id === systemRoleId('owner') && !on && (await isLastOwner(db, caller.workspaceId, request.userId)))
      throw conflictProblem('The last owner can’t lose that role.');
    const { count } = await db.roleAssignment.deleteMany({
      where: { ...assignmentKey, userId: request.userId, ...assignmentColumns(on) },
    });
    if (count === 0) throw notFoundProblem('The assignment');
  },
});

const checkPermissionOperation = defineOperation({
  id: 'rbac.check',
  method: 'GET',
  path: '/auth/rbac',
  summary: 'Explain whether a member may do an action',
  description:
    'The answer is for the member; an API key or a sign-in provider may restrict it further. Without `resourceId`: on ' +
    'any object. Questions about other members need role:read.',
  tag: RBAC_TAG,
  access: memberAccess('workspace', 'read'),
  effect: readEffect(),
  query: CheckPermissionQuery,
  reply: jsonReply(CheckPermissionResponse),
  async run({ db, caller }, { query: { userId = caller.userId, resource, action, resourceId } }) {
    if (userId !== caller.userId) requirePermission(caller, 'role', 'read');
    const user = await db.user.findFirst({
      where: { id: userId, memberships: { some: { workspaceId: caller.workspaceId } } },
      include: { roles: { where: { workspaceId: caller.workspaceId } } },
    });
    if (!user) throw invalidFieldProblem('userId', 'is not a member of this workspace');
    const subject = resourceId === undefined ? null : await findAccessSubject(caller.workspaceId, resource, resourceId);
    if (resourceId !== undefined && !subject)
      throw invalidFieldProblem('resourceId', `is not a ${resource} of this workspace`);
    const assignments = user.roles.map(({ roleId, resourceType, resourceId: id }) => ({
      roleId,
      on: toAssignmentTarget(resourceType, id),
    }));
    const member = { userId, email: user.email };
    const reasons = explainAccess(await listWorkspaceRoles(db, caller.workspaceId), assignments, {
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

type AssignmentTarget = NonNullable<ScopedPermission['on']>;

const assignmentColumns = (on: AssignmentTarget | undefined) => ({
  resourceType: on?.type ?? null,
  resourceId: on?.id ?? null,
});

const toAssignmentTarget = (type: string | null, id: string | null): AssignmentTarget | null =>
  type !== null && id !== null ? { type: type as AssignmentTarget['type'], id } : null;

/** Validates the role, the object and the member of an assignment. Throws if the caller may not grant that role. */
async function requireGrantableRole(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  request: AssignRoleRequest,
  note: (facts: AuditNote) => void,
) {
  note({ resourceId: request.userId, metadata: { role: request.roleId, on: request.resource } });
  const roles = await listWorkspaceRoles(db, caller.workspaceId);
  const role = roles.find(({ id }) => id === request.roleId) ?? roles.find(({ name }) => name === request.roleId);
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId: caller.workspaceId, userId: request.userId } },
  });
  const issues = [];
  if (!member) issues.push({ field: 'userId', message: 'is not a member of this workspace' });
  if (!role) issues.push({ field: 'roleId', message: 'is not a role of this workspace' });
  if (!role || !member) throw invalidRequestProblem(issues);
  const on = request.resource;
  requireGrantablePermissions(caller, listRolePermissions(roles, role), on);
  return { role, on };
}

/** Reads the assignment that a DELETE names, either in its body or in its query. */
function parseRevokedAssignment(
  query: z.infer<typeof RevokeRoleQuery>,
  body: Partial<AssignRoleRequest>,
): AssignRoleRequest {
  const { resourceType: type, resourceId: id } = query;
  if ((type === undefined) !== (id === undefined))
    throw invalidFieldProblem('resourceId', 'comes together with resourceType');
  const userId = body.userId ?? query.userId;
  const roleId = body.roleId ?? query.roleId;
  const missing = { userId, roleId };
  const issues = Object.entries(missing).filter(([, value]) => value === undefined);
  if (!userId || !roleId) throw invalidRequestProblem(issues.map(([field]) => ({ field, message: 'is required' })));
  return { userId, roleId, resource: body.resource ?? (type && id ? { type, id } : undefined) };
}

export const rbacOperations = [assignRoleOperation, revokeRoleOperation, checkPermissionOperation];
