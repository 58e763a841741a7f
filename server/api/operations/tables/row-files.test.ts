import { beforeEach, expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { ImportRowsResult, TableResponse, StoredTableRow } from '@/contract/tables/table';
import { databasePool } from '@/server/platform/db/client';
import { removeUnneededFiles } from '@/server/data/files/keeper';
import { storeUpload } from '@/server/data/files/store';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase();

let user: TestUser;
let table: TableResponse;

const COLUMNS = [
  { name: 'name', type: 'text' },
  { name: 'doc', type: 'json' },
  { name: 'more', type: 'json' },
];

const send = <Body = unknown>(method: string, path: string, body?: unknown, as = user) =>
  call<Body & Refused>(method, path, { token: as.token, body });
const at = (path = '') => `/api/tables/${table.id}${path}`;
const insert = (...rows: object[]) => send<{ data: StoredTableRow[] }>('POST', at('/rows'), { rows });
const upload = ({ workspaceId }: TestUser): Promise<FileValue> =>
  storeUpload(
    (async function* content() {
      yield Buffer.from('content');
    })(),
    { workspaceId },
  );
const usesOf = async ({ $file }: FileValue) => {
  const { rows } = await databasePool().query('SELECT column_id FROM row_file_use WHERE file_id = $1 ORDER BY 1', [
    $file,
  ]);
  return rows.map((row: { column_id: string }) => row.column_id);
};
/** Whether it is still there after all checks that could remove it. */
async function isKept({ $file }: FileValue): Promise<boolean> {
  await databasePool().query(`UPDATE file_check SET due_at = now() - interval '1 second'`);
  await removeUnneededFiles();
  return (await databasePool().query('SELECT FROM file WHERE id = $1', [$file])).rowCount === 1;
}
const csv = (text: string, query = '') =>
  call<ImportRowsResult & Refused>('POST', at(`/rows/import${query}`), {
    token: user.token,
    raw: text,
    headers: { 'content-type': 'text/csv' },
  });

beforeEach(async () => {
  user = await buildUser();
  table = (await send<TableResponse>('POST', '/api/tables', { name: unique('Papers'), columns: COLUMNS })).body;
});

test('a file lives as long as a cell names it', async () => {
  const [one, other] = [await upload(user), await upload(user)];
  const { body } = await insert(
    { name: 'a', doc: { deep: [one] }, more: other },
    { name: JSON.stringify(one), doc: {} },
  );
  const [row, text] = body.data;
  expect([await usesOf(one), await usesOf(other)]).toEqual([['c2'], ['c3']]);
  expect([await isKept(one), await isKept(other)]).toEqual([true, true]);
  await send('PATCH', at(`/rows/${row!.id}`), { name: 'b' });
  await send('PATCH', at(`/rows/${row!.id}`), { doc: other });
  expect([await usesOf(one), await usesOf(other)]).toEqual([[], ['c2', 'c3']]);
  // A text is not parsed.
  expect([await isKept(one), await isKept(other)]).toEqual([false, true]);
  await send('DELETE', at(`/rows/${text!.id}`));
  await send('DELETE', at(`/rows/${row!.id}`));
  expect(await isKept(other)).toBe(false);
});

test('a file goes with its column, and with its table', async () => {
  const [one, other] = [await upload(user), await upload(user)];
  await insert({ doc: one, more: other });
  const columns = COLUMNS.filter(({ name }) => name !== 'doc');
  expect((await send('PUT', at(), { columns })).status).toBe(200);
  expect([await isKept(one), await isKept(other)]).toEqual([false, true]);
  expect((await send('DELETE', at())).status).toBe(204);
  expect(await isKept(other)).toBe(false);
});

test('a JSON column that a table gets later counts', async () => {
  const columns = [{ name: 'name', type: 'text' }];
  table = (await send<TableResponse>('POST', '/api/tables', { name: unique('Later'), columns })).body;
  table = (await send<TableResponse>('PUT', at(), { columns: [...columns, { name: 'doc', type: 'json' }] })).body;
  const file = await upload(user);
  const { body } = await insert({ doc: file });
  expect(await usesOf(file)).toEqual(['c2']);
  await send('PATCH', at(`/rows/${body.data[0]!.id}`), { doc: null });
  expect(await usesOf(file)).toEqual([]);
});

test('an import counts, and its lines name only files that the caller may read', async () => {
  const stranger = await buildUser();
  const [own, foreign] = [await upload(user), await upload(stranger)];
  const cell = (file: FileValue) => `"${JSON.stringify(file).replaceAll('"', '""')}"`;
  const text = `name,doc\na,${cell(own)}\nb,${cell(foreign)}\n`;
  const refused = await csv(text);
  expect(refused.body).toEqual({ inserted: 0, failed: [{ line: 3, message: expect.stringContaining(foreign.$file) }] });
  expect(await usesOf(own)).toEqual([]);
  expect((await csv(text, '?onError=skip')).body).toMatchObject({ inserted: 1, failed: [{ line: 3 }] });
  expect([await usesOf(own), await usesOf(foreign)]).toEqual([['c2'], []]);
});

test('who may read the table may read its files, and nobody of another workspace', async () => {
  const { workspaceId } = user;
  const viewer = await buildUser({ workspaceId, role: 'viewer' });
  const others = await buildPermitted(workspaceId, [{ resource: 'execution', action: 'read' }]);
  const stranger = await buildUser();
  const file = await upload(user);
  const statuses = async () =>
    Promise.all(
      [user, viewer, others, stranger].map(
        async (as) => (await send('GET', `/api/files/${file.$file}`, undefined, as)).status,
      ),
    );
  expect(await statuses()).toEqual([200, 404, 404, 404]);
  await insert({ doc: file });
  expect(await statuses()).toEqual([200, 200, 404, 404]);
});

test('a row names only files that its writer may read', async () => {
  const stranger = await buildUser();
  const writer = await buildPermitted(user.workspaceId, [{ resource: 'table', action: 'write' }]);
  const [own, foreign] = [await upload(user), await upload(stranger)];
  const as = (who: TestUser, file: FileValue) => send('POST', at('/rows'), { rows: [{}, { doc: [file] }] }, who);
  for (const [who, file] of [
    [user, foreign],
    [writer, own],
  ] as const) {
    const { status, body } = await as(who, file);
    expect([status, body.error.details[0]?.field]).toEqual([400, 'rows[1].doc']);
  }
  const { body } = await insert({});
  const patched = await send('PATCH', at(`/rows/${body.data[0]!.id}`), { doc: foreign });
  expect([patched.status, patched.body.error.details[0]?.field]).toEqual([400, 'doc']);
  // Neither does what goes past the API, such as a run.
  await databasePool().query(`INSERT INTO "${table.id}" (id, c2) VALUES ('row_x', $1)`, [foreign]);
  expect(await usesOf(foreign)).toEqual([]);
  expect((await as(user, own)).status).toBe(201);
});

test('a role on one table permits it and the files of its rows, not other tables', async () => {
  const { workspaceId } = user;
  const other = (await send<TableResponse>('POST', '/api/tables', { name: unique('Other'), columns: COLUMNS })).body;
  const [file, hidden] = [await upload(user), await upload(user)];
  await insert({ doc: file });
  await send('POST', `/api/tables/${other.id}/rows`, { rows: [{ doc: hidden }] });
  const member = await buildPermitted(workspaceId, [{ resource: 'execution', action: 'read' }]);
  const assigned = await send('POST', '/auth/rbac', {
    userId: member.id,
    roleId: 'viewer',
    resource: { type: 'table', id: table.id },
  });
  expect([200, 201], JSON.stringify(assigned.body)).toContain(assigned.status);
  const list = await send<{ data: TableResponse[]; total: number }>('GET', '/api/tables', undefined, member);
  expect([list.body.total, list.body.data?.map(({ id }) => id)]).toEqual([1, [table.id]]);
  const status = async (path: string) => (await send('GET', path, undefined, member)).status;
  expect([await status(at('/rows')), await status(`/api/tables/${other.id}/rows`)]).toEqual([200, 403]);
  expect([await status(`/api/files/${file.$file}`), await status(`/api/files/${hidden.$file}`)]).toEqual([200, 404]);
  const { data } = (await send<{ data: { resource: object | null }[] }>('GET', '/auth/rbac/assignments')).body;
  expect(data.map(({ resource }) => resource)).toContainEqual({ type: 'table', id: table.id, name: table.name });
});
