import { describe, expect, it } from 'vitest';
import type { RolePermission } from '@/contract/access/role';
import { permissionSource, describePermission, togglePermission } from './role-matrix';

const conditional: RolePermission = {
  resource: 'workflow',
  action: 'update',
  conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
};

describe('the permission matrix of a role', () => {
  it('distinguishes own permissions from those covered by a *', () => {
    const all: RolePermission[] = [{ resource: 'workflow', action: '*' }];
    expect(permissionSource(all, 'workflow', '*')).toBe('own');
    expect(permissionSource(all, 'workflow', 'read')).toBe('wide');
    expect(permissionSource(all, 'execution', 'read')).toBeNull();
    expect(permissionSource([{ resource: '*', action: 'read' }], 'audit', 'read')).toBe('wide');
  });

  it('toggles permissions, and keeps conditional ones', () => {
    const given = togglePermission([conditional], 'workflow', 'update');
    expect(given).toEqual([conditional, { resource: 'workflow', action: 'update' }]);
    expect(togglePermission(given, 'workflow', 'update')).toEqual([conditional]);
    expect(permissionSource([conditional], 'workflow', 'update')).toBeNull();
  });

  it('describes a permission', () => {
    expect(describePermission({ resource: 'api_key', action: 'create' })).toBe('create API key');
    expect(describePermission({ resource: 'workflow', action: 'execute' })).toBe('run workflow');
    expect(describePermission({ resource: '*', action: '*' })).toBe('all actions on everything');
    expect(describePermission(conditional)).toBe('update workflow, where its creator is the caller’s id');
  });
});
