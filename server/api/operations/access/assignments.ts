import { ListRoleAssignmentsResponse, ListAssignmentsQuery, type AssignableResource } from '@/contract/access/role';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { findScopeNames } from '@/server/people/access/subjects';
import { listWorkspaceRoles } from '@/server/people/access/roles';

const listAssignmentsOperation = defineOperation({
  id: 'rbac.list',
  method: 'GET',
  path: '/auth/rbac/assignments',
  summary: 'List who holds which role, in the workspace or on single objects',
  tag: 'Roles',
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  query: ListAssignmentsQuery,
  reply: jsonReply(ListRoleAssignmentsResponse),
  async run({ db, caller: { workspaceId } }, { query: { userId, resourceType, resourceId, limit, offset } }) {
    if (resourceId !== undefined && resourceType === undefined) {
      throw invalidFieldProblem('resourceType', 'comes together with resourceId');
    }
    const where = { workspaceId, userId, resourceType, resourceId };
    const [rows, total, roles] = await Promise.all([
      db.roleAssignment.findMany({
        where,
        include: { user: { select: { name: true, email: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.roleAssignment.count({ where }),
      listWorkspaceRoles(db, workspaceId),
    ]);
    const places = rows.map((row) =>
      row.resourceType && row.resourceId ? { type: row.resourceType as AssignableResource, id: row.resourceId } : null,
    );
    const names = await findScopeNames(workspaceId, places);
    const data = rows.map((row, index) => {
      const scope = places[index];
      return {
        userId: row.userId,
        name: row.user.name,
        email: row.user.email,
        roleId: row.roleId,
        role: roles.find(({ id }) => id === row.roleId)?.name ?? row.roleId,
        resource: scope ? { ...scope, name: names.get(`${scope.type} ${scope.id}`) ?? null } : null,
      };
    });
    return { data, total, limit, offset };
  },
});

export const assignmentListOperations = [listAssignmentsOperation];
