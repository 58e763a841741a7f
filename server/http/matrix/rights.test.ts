import { expect, test } from 'vitest';
import { ApiKeyScope } from '@/contract/access/api-key';
import { ACTIONS, Resource, SystemRole } from '@/contract/access/security';
import { isAllowed, SYSTEM_ROLES } from '@/server/access/permissions';
import { cutDown } from '@/server/access/scopes';
import { accessWord, type Operation } from '@/server/api/operation';
import { operations } from '@/server/operations';
import { operationRows, permissionRows, rightsHeading } from '@/server/testing/rights-page';

const everything = [{ resource: '*' as const, action: '*' as const }];
const COLUMNS = [
  ...SystemRole.options.toReversed().map((role) => SYSTEM_ROLES.find(({ name }) => name === role)?.permissions ?? []),
  ...(['read', 'write', 'admin', '*'] satisfies ApiKeyScope[]).map((scope) => cutDown(everything, [scope])),
];

test('the table has each permission, with the roles and scopes that have it', () => {
  const words = Resource.options.flatMap((resource) => ACTIONS[resource].map((action) => ({ resource, action })));
  const expected = words.map(({ resource, action }) => [
    `${resource}:${action}`,
    ...COLUMNS.map((permissions) => (isAllowed(permissions, resource, action) ? 'yes' : '–')),
  ]);
  expect(permissionRows).toEqual(expected);
  expect(ApiKeyScope.options).toHaveLength(4);
  expect(rightsHeading).toEqual([
    'Permission',
    'viewer',
    'operator',
    'editor',
    'admin',
    'owner',
    'key read',
    'key write',
    'key admin',
    'key *',
  ]);
});

test('a key has no more than its creator', () => {
  const viewer = SYSTEM_ROLES.find(({ name }) => name === 'viewer')?.permissions ?? [];
  for (const scope of ApiKeyScope.options) {
    for (const resource of Resource.options) {
      const forbidden = ACTIONS[resource].filter((action) => !isAllowed(viewer, resource, action));
      expect(forbidden.filter((action) => isAllowed(cutDown(viewer, [scope]), resource, action))).toEqual([]);
    }
  }
});

const needsOf = ({ access }: Operation) =>
  access.kind === 'member' && access.isFiltered ? `${accessWord(access)}, filtered` : accessWord(access);

test('the table has each operation once, with its address and what it needs', () => {
  const byId = new Map(operationRows.map((row) => [row[0], row]));
  const all = operations as readonly Operation[];
  for (const operation of all) {
    const { id, method, path: address } = operation;
    expect(byId.get(id), `${id} in docs/operate/rights.md`).toEqual([id, `${method} ${address}`, needsOf(operation)]);
  }
  expect(operationRows.map(([id]) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
});
