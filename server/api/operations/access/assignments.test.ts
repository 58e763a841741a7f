import { expect, test } from 'vitest';
import type { CurrentUser } from '@/contract/access/session';
import type { MemberRoleAssignment } from '@/contract/access/role';
import { ACTIONS_BY_RESOURCE } from '@/contract/access/security';
import type { OperationRecord } from '@/server/api/operation/operation';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { operationTable } from '..';

useDatabase();

const post = (by: TestUser, path: string, body: object) =>
  call<{ id: string; key: string } & Refused>('POST', path, { token: by.token, body });
const mine = async (token: string) => (await call<CurrentUser>('GET', '/api/auth/me', { token })).body.workspaces[0];

test('every permission that an operation requires can be granted', () => {
  for (const { id, access } of operationTable as OperationRecord[]) {
    if (access.kind === 'member') expect(ACTIONS_BY_RESOURCE[access.resource], id).toContain(access.action);
  }
});

test('me returns the permissions on all and on some objects', async () => {
  const owner = await buildUser();
  const { workspaceId } = owner;
  const viewer = await buildUser({ workspaceId, role: 'viewer' });
  expect((await mine(owner.token))?.permissions).toEqual(expect.arrayContaining(['workspace:delete', 'audit:export']));
  const before = await mine(viewer.token);
  expect(before?.permissions).toContain('workflow:read');
  expect(before?.permissions).not.toContain('workflow:update');
  expect(before?.conditionalPermissions).toEqual([]);
  const id = await buildWorkflow({ workspaceId });
  await post(owner, '/auth/rbac', { userId: viewer.id, roleId: 'editor', resource: { type: 'workflow', id } });
  const after = await mine(viewer.token);
  expect(after?.permissions).toEqual(before?.permissions);
  expect(after?.conditionalPermissions).toEqual(expect.arrayContaining(['workflow:update', 'execution:cancel']));
});

test('and those of a key after its scopes', async () => {
  const owner = await buildUser();
  const { body } = await post(owner, '/auth/api_keys', { name: 'Reader', scopes: ['read'] });
  const permissions = (await mine(body.key))?.permissions;
  expect(permissions).toContain('workflow:read');
  expect(permissions).not.toContain('workflow:update');
  expect(permissions).not.toContain('member:read');
});

test('the list has assignments by person or object, with the names of both', async () => {
  const owner = await buildUser();
  const { workspaceId, token } = owner;
  const viewer = await buildUser({ workspaceId, role: 'viewer' });
  const id = await buildWorkflow({ workspaceId });
  const { name } = await prismaClient().workflow.findUniqueOrThrow({ where: { id } });
  await post(owner, '/auth/rbac', { userId: viewer.id, roleId: 'operator', resource: { type: 'workflow', id } });
  const list = (query: string) =>
    call<{ data: MemberRoleAssignment[]; total: number } & Refused>('GET', `/auth/rbac/assignments?${query}`, {
      token,
    });
  const { data, total } = (await list(`userId=${viewer.id}`)).body;
  expect(total).toBe(2);
  expect(data).toMatchObject([
    { role: 'operator', email: viewer.email, resource: { type: 'workflow', id, name } },
    { role: 'viewer', resource: null },
  ]);
  expect((await list(`resourceType=workflow&resourceId=${id}`)).body.total).toBe(1);
  expect((await list(`resourceId=${id}`)).body.error.details).toMatchObject([{ field: 'resourceType' }]);
  await call('DELETE', `/api/workflows/${id}`, { token });
  const left = (await list(`resourceType=workflow&resourceId=${id}`)).body.data;
  expect(left.map(({ resource }) => resource?.name)).toEqual([null]);
});
