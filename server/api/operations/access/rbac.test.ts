import { beforeAll, describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, unique, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  owner = await buildUser();
  admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
});

const member = () => buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
const as = (user: TestUser, method: string, path: string, body?: object) =>
  call<{ id: string } & Refused>(method, path, { token: user.token, body });

let count = 0;
async function role(body: object): Promise<string> {
  const { status, body: made } = await as(owner, 'POST', '/api/roles', { name: `role ${(count += 1)}`, ...body });
  expect(status).toBe(201);
  return made.id;
}
const assign = (userId: string, roleId: string, resource?: object) =>
  as(owner, 'POST', '/auth/rbac', { userId, roleId, resource });

test('assigning and revoking take effect with the next call', async () => {
  const person = await member();
  expect((await as(person, 'POST', '/api/workflows', { name: 'x' })).status).toBe(403);
  expect((await assign(person.id, systemRoleId('editor'))).status).toBe(201);
  expect((await as(person, 'POST', '/api/workflows', { name: 'x' })).status).toBe(201);
  const body = { userId: person.id, roleId: systemRoleId('editor') };
  expect((await as(owner, 'DELETE', '/auth/rbac', body)).status).toBe(204);
  expect((await as(person, 'POST', '/api/workflows', { name: 'x' })).status).toBe(403);
  expect((await as(owner, 'DELETE', `/auth/rbac?userId=${person.id}&roleId=viewer`)).status).toBe(204);
  expect((await as(person, 'GET', '/api/workflows')).status).toBe(403);
});

test('a custom role gives its own and its inherited permissions, and follows each change of either', async () => {
  const base = await role({ permissions: [{ resource: 'audit', action: 'read' }] });
  const heir = await role({ inherits: [base, 'operator'], permissions: [{ resource: 'role', action: 'read' }] });
  const person = await member();
  await assign(person.id, heir);
  const id = await buildWorkflow({ workspaceId: owner.workspaceId });
  expect((await as(person, 'POST', `/api/workflows/${id}/execute`, {})).status).toBe(202);
  expect((await as(person, 'GET', '/api/roles')).status).toBe(200);
  expect((await as(person, 'GET', '/api/api-keys')).status).toBe(403);
  await as(owner, 'PUT', `/api/roles/${base}`, { permissions: [{ resource: 'api_key', action: 'read' }] });
  expect((await as(person, 'GET', '/api/api-keys')).status).toBe(200);
  await as(owner, 'PUT', `/api/roles/${heir}`, { inherits: [] });
  expect((await as(person, 'GET', '/api/api-keys')).status).toBe(403);
  expect((await as(owner, 'DELETE', `/api/roles/${heir}`)).status).toBe(204);
  expect((await as(person, 'GET', '/api/roles')).status).toBe(403);
});

