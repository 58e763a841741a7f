import { describe, expect, test } from 'vitest';
import type { PermissionCondition } from '@/contract/access/condition';
import { PermissionAction, PermissionResource, SystemRole, type ScopedPermission } from '@/contract/access/security';
import { canGrantPermissions, isAllowedOnEveryObject, combineRoleRights, SYSTEM_ROLES } from './permissions';
import { systemRoleId } from '@/server/platform/db/system-role-id';

const holding = (roleId: string) =>
  combineRoleRights([{ roleId, name: null, lineage: null, permissions: null, type: null, id: null }]);
const permissionsOf = (role: SystemRole) => holding(systemRoleId(role)).permissions;
const may = (role: SystemRole, resource: PermissionResource, action: PermissionAction) =>
  isAllowedOnEveryObject(permissionsOf(role), resource, action);

test('ids of system roles are fixed and have the format of role ids', () => {
  expect(SYSTEM_ROLES.map(({ id }) => id)).toEqual([
    'role_owner-000000000000000000',
    'role_admin-000000000000000000',
    'role_editor-00000000000000000',
    'role_operator-000000000000000',
    'role_viewer-00000000000000000',
  ]);
});

test('each role may do all that the weaker roles may do', () => {
  const names = SystemRole.options;
  for (const resource of PermissionResource.options) {
    for (const action of PermissionAction.options) {
      const allowed = names.map((role) => may(role, resource, action));
      expect(allowed, `${resource}:${action}`).toEqual(allowed.toSorted((a, b) => Number(b) - Number(a)));
    }
  }
});

test.each<[SystemRole, PermissionResource, PermissionAction, boolean]>([
  ['viewer', 'workflow', 'read', true],
  ['viewer', 'credential', 'read', true],
  ['viewer', 'workflow', 'execute', false],
  ['viewer', 'member', 'read', false],
  ['operator', 'workflow', 'execute', true],
  ['operator', 'execution', 'resume', true],
  ['operator', 'workflow', 'update', false],
  ['editor', 'workflow', 'delete', true],
  ['editor', 'credential', 'create', true],
  ['editor', 'member', 'read', false],
  ['editor', 'audit', 'read', false],
  ['admin', 'member', 'create', true],
  ['admin', 'audit', 'export', true],
  ['admin', 'workspace', 'update', true],
  ['admin', 'workspace', 'delete', false],
  ['owner', 'workspace', 'delete', true],
])('%s %s:%s %s', (role, resource, action, expected) => {
  expect(may(role, resource, action)).toBe(expected);
});

test('members cannot grant permissions that they do not have', () => {
  expect(canGrantPermissions(permissionsOf('admin'), permissionsOf('owner'))).toBe(false);
  expect(canGrantPermissions(permissionsOf('admin'), permissionsOf('admin'))).toBe(true);
  expect(canGrantPermissions(permissionsOf('owner'), permissionsOf('owner'))).toBe(true);
});

describe('a permission with `*` can be granted by members who hold all that it covers', () => {
  const grants = (
    mine: ScopedPermission[],
    resource: ScopedPermission['resource'],
    action: ScopedPermission['action'],
  ) => canGrantPermissions(mine, [{ resource, action }]);
  const admin = permissionsOf('admin');

  test.each<[ScopedPermission['resource'], ScopedPermission['action'], boolean]>([
    ['*', 'read', true],
    ['workflow', '*', true],
    ['audit', '*', true],
    ['*', 'export', true],
    ['workspace', '*', false],
    ['*', 'delete', false],
    ['*', 'assign', false],
    ['*', '*', false],
  ])('an admin gives %s:%s: %s', (resource, action, expected) => {
    expect(grants(admin, resource, action)).toBe(expected);
  });

  test('conditional permissions, permissions on single objects and the sum of an owner’s permissions are not enough', () => {
    const on = { type: 'workflow', id: 'wf_1' } as const;
    const others = admin.filter(({ resource, action }) => resource !== 'workflow' || action !== 'read');
    const withoutWorkflows = others.filter(({ resource, action }) => resource !== 'workflow' || action !== '*');
    expect(grants(withoutWorkflows, '*', 'read')).toBe(false);
    expect(grants([...withoutWorkflows, { resource: 'workflow', action: 'read', on }], '*', 'read')).toBe(false);
    const conditions: PermissionCondition[] = [{ attribute: 'resource.status', operator: 'eq', value: 'active' }];
    const some: ScopedPermission[] = [...withoutWorkflows, { resource: 'workflow', action: 'read', conditions }];
    expect(grants(some, '*', 'read')).toBe(false);
    const all = PermissionResource.options.map((resource): ScopedPermission => ({ resource, action: '*' }));
    expect([grants(all, '*', 'delete'), grants(all, '*', '*')]).toEqual([true, false]);
  });
});

test('unknown role ids give no permissions', () => {
  expect(holding('role_unknown')).toEqual({ roles: [], permissions: [] });
});
