import { expect, test } from 'vitest';
import { Action, Resource, SystemRole } from '@/contract/security';
import { canGrant, isAllowed, rightsOf, SYSTEM_ROLES, systemRoleId } from './permissions';

const holding = (roleId: string) =>
  rightsOf([{ roleId, name: null, lineage: null, permissions: null, type: null, id: null }]);
const permissionsOf = (role: SystemRole) => holding(systemRoleId(role)).permissions;
const may = (role: SystemRole, resource: Resource, action: Action) => isAllowed(permissionsOf(role), resource, action);

test('ids of system roles are fixed and look like any role id', () => {
  expect(SYSTEM_ROLES.map(({ id }) => id)).toEqual([
    'role_owner-000000000000000000',
    'role_admin-000000000000000000',
    'role_editor-00000000000000000',
    'role_operator-000000000000000',
    'role_viewer-00000000000000000',
  ]);
});

test('each stronger role may do all that the weaker one may', () => {
  const names = SystemRole.options;
  for (const resource of Resource.options) {
    for (const action of Action.options) {
      const allowed = names.map((role) => may(role, resource, action));
      expect(allowed, `${resource}:${action}`).toEqual(allowed.toSorted((a, b) => Number(b) - Number(a)));
    }
  }
});

test.each<[SystemRole, Resource, Action, boolean]>([
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

test('nobody gives what they do not have', () => {
  expect(canGrant(permissionsOf('admin'), permissionsOf('owner'))).toBe(false);
  expect(canGrant(permissionsOf('admin'), permissionsOf('admin'))).toBe(true);
  expect(canGrant(permissionsOf('owner'), permissionsOf('owner'))).toBe(true);
});

test('ids that are no role give nothing', () => {
  expect(holding('role_unknown')).toEqual({ roles: [], permissions: [] });
});
