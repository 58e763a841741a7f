import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { PermissionCondition } from '@/contract/access/condition';
import type { ScopedPermission } from '@/contract/access/security';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import type { WorkspaceCaller } from './caller';
import { permissionAllows } from './conditions';
import { visibleRowsFilter } from './filter';

useDatabase();

let owner: TestUser;
beforeAll(async () => {
  owner = await buildUser();
  for (const status of ['draft', 'active', 'paused']) {
    for (const createdBy of [owner.id, 'usr_other', null]) {
      const id = await buildWorkflow({ workspaceId: owner.workspaceId, status });
      await prismaClient().workflow.update({ where: { id }, data: { createdBy, name: `${status} of ${createdBy}` } });
    }
  }
});

const value = () => fc.constantFrom('draft', 'active', 'usr_other', owner.id, null, 7, true);
const condition = (): fc.Arbitrary<PermissionCondition> =>
  fc.oneof(
    fc.record({
      attribute: fc.constantFrom(
        'resource.status',
        'resource.createdBy',
        'resource.trigger',
        'resource.connectorId',
        'caller.id' as const,
      ),
      operator: fc.constantFrom('eq', 'ne'),
      value: value(),
    }),
    fc.record({
      attribute: fc.constantFrom('resource.status', 'resource.createdBy' as const),
      operator: fc.constant('in' as const),
      value: fc.array(value(), { maxLength: 3 }),
    }),
    fc.record({
      attribute: fc.constantFrom('resource.createdBy', 'caller.id', 'resource.name' as const),
      operator: fc.constantFrom('eq', 'ne'),
      valueFrom: fc.constantFrom('caller.id', 'caller.email' as const),
    }),
    fc.constant<PermissionCondition>({ attribute: 'caller.id', operator: 'eq', valueFrom: 'resource.createdBy' }),
  ) as fc.Arbitrary<PermissionCondition>;

test('a list shows exactly the rows that can be read one by one', async () => {
  const rows = await prismaClient().workflow.findMany({ where: { workspaceId: owner.workspaceId } });
  const on = fc.option(fc.constantFrom(...rows.map(({ id }) => ({ type: 'workflow' as const, id }))), {
    nil: undefined,
  });
  const permission: fc.Arbitrary<ScopedPermission> = fc.record({
    resource: fc.constantFrom('workflow', '*', 'credential'),
    action: fc.constantFrom('read', '*', 'update'),
    conditions: fc.array(condition(), { maxLength: 2 }),
    on,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(permission, { maxLength: 3 }), async (permissions) => {
      const caller = { userId: owner.id, email: owner.email, permissions } as WorkspaceCaller;
      const listed = await prismaClient().workflow.findMany({
        where: { AND: [{ workspaceId: owner.workspaceId }, visibleRowsFilter(caller, 'workflow')] },
      });
      const allowed = rows.filter((row) =>
        permissions.some((held) => permissionAllows(held, 'workflow', 'read', caller, { ...row, type: undefined })),
      );
      expect(listed.map(({ id }) => id).sort()).toEqual(allowed.map(({ id }) => id).sort());
    }),
  );
});

test('a member who may read one workflow finds it and its runs in the lists, and nothing else', async () => {
  const person = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  await prismaClient().roleAssignment.deleteMany({ where: { userId: person.id } });
  const [mine, other] = [
    await buildWorkflow({ workspaceId: owner.workspaceId }),
    await buildWorkflow({ workspaceId: owner.workspaceId }),
  ];
  const assignment = { userId: person.id, roleId: 'operator', resource: { type: 'workflow', id: mine } };
  await call('POST', '/auth/rbac', { token: owner.token, body: assignment });
  for (const id of [mine, other]) await call('POST', `/api/workflows/${id}/execute`, { token: owner.token, body: {} });
  const list = async (path: string) =>
    (await call<{ data: { id: string; workflowId?: string }[]; total: number }>('GET', path, { token: person.token }))
      .body;
  const workflows = await list('/api/workflows');
  expect(workflows).toMatchObject({ total: 1, data: [{ id: mine }] });
  const executions = await list('/api/executions');
  expect(executions).toMatchObject({ total: 1, data: [{ workflowId: mine }] });
  expect((await list(`/api/executions?workflowId=${other}`)).total).toBe(0);
  expect((await call('GET', '/api/credentials', { token: person.token })).status).toBe(200);
});
