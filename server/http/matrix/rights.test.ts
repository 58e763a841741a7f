import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ApiKeyScope } from '@/contract/access/api-key';
import { ACTIONS, Resource, SystemRole } from '@/contract/access/security';
import { isAllowed, SYSTEM_ROLES } from '@/server/access/permissions';
import { cutDown } from '@/server/access/scopes';
import { accessWord, type Operation } from '@/server/api/operation';
import { operations } from '@/server/operations';

/** The table of rights as people read it: nothing of it is derived from the code. */
const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/operate/rights.md'), 'utf8');
const [, ROLES = '', OPERATIONS = ''] = PAGE.split(/^## /m);

/** The cells of the rows of tables, without headings. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Permission|Operation) \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

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
  expect(rowsOf(ROLES)).toEqual(expected);
  expect(ApiKeyScope.options).toHaveLength(4);
  const [heading = ''] = /^\| Permission .*$/m.exec(ROLES) ?? [];
  expect(
    heading
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''))
      .filter(Boolean),
  ).toEqual([
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

const needsOf = ({ access }: Operation) =>
  access.kind === 'member' && access.isFiltered ? `${accessWord(access)}, filtered` : accessWord(access);

test('the table has each operation once, with its address and what it needs', () => {
  const byId = new Map(rowsOf(OPERATIONS).map((row) => [row[0], row]));
  const all = operations as readonly Operation[];
  for (const operation of all) {
    const { id, method, path: address } = operation;
    expect(byId.get(id), `${id} in docs/operate/rights.md`).toEqual([id, `${method} ${address}`, needsOf(operation)]);
  }
  expect(
    rowsOf(OPERATIONS)
      .map(([id]) => id)
      .toSorted(),
  ).toEqual(all.map(({ id }) => id).toSorted());
});
