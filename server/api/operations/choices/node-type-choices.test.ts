import { beforeAll, describe, expect, test } from 'vitest';
import type { ListChoicesResponse } from '@/contract/choices';
import type { TableResponse } from '@/contract/tables/table';
import { prismaClient } from '@/server/platform/db/client';
import { generateApiKey, hashApiKey } from '@/server/people/auth/api-key';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import {
  buildCredential,
  buildUser,
  buildWorkspace,
  call,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { toPlainChoice } from './choice-source';
import { NODE_TYPE_CHOICE_LISTERS } from './node-type-choices';
import { SERVER_CHOICE_LISTERS } from '@/server/connectors/server-choices';

useDatabase({ rateLimitTier: 'unlimited' });

let owner: TestUser;
let stranger: TestUser;
let people: TableResponse;
let orders: TableResponse;
let foreign: TableResponse;

const COLUMNS = [
  { name: 'email', type: 'text', isRequired: true, isUnique: true },
  { name: 'Amount due', type: 'number' },
  { name: 'tags', type: 'json' },
];

async function createTable(user: TestUser, name: string, columns: object[] = COLUMNS): Promise<TableResponse> {
  const { status, body } = await call<TableResponse>('POST', '/api/tables', {
    token: user.token,
    body: { name, columns },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const choose = (body: object, options: Parameters<typeof call>[2] = { token: owner.token }, type = 'table') =>
  call<ListChoicesResponse & Refused>('POST', `/api/node-types/${type}/choices`, { ...options, body });
const labels = ({ body: { data } }: { body: ListChoicesResponse }) => data.map(({ label }) => label);
const faults = ({ status, body }: { status: number; body: Refused }) => [status, body.error.details[0]?.field];

beforeAll(async () => {
  const workspaceId = await buildWorkspace();
  owner = await buildUser({ workspaceId, role: 'owner' });
  stranger = await buildUser();
  people = await createTable(owner, 'People');
  orders = await createTable(owner, 'Orders of 100 %', [{ name: 'total', type: 'number' }]);
  foreign = await createTable(stranger, 'Foreign');
});

describe('tables as choices', () => {
  test('are named, sorted, found by a part of the name, and only those of the workspace', async () => {
    const all = await choose({ source: 'tables' });
    expect(all.status).toBe(200);
    expect(all.body).toEqual({
      data: [
        { value: orders.id, label: 'Orders of 100 %' },
        { value: people.id, label: 'People' },
      ],
      nextCursor: null,
    });
    expect(labels(await choose({ source: 'tables', search: 'PEO' }))).toEqual(['People']);
    expect(labels(await choose({ source: 'tables', search: '%' }))).toEqual(['Orders of 100 %']);
    expect(labels(await choose({ source: 'tables' }, { token: stranger.token }))).toEqual(['Foreign']);
  });

  test('come in pages that neither repeat nor leave out', async () => {
    const user = await buildUser();
    const names = Array.from({ length: 103 }, (_, index) => `Table ${String(index).padStart(3, '0')}`);
    await prismaClient().dataTable.createMany({
      data: names.map((name) => ({
        id: generateId('tbl'),
        workspaceId: user.workspaceId,
        name,
        columns: [],
        nextColumn: 1,
      })),
    });
    const first = await choose({ source: 'tables' }, { token: user.token });
    expect(first.body.data).toHaveLength(100);
    const { nextCursor } = first.body;
    const second = await choose({ source: 'tables', cursor: nextCursor }, { token: user.token });
    expect([...labels(first), ...labels(second)]).toEqual(names);
    expect(second.body.nextCursor).toBeNull();
    expect(faults(await choose({ source: 'tables', cursor: 'none!' }))).toEqual([400, 'cursor']);
  });

  test('a member sees only those that the member may read', async () => {
    const reader = await buildPermitted(owner.workspaceId, [
      { resource: 'table', action: 'read', on: { type: 'table', id: people.id } },
    ]);
    const as = { token: reader.token };
    expect(labels(await choose({ source: 'tables' }, as))).toEqual(['People']);
    expect((await choose({ source: 'columns', values: { tableId: people.id } }, as)).status).toBe(200);
    const hidden = await choose({ source: 'columns', values: { tableId: orders.id } }, as);
    const unknown = await choose({ source: 'columns', values: { tableId: 'tbl_none' } }, as);
    expect([hidden.status, unknown.status]).toEqual([403, 403]);
    const nobody = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: 'update' }]);
    expect((await choose({ source: 'tables' }, { token: nobody.token })).status).toBe(403);
  });
});

describe('columns as choices', () => {
  test('have their types, and say which are required', async () => {
    const { body } = await choose({ source: 'columns', values: { tableId: people.id, other: [1] } });
    expect(body).toEqual({
      data: [
        { value: 'email', label: 'email', type: 'text', isRequired: true },
        { value: 'Amount due', label: 'Amount due', type: 'number', isRequired: false },
        { value: 'tags', label: 'tags', type: 'json', isRequired: false },
      ],
      nextCursor: null,
    });
  });

  test.each([
    ['keyColumns', ['email', 'Amount due']],
    ['numberColumns', ['Amount due']],
    ['sortColumns', ['email', 'Amount due', 'Time of creation', 'Time of the last change', 'Id of the row']],
  ])('%s are those that fit', async (source, expected) => {
    expect(labels(await choose({ source, values: { tableId: people.id } }))).toEqual(expected);
  });

  test('need a table of the workspace', async () => {
    expect(faults(await choose({ source: 'columns' }))).toEqual([400, 'values.tableId']);
    expect(faults(await choose({ source: 'columns', values: { tableId: '' } }))).toEqual([400, 'values.tableId']);
    expect(faults(await choose({ source: 'columns', values: { tableId: {} } }))).toEqual([400, 'values.tableId']);
    for (const tableId of [foreign.id, '{{ input.table }}', '__proto__'])
      expect(faults(await choose({ source: 'columns', values: { tableId } }))).toEqual([400, 'values.tableId']);
  });
});

test('only sources of the record are listed', async () => {
  for (const source of ['nothing', 'constructor', '__proto__'])
    expect(faults(await choose({ source }))).toEqual([400, 'source']);
  expect(faults(await choose({ source: 'tables' }, undefined, 'delay'))).toEqual([400, 'source']);
  expect((await choose({ source: 'tables' }, undefined, 'nothing')).status).toBe(404);
});

test('the sources of a node of the service take no credential', async () => {
  const own = await buildCredential(owner, 'mcp', { url: 'https://tools.example/mcp' });
  const other = await buildCredential(stranger, 'mcp', { url: 'https://tools.example/mcp' });
  for (const credentialId of [own, other])
    expect(faults(await choose({ source: 'tables', credentialId }))).toEqual([400, 'credentialId']);
});

test('a key needs the scope write', async () => {
  const store = async (scopes: string[]) => {
    const key = generateApiKey();
    const { id: userId, workspaceId } = owner;
    const about = { id: generateId('key'), workspaceId, userId, name: 'Choices', hash: hashApiKey(key), hint: '' };
    await prismaClient().apiKey.create({ data: { ...about, scopes } });
    return (await choose({ source: 'tables' }, { headers: { 'x-api-key': key } })).status;
  };
  expect([await store(['read']), await store(['admin']), await store(['write']), await store(['*'])]).toEqual([
    403, 403, 200, 200,
  ]);
});

test('every source that a node type names is listed, and no other', () => {
  const named = nodeTypeDefinitions.flatMap(({ type, sources }) => (sources ? [[type, Object.keys(sources)]] : []));
  const listed = Object.entries({ ...NODE_TYPE_CHOICE_LISTERS, ...SERVER_CHOICE_LISTERS }).map(([type, listers]) => [
    type,
    Object.keys(listers),
  ]);
  const sorted = (all: unknown[][]) =>
    Object.fromEntries(all.map(([type, names]) => [type, (names as string[]).toSorted()]));
  expect(sorted(named)).toEqual(sorted(listed));
});

test('texts of choices are plain and short', () => {
  const long = toPlainChoice({ value: 'v', label: 'x'.repeat(300), hint: 'a\u0000\n\tb' });
  expect(long).toEqual({ value: 'v', label: `${'x'.repeat(199)}…`, hint: 'a b' });
  expect(toPlainChoice({ value: 7, label: '\u0007 ' }).label).toBe('7');
  expect(toPlainChoice({ value: 'v', label: `${'x'.repeat(198)}😀😀` }).label.isWellFormed()).toBe(true);
});
