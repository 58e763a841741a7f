import { AssignmentPage, AssignmentQuery, type AssignableResource } from '@/contract/access/role';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { invalidField } from '@/server/errors/problem';
import { namesOf } from '@/server/access/subjects';
import { rolesOf } from '@/server/access/roles';

const list = operation({
  id: 'rbac.list',
  method: 'GET',
  path: '/auth/rbac/assignments',
  summary: 'List who holds which role, in the workspace or on single objects',
  tag: 'Roles',
  access: memberAccess('role', 'read'),
  effect: readEffect(),
  query: AssignmentQuery,
  reply: jsonReply(AssignmentPage),
  async run({ db, caller: { workspaceId } }, { query: { userId, resourceType, resourceId, limit, offset } }) {
    if (resourceId !== undefined && resourceType === undefined) {
      throw invalidField('resourceType', 'comes together with resourceId');
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
      rolesOf(db, workspaceId),
    ]);
    const places = rows.map((row) =>
      row.resourceType && row.resourceId ? { type: row.resourceType as AssignableResource, id: row.resourceId } : null,
    );
    const names = await namesOf(workspaceId, places);
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

export const assignments = [list];