test('inheritance cannot have cycles, direct or indirect, also with concurrent changes', async () => {
  const [a, b, c] = [await role({}), await role({}), await role({})];
  expect((await as(owner, 'PUT', `/api/roles/${a}`, { inherits: [a] })).status).toBe(400);
  await as(owner, 'PUT', `/api/roles/${b}`, { inherits: [a] });
  await as(owner, 'PUT', `/api/roles/${c}`, { inherits: [b] });
  const answer = await as(owner, 'PUT', `/api/roles/${a}`, { inherits: [c] });
  expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'inherits' }] });
  const [x, y] = [await role({}), await role({})];
  const both = await Promise.all([
    as(owner, 'PUT', `/api/roles/${x}`, { inherits: [y] }),
    as(owner, 'PUT', `/api/roles/${y}`, { inherits: [x] }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('members cannot grant, withdraw or edit permissions that they do not have', async () => {
  const person = await member();
  const give = (roleId: string) => as(admin, 'POST', '/auth/rbac', { userId: person.id, roleId });
  expect((await give(systemRoleId('owner'))).status).toBe(403);
  expect((await give(systemRoleId('admin'))).status).toBe(201);
  expect((await as(admin, 'POST', '/auth/rbac', { userId: admin.id, roleId: 'owner' })).status).toBe(403);
  expect((await as(admin, 'DELETE', '/auth/rbac', { userId: owner.id, roleId: 'owner' })).status).toBe(403);
  const all = [{ resource: '*', action: '*' }];
  expect((await as(admin, 'POST', '/api/roles', { name: 'root', permissions: all })).status).toBe(403);
  expect((await as(admin, 'POST', '/api/roles', { name: 'root', inherits: ['owner'] })).status).toBe(403);
  const mighty = await role({ permissions: all });
  expect((await give(mighty)).status).toBe(403);
  expect((await as(admin, 'PUT', `/api/roles/${mighty}`, { description: 'mine' })).status).toBe(403);
  expect((await as(admin, 'DELETE', `/api/roles/${mighty}`)).status).toBe(403);
});

test('the last owner keeps the role, also if two leave at once', async () => {
  const first = await buildUser();
  const second = await buildUser({ workspaceId: first.workspaceId });
  const leave = (user: TestUser) => as(user, 'DELETE', '/auth/rbac', { userId: user.id, roleId: 'owner' });
  expect((await Promise.all([leave(first), leave(second)])).map(({ status }) => status).sort()).toEqual([204, 409]);
});

test('a role on one workflow covers it and its objects, and nothing else', async () => {
  const person = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  await prismaClient().roleAssignment.deleteMany({ where: { userId: person.id } });
  const [mine, other] = [
    await buildWorkflow({ workspaceId: owner.workspaceId }),
    await buildWorkflow({ workspaceId: owner.workspaceId }),
  ];
  expect((await assign(person.id, 'editor', { type: 'workflow', id: mine })).status).toBe(201);
  expect((await as(person, 'GET', `/api/workflows/${mine}`)).status).toBe(200);
  expect((await as(person, 'PUT', `/api/workflows/${mine}`, { name: 'renamed' })).status).toBe(200);
  expect((await as(person, 'POST', `/api/workflows/${mine}/webhooks`, { path: 'in' })).status).toBe(201);
  expect((await as(person, 'GET', `/api/workflows/${other}`)).status).toBe(403);
  expect((await as(person, 'GET', '/api/workflows/wf_none')).status).toBe(404);
  expect((await as(person, 'POST', '/api/workflows', { name: 'x' })).status).toBe(403);
  const run = await call<{ executionId: string }>('POST', `/api/workflows/${mine}/execute`, {
    token: person.token,
    body: {},
  });
  expect((await as(person, 'GET', `/api/executions/${run.body.executionId}`)).status).toBe(200);
  const foreign = await call<{ executionId: string }>('POST', `/api/workflows/${other}/execute`, {
    token: owner.token,
    body: {},
  });
  expect((await as(person, 'GET', `/api/executions/${foreign.body.executionId}`)).status).toBe(403);
});

test('a condition restricts a permission to one’s own objects', async () => {
  const own = await role({
    permissions: [
      {
        resource: 'workflow',
        action: 'create',
        conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
      },
      {
        resource: 'workflow',
        action: 'update',
        conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
      },
      {
        resource: 'workflow',
        action: 'delete',
        conditions: [{ attribute: 'resource.status', operator: 'in', value: ['paused'] }],
      },
    ],
  });
  const person = await member();
  await assign(person.id, own);
  const { body: mine } = await as(person, 'POST', '/api/workflows', { name: 'mine' });
  const other = await buildWorkflow({ workspaceId: owner.workspaceId });
  expect((await as(person, 'PUT', `/api/workflows/${mine.id}`, { name: 'still mine' })).status).toBe(200);
  expect((await as(person, 'PUT', `/api/workflows/${other}`, { name: 'not mine' })).status).toBe(403);
  expect((await as(person, 'DELETE', `/api/workflows/${mine.id}`)).status).toBe(403);
});

test('the simulator reports the reason, the path of roles, and the failed condition', async () => {
  const base = await role({
    permissions: [
      {
        resource: 'credential',
        action: 'use',
        conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
      },
    ],
  });
  const heir = await role({ inherits: [base] });
  const person = await member();
  await assign(person.id, heir);
  const ask = (query: string, user = owner) =>
    call<{ allowed: boolean; roles: string[]; reasons: { path: string[]; failed: string[] }[] }>(
      'GET',
      `/auth/rbac?userId=${person.id}&${query}`,
      { token: user.token },
    );
  expect((await ask('resource=workflow&action=read')).body).toMatchObject({ allowed: true, roles: ['viewer'] });
  const { body } = await ask('resource=credential&action=use');
  expect(body).toMatchObject({ allowed: false, roles: [] });
  expect(body.reasons[0]?.path).toHaveLength(2);
  expect(body.reasons[0]?.failed[0]).toContain('resource.createdBy eq caller.id');
  expect((await ask('resource=workflow&action=read', await member())).status).toBe(403);
  expect((await ask('resource=workflow&action=read&resourceId=wf_none')).status).toBe(400);
});

test.each([
  ['POST', '/auth/rbac', { userId: 'usr_none', roleId: 'editor' }, 400],
  ['POST', '/auth/rbac', { roleId: 'role_none', userId: 'usr_none' }, 400],
  ['POST', '/auth/rbac', {}, 400],
  ['DELETE', '/auth/rbac', {}, 400],
  ['DELETE', '/auth/rbac?userId=x&roleId=viewer&resourceId=y', undefined, 400],
  ['GET', '/auth/rbac?resource=nothing&action=read', undefined, 400],
  ['POST', '/api/roles', { name: 'admin' }, 400],
  ['POST', '/api/roles', { name: 'r', inherits: ['role_none'] }, 400],
  ['POST', '/api/roles', { name: 'r', isSystem: true }, 400],
  ['POST', '/api/roles', { name: 'r', permissions: [{ resource: 'world', action: '*' }] }, 400],
  [
    'POST',
    '/api/roles',
    {
      name: 'r',
      permissions: [{ resource: '*', action: '*', conditions: [{ attribute: 'x', operator: 'eq', value: 1 }] }],
    },
    400,
  ],
  [
    'POST',
    '/api/roles',
    {
      name: 'r',
      permissions: [
        { resource: '*', action: '*', conditions: [{ attribute: 'resource.id', operator: 'in', value: 1 }] },
      ],
    },
    400,
  ],
  ['PUT', `/api/roles/${systemRoleId('viewer')}`, { name: 'x' }, 403],
  ['DELETE', `/api/roles/${systemRoleId('viewer')}`, undefined, 403],
  ['GET', '/api/roles/role_none', undefined, 404],
])('%s %s %o → %i', async (method, path, body, status) => {
  expect((await as(owner, method, path, body)).status).toBe(status);
});

test('roles of another workspace do not exist here, and cannot be used', async () => {
  const stranger = await buildUser();
  const { body } = await as(stranger, 'POST', '/api/roles', { name: 'theirs' });
  expect((await as(owner, 'GET', `/api/roles/${body.id}`)).status).toBe(404);
  expect((await as(owner, 'PUT', `/api/roles/${body.id}`, { name: 'x' })).status).toBe(404);
  expect((await as(owner, 'DELETE', `/api/roles/${body.id}`)).status).toBe(404);
  expect((await assign(admin.id, body.id)).status).toBe(400);
  expect((await as(owner, 'POST', '/api/roles', { name: 'heir of theirs', inherits: [body.id] })).status).toBe(400);
});

describe('a role that reads everything', () => {
  const make = (token: string, permission: object) =>
    call<Refused>('POST', '/api/roles', { token, body: { name: unique('role'), permissions: [permission] } });

  test('can be created and assigned only by members who read everything', async () => {
    const { workspaceId, token: owner } = await buildUser();
    const [admin, editor] = await Promise.all([
      buildUser({ workspaceId, role: 'admin' }),
      buildUser({ workspaceId, role: 'editor' }),
    ]);
    for (const token of [owner, admin.token]) {
      expect((await make(token, { resource: '*', action: 'read' })).status).toBe(201);
    }
    expect((await make(editor.token, { resource: '*', action: 'read' })).status).toBe(403);
  });

  test('a permission for all resources requires every single one of them', async () => {
    const { workspaceId } = await buildUser();
    const { token } = await buildUser({ workspaceId, role: 'admin' });
    const status = async (action: string) => (await make(token, { resource: '*', action })).status;
    // Except for those of owners only: deleting and transferring the workspace.
    expect(await Promise.all(['delete', 'assign', '*'].map(status))).toEqual([403, 403, 403]);
    expect(await Promise.all(['create', 'update', 'execute', 'export'].map(status))).toEqual([201, 201, 201, 201]);
  });
});
