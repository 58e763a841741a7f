import { describe, expect, it } from 'vitest';
import type { RolePermission } from '@/contract/access/role';
import { grantOf, permissionText, toggled } from './role-matrix';

const conditional: RolePermission = {
  resource: 'workflow',
  action: 'update',
  conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
};

describe('the permission matrix of a role', () => {
  it('distinguishes own permissions from those covered by a *', () => {
    const all: RolePermission[] = [{ resource: 'workflow', action: '*' }];
    expect(grantOf(all, 'workflow', '*')).toBe('own');
    expect(grantOf(all, 'workflow', 'read')).toBe('wide');
    expect(grantOf(all, 'execution', 'read')).toBeNull();
    expect(grantOf([{ resource: '*', action: 'read' }], 'audit', 'read')).toBe('wide');
  });

  it('toggles permissions, and keeps conditional ones', () => {
    const given = toggled([conditional], 'workflow', 'update');
    expect(given).toEqual([conditional, { resource: 'workflow', action: 'update' }]);
    expect(toggled(given, 'workflow', 'update')).toEqual([conditional]);
    expect(grantOf([conditional], 'workflow', 'update')).toBeNull();
  });

  it('describes a permission', () => {
    expect(permissionText({ resource: 'api_key', action: 'create' })).toBe('create API key');
    expect(permissionText({ resource: '*', action: '*' })).toBe('all actions on everything');
    expect(permissionText(conditional)).toBe('update workflow, where its creator is the caller’s id');
  });
});
