import { expect, test } from 'vitest';
import { ApiKeyScope } from '@/contract/access/api-key';
import { ACTIONS_BY_RESOURCE, PermissionResource, SystemRole } from '@/contract/access/security';
import { isAllowedOnEveryObject, SYSTEM_ROLES } from '@/server/people/access/permissions';
import { restrictToScopes } from '@/server/people/access/scopes';
import { accessWord, type OperationRecord } from '@/server/api/operation/operation';
import { operationTable } from '@/server/api/operations';
import { operationRows, permissionRows, rightsHeading } from '@/server/testing/rights-page';

const everything = [{ resource: '*' as const, action: '*' as const }];
const COLUMNS = [
  ...SystemRole.options.toReversed().map((role) => SYSTEM_ROLES.find(({ name }) => name === role)?.permissions ?? []),
  ...(['read', 'write', 'admin', '*'] satisfies ApiKeyScope[]).map((scope) => restrictToScopes(everything, [scope])),
];

test('the table has each permission, with the roles and scopes that have it', () => {
  const words = PermissionResource.options.flatMap((resource) =>
    ACTIONS_BY_RESOURCE[resource].map((action) => ({ resource, action })),
  );
  const expected = words.map(({ resource, action }) => [
    `${resource}:${action}`,
    ...COLUMNS.map((permissions) => (isAllowedOnEveryObject(permissions, resource, action) ? 'yes' : '–')),
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
    for (const resource of PermissionResource.options) {
      const forbidden = ACTIONS_BY_RESOURCE[resource].filter(
        (action) => !isAllowedOnEveryObject(viewer, resource, action),
      );
      expect(
        forbidden.filter((action) => isAllowedOnEveryObject(restrictToScopes(viewer, [scope]), resource, action)),
      ).toEqual([]);
    }
  }
});

const needsOf = ({ access }: OperationRecord) =>
  access.kind === 'member'
    ? [accessWord(access), ...(access.isFiltered ? ['filtered'] : []), ...(access.or ? [`or ${access.or}`] : [])].join(
        ', ',
      )
    : accessWord(access);

test('the table has each operation once, with its address and what it needs', () => {
  const byId = new Map(operationRows.map((row) => [row[0], row]));
  const all = operationTable as readonly OperationRecord[];
  for (const operation of all) {
    const { id, method, path: address } = operation;
    expect(byId.get(id), `${id} in docs/operate/rights.md`).toEqual([id, `${method} ${address}`, needsOf(operation)]);
  }
  expect(operationRows.map(([id]) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
});
