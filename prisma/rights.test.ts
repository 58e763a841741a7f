import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildWorkspace, unique } from '@/server/testing/factories';

useDatabase();

const SQL = readFileSync(path.join(import.meta.dirname, 'squashed/2/20261128031000_rights/migration.sql'), 'utf8');
const [GRANT = ''] = /UPDATE role[^;]*;/.exec(SQL) ?? [];

const USE = { resource: 'connector', action: 'use' };
const own = [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }];

test.each([
  ['may change workflows', [{ resource: 'workflow', action: 'update' }], true],
  ['may change its own', [{ resource: 'workflow', action: '*', conditions: own }], true],
  ['may save polls', [{ resource: 'poll', action: 'create' }], true],
  ['may update everything', [{ resource: '*', action: 'update' }], true],
  [
    'has it under a condition',
    [
      { resource: 'workflow', action: 'create' },
      { ...USE, conditions: own },
    ],
    true,
  ],
  ['has it', [{ resource: 'workflow', action: 'create' }, USE], false],
  ['may do everything', [{ resource: '*', action: '*' }], false],
  ['runs workflows only', [{ resource: 'workflow', action: 'execute' }], false],
])(
  'the upgrade gives connector:use to a custom role that could save nodes: one that %s',
  async (_, before, isGiven) => {
    const workspaceId = await buildWorkspace();
    const id = generateId('role');
    const role = { id, workspaceId, name: unique('role'), description: '', inherits: [], lineage: [id] };
    await prismaClient().role.create({ data: { ...role, permissions: before as object[] } });
    await databasePool().query(GRANT);
    const { permissions } = await prismaClient().role.findUniqueOrThrow({ where: { id } });
    expect(permissions).toEqual(isGiven ? [...before, USE] : before);
  },
);
