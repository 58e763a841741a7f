import { describe, expect, it } from 'vitest';
import type { RolePermission } from '@/contract/role';
import { grantOf, permissionText, toggled } from './role-matrix';

const conditional: RolePermission = {
  resource: 'workflow',
  action: 'update',
  conditions: [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }],
};

describe('the matrix of a role', () => {
  it('tells what a role has by itself from what a * covers', () => {
    const all: RolePermission[] = [{ resource: 'workflow', action: '*' }];
    expect(grantOf(all, 'workflow', '*')).toBe('own');
    expect(grantOf(all, 'workflow', 'read')).toBe('wide');
    expect(grantOf(all, 'execution', 'read')).toBeNull();
    expect(grantOf([{ resource: '*', action: 'read' }], 'audit', 'read')).toBe('wide');
  });

  it('gives and takes, and leaves permissions with conditions alone', () => {
    const given = toggled([conditional], 'workflow', 'update');
    expect(given).toEqual([conditional, { resource: 'workflow', action: 'update' }]);
    expect(toggled(given, 'workflow', 'update')).toEqual([conditional]);
    expect(grantOf([conditional], 'workflow', 'update')).toBeNull();
  });

  it('says a permission in words', () => {
    expect(permissionText({ resource: 'api_key', action: 'create' })).toBe('create with api key');
    expect(permissionText({ resource: '*', action: '*' })).toBe('anything with everything');
    expect(permissionText(conditional)).toBe('update with workflow, where its creator is the caller’s id');
  });
});
