import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import type { ImportRowsResult, ListRowsResponse, TableResponse, StoredTableRow } from '@/contract/tables/table';
import { QUOTAS_BY_TIER } from '@/contract/quota';
import { databasePool } from '@/server/platform/db/client';
import { routeWebRequest } from '@/server/api/http/routes';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkspace, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { until } from '@/server/testing/runs';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase();

const COLUMNS = [
  { name: 'email', type: 'text', isRequired: true, isUnique: true },
  { name: 'amount', type: 'number' },
  { name: 'seen', type: 'timestamp' },
  { name: 'tags', type: 'json' },
];

let user: TestUser;
let table: TableResponse;

const send = <Body = unknown>(method: string, path: string, body?: unknown, as = user) =>
  call<Body & Refused>(method, path, { token: as.token, body });
const at = (path = '') => `/api/tables/${table.id}${path}`;
const csv = (text: string, query = '') =>
  call<ImportRowsResult & Refused>('POST', at(`/rows/import${query}`), {
    token: user.token,
    raw: text,
    headers: { 'content-type': 'text/csv' },
  });
const insert = (...rows: object[]) => send<{ data: StoredTableRow[] }>('POST', at('/rows'), { rows });
const allRows = async () => (await send<ListRowsResponse>('GET', at('/rows?sort=email'))).body.data;
const fields = ({ error }: Refused) => error.details.map(({ field }) => field);

beforeEach(async () => {
  user = await buildUser();
  const made = await send<TableResponse>('POST', '/api/tables', { name: unique('Customers'), columns: COLUMNS });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  table = made.body;
});

describe('a table', () => {
  test('is created, listed, read, renamed and deleted', async () => {
    expect(table).toMatchObject({ id: expect.stringMatching(/^tbl_.{20,}/), rows: 0, createdBy: user.id });
    expect(table.columns[1]).toEqual({ id: 'c2', name: 'amount', type: 'number', isRequired: false, isUnique: false });
    await insert({ email: 'a' });
    expect((await send<{ data: TableResponse[] }>('GET', '/api/tables')).body.data).toEqual([{ ...table, rows: 1 }]);
    expect((await send<TableResponse>('PUT', at(), { name: 'People' })).body).toMatchObject({
      name: 'People',
      rows: 1,
    });
    expect((await send('DELETE', at())).status).toBe(204);
    expect((await send('GET', at())).status).toBe(404);
    expect((await send('GET', at('/rows'))).status).toBe(404);
  });

  test('has a name of its own, and columns that can be told apart', async () => {
    const again = await send('POST', '/api/tables', { name: table.name, columns: [] });
    expect(again.status).toBe(409);
    const columns = [
      { name: 'Email', type: 'text' },
      { name: 'email', type: 'text' },
      { name: 'createdAt', type: 'timestamp' },
      { name: 'a,b', type: 'text' },
      { name: 'more', type: 'json', isUnique: true },
    ];
    const { body } = await send('POST', '/api/tables', { name: 'x', columns });
    expect(fields(body)).toEqual(['columns[2].name', 'columns[3].name', 'columns[1].name', 'columns[4].isUnique']);
  });

  test('gets, loses and renames columns; its rows keep the others', async () => {
    await insert({ email: 'a', amount: 1, tags: ['x'] });
    const [email, amount] = table.columns;
    const columns = [{ ...amount, name: 'total' }, email, { name: 'note', type: 'text' }];
    const { body, status } = await send<TableResponse>('PUT', at(), { columns });
    expect([status, body.columns?.map(({ id, name }) => `${id} ${name}`)]).toEqual([
      200,
      ['c2 total', 'c1 email', 'c5 note'],
    ]);
    expect(await allRows()).toMatchObject([{ total: 1, email: 'a', note: null }]);
    expect(Object.keys((await allRows())[0] ?? {}).toSorted()).toEqual([
      'createdAt',
      'email',
      'id',
      'note',
      'total',
      'updatedAt',
    ]);
    const { data: entries } = (await send<{ data: AuditEntryResponse[] }>('GET', '/auth/audit')).body;
    const entry = entries.find(({ action }) => action === 'tables.update')!;
    expect(entry.metadata).toMatchObject({ added: ['note'], removed: ['seen', 'tags'], renamed: ['amount → total'] });
  });

  test('takes rules that its rows permit, and refuses others with the column', async () => {
    await insert({ email: 'a', amount: 1 }, { email: 'b', amount: 1 }, { email: 'c' });
    const change = (rules: object) =>
      send<TableResponse>('PUT', at(), {
        columns: COLUMNS.map((one) => (one.name === 'amount' ? { ...one, ...rules } : one)),
      });
    for (const [rules, field] of [
      [{ isUnique: true }, 'columns[1].isUnique'],
      [{ isRequired: true }, 'columns[1].isRequired'],
    ] as const) {
      const { status, body } = await change(rules);
      expect([status, fields(body)], JSON.stringify(body)).toEqual([409, [field]]);
    }
    const required = [...COLUMNS, { name: 'new', type: 'text', isRequired: true }];
    expect(fields((await send('PUT', at(), { columns: required })).body)).toEqual(['columns[4].isRequired']);
    expect(fields((await change({ type: 'text' })).body)).toEqual(['columns[1].type']);

    await send(
      'DELETE',
      at(`/rows?filter=${encodeURIComponent('{"column":"email","operator":"in","value":["b","c"]}')}`),
    );
    expect((await change({ isUnique: true, isRequired: true })).body.columns[1]).toMatchObject({ isUnique: true });
    expect((await insert({ email: 'd', amount: 1 })).status).toBe(409);
    expect((await insert({ email: 'd' })).status).toBe(400);
    expect((await change({})).status).toBe(200);
    expect((await insert({ email: 'd', amount: 1 })).status).toBe(201);
  });
});

describe('rows', () => {
  test('are inserted, read, changed and deleted', async () => {
    const { status, body } = await insert({ email: 'a', amount: 1 }, { email: 'b' });
    expect(status).toBe(201);
    const row = body.data[0]!;
    expect((await send('GET', at(`/rows/${row.id}`))).body).toEqual(row);
    const changed = await send<StoredTableRow>('PATCH', at(`/rows/${row.id}`), { amount: null, tags: { a: 1 } });
    expect(changed.body).toMatchObject({ id: row.id, email: 'a', amount: null, tags: { a: 1 } });
    expect(fields((await send('PATCH', at(`/rows/${row.id}`), { amount: 'x', no: 1 })).body)).toEqual(['amount', 'no']);
    expect((await send('PATCH', at(`/rows/${row.id}`), { email: 'b' })).status).toBe(409);
    expect((await send('DELETE', at(`/rows/${row.id}`))).status).toBe(204);
    expect((await send('DELETE', at(`/rows/${row.id}`))).status).toBe(404);
    expect(await allRows()).toMatchObject([{ email: 'b' }]);
  });

  test('are deleted by a filter, and never without one', async () => {
    await insert({ email: 'a', amount: 1 }, { email: 'b', amount: 2 });
    for (const query of ['', '?filter=', '?filter=%20'])
      expect((await send('DELETE', at(`/rows${query}`))).status).toBe(400);
    const filter = encodeURIComponent(JSON.stringify({ column: 'amount', operator: 'gt', value: 1 }));
    expect((await send('DELETE', at(`/rows?filter=${filter}`))).status).toBe(204);
    expect(await allRows()).toMatchObject([{ email: 'a' }]);
  });

  test('come in pages', async () => {
    await insert(...Array.from({ length: 5 }, (_, index) => ({ email: `p${index}` })));
    const first = (await send<ListRowsResponse>('GET', at('/rows?sort=-email&limit=3'))).body;
    expect(first.data.map(({ email }) => email)).toEqual(['p4', 'p3', 'p2']);
    const second = (await send<ListRowsResponse>('GET', at(`/rows?sort=-email&limit=3&cursor=${first.nextCursor}`)))
      .body;
    expect([second.data.map(({ email }) => email), second.nextCursor]).toEqual([['p1', 'p0'], null]);
    for (const query of ['limit=1001', 'limit=0', 'sort=nothing', 'sort=tags', 'cursor=x', 'filter=x']) {
      expect((await send('GET', at(`/rows?${query}`))).status, query).toBe(400);
    }
  });

  test('beyond the quota of the workspace are refused, also one that two calls reach together', async () => {
    const free = await buildUser({ workspaceId: await buildWorkspace({ tier: 'free' }) });
    const { id } = (await send<TableResponse>('POST', '/api/tables', { name: 'full', columns: COLUMNS }, free)).body;
    await databasePool().query('INSERT INTO data_table_tally (table_id, rows, bytes) VALUES ($1, $2, 0)', [
      id,
      QUOTAS_BY_TIER.free.tableRows - 1,
    ]);
    const one = (email: string) => send('POST', `/api/tables/${id}/rows`, { rows: [{ email }] }, free);
    const answers = await Promise.all([one('a'), one('b'), one('c')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect((await insert({ email: 'other workspace' })).status).toBe(201);
    const usage = await send<{ quotas: Record<string, unknown> }>(
      'GET',
      `/api/workspaces/${free.workspaceId}/usage`,
      undefined,
      free,
    );
    expect(usage.body.quotas).toMatchObject({ tables: { used: 1 }, tableRows: { used: 10_000, remaining: 0 } });
  });

  test('need table:write, and their table’s schema table:update', async () => {
    const { workspaceId } = user;
    const reader = await buildPermitted(workspaceId, [{ resource: 'table', action: 'read' }]);
    const writer = await buildPermitted(workspaceId, [{ resource: 'table', action: 'write' }]);
    const rows = { rows: [{ email: 'a' }] };
    expect((await send('GET', at('/rows'), undefined, reader)).status).toBe(200);
    expect((await send('POST', at('/rows'), rows, reader)).status).toBe(403);
    expect((await send('POST', at('/rows'), rows, writer)).status).toBe(201);
    expect((await send('GET', at('/rows'), undefined, writer)).status).toBe(403);
    expect((await send('PUT', at(), { name: 'x' }, writer)).status).toBe(403);
  });
});

describe('CSV', () => {
  test('stops when its sender has gone, and stores nothing', async () => {
    const gone = new AbortController();
    const lines = Array.from({ length: 50_000 }, (_, n) => `p${n}@example.com,${n}`).join('\n');
    const request = new Request(`http://weft.test${at('/rows/import')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'text/csv' },
      body: `email,amount\n${lines}\n`,
      signal: gone.signal,
    });
    const answer = routeWebRequest(request);
    const isInserting = async () =>
      (
        await databasePool().query(
          `SELECT FROM pg_locks WHERE relation = to_regclass($1) AND mode = 'RowExclusiveLock'`,
          [`"${table.id}"`],
        )
      ).rowCount;
    await until(isInserting, 'the import to insert');
    gone.abort();
    expect((await answer).status).toBe(400);
    expect((await send<ListRowsResponse>('GET', at('/rows'))).body.data).toEqual([]);
  });

  test('that is exported is imported as it was', async () => {
    const rows = [
      { email: '=1+1', amount: -2, seen: '2026-01-31T08:15:30.000Z', tags: { a: ['"', ','] } },
      { email: "'@x", amount: null, seen: null, tags: null },
      { email: 'line\r\nbreak, "quoted" ', amount: 1e21, seen: null, tags: 'text' },
      { email: '', amount: 0.1, seen: null, tags: -1 },
      { email: '+49 123', amount: null, seen: null, tags: [] },
    ];
    await insert(...rows);
    const { body, headers } = await call<string>('GET', at('/rows.csv?sort=createdAt'), { token: user.token });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(body.split('\r\n')[0]).toBe('id,email,amount,seen,tags,createdAt,updatedAt');
    expect(body).toContain(",'=1+1,-2,2026-01-31T08:15:30.000Z,");
    await send(
      'DELETE',
      at(`/rows?filter=${encodeURIComponent('{"column":"email","operator":"is_null","value":false}')}`),
    );
    expect((await csv(body)).body).toEqual({ inserted: 5, failed: [] });
    const { data } = (await send<ListRowsResponse>('GET', at('/rows?sort=createdAt'))).body;
    expect(data).toMatchObject(rows);
  });

  const FILE = '\ufeffemail,amount,seen\na,1,2026-01-31\n\n"b\nb",x,\na,2,\nc,3,2026-02-30\nd\n';

  test('that does not fit leaves the table as it was, and names the lines', async () => {
    await insert({ email: 'z' });
    const { status, body } = await csv(FILE);
    expect([status, body.inserted]).toEqual([200, 0]);
    expect(body.failed.map(({ line }) => line)).toEqual([4, 7, 8]);
    expect(body.failed[0]?.message).toBe('amount must be a number');
    expect(await allRows()).toMatchObject([{ email: 'z' }]);
  });

  test('with onError=skip has the lines that fit', async () => {
    const { body } = await csv(FILE, '?onError=skip');
    expect(body).toMatchObject({ inserted: 1, failed: [{ line: 4 }, { line: 6 }, { line: 7 }, { line: 8 }] });
    expect(body.failed[1]?.message).toContain('email');
    expect(await allRows()).toMatchObject([{ email: 'a', amount: 1, seen: '2026-01-31T00:00:00.000Z' }]);
  });

  test('of several thousand lines is inserted in its order', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `p${index},${index}`);
    expect((await csv(`email,amount\n${lines.join('\n')}`)).body).toEqual({ inserted: 2500, failed: [] });
    expect((await send<TableResponse>('GET', at())).body.rows).toBe(2500);
    const { data } = (await send<ListRowsResponse>('GET', at('/rows?limit=2'))).body;
    expect(data.map(({ amount }) => amount)).toEqual([2499, 2498]);
  });

  test('with a header of thousands of names is refused, and twenty of them are named', async () => {
    const { status, body } = await csv(`email,${Array.from({ length: 10_000 }, (_, index) => `n${index}`).join()}\n`);
    expect(status).toBe(400);
    expect(body.error.message).toContain('It has more than 20 faults, of which the first 20 are listed.');
    expect(body.error.details).toHaveLength(20);
  });

  test('with more cells in a line than spreadsheet programs have columns is refused', async () => {
    const { status, body } = await csv(`email\n${','.repeat(16_384)}\n`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'line 2', message: 'A row has more than 16384 cells (line 2)' }]);
  });

  test('that is cut off, damaged or of another format leaves the table as it was, and the place is named', async () => {
    const place = (raw: Uint8Array) =>
      call<ImportRowsResult & Refused>('POST', at('/rows/import'), {
        token: user.token,
        raw: new Uint8Array(raw),
        headers: { 'content-type': 'text/csv' },
      });
    const mixed = Buffer.concat([Buffer.from('email;amount\nZoë;1\n'), Buffer.from('José;2\n', 'latin1')]);
    const documents: [Uint8Array, RegExp][] = [
      [mixed, /byte 0xE9 in line 3, column 4/],
      [Buffer.from('\ufeffemail\nab', 'utf16le').subarray(0, -1), /line 2|cut off/],
      [Buffer.from('email,amount\nb,"2\n3,4\n'), /line 2/],
      [gzipSync('email\na'), /The file is .*gzip/i],
      [Buffer.from('%PDF-1.7\n'), /The file is .*PDF/],
      [Buffer.from(`${'email,'.repeat(10_000)}\n`), /email/],
      [Buffer.from(`email\n${'x,'.repeat(10_000)}\n`), /2,\\?"has 10001 cells/],
    ];
    for (const [document, reason] of documents) {
      const { status, body } = await place(document);
      const told = body.error
        ? [body.error.message, ...body.error.details.map(Object.values)]
        : body.failed.map(Object.values);
      expect([status === 400 || body.inserted === 0, JSON.stringify(told)]).toEqual([
        true,
        expect.stringMatching(reason),
      ]);
    }
    expect(await allRows()).toEqual([]);
  });

  test('with another header, another type or another encoding is refused', async () => {
    expect(fields((await csv('email,other,email\n')).body)).toEqual(['other', 'email']);
    expect(fields((await csv('amount\n1')).body)).toEqual(['email']);
    expect((await csv('')).status).toBe(400);
    expect((await csv('email\n"a')).status).toBe(400);
    const headers = { 'content-type': 'text/csv' };
    const raw = new Uint8Array([...Buffer.from('email\n'), 0xff]);
    expect((await call('POST', at('/rows/import'), { token: user.token, raw, headers })).status).toBe(400);
    expect((await call('POST', at('/rows/import'), { token: user.token, raw: '[]' })).status).toBe(400);
    expect(await allRows()).toEqual([]);
  });

  test('is read as spreadsheet programs save it: delimiters, quotes, empty rows and columns, encodings', async () => {
    const text = 'Kunden\r\n;;\r\nemail;amount;\r\n5" Rö;1;\r\n;;\r\n"x;y"z;2;\r\n';
    expect((await csv(text, '?headerRow=3')).body).toEqual({ inserted: 2, failed: [] });
    expect((await csv('sep=|\nemail|amount\na,b;c|3\n')).body).toEqual({ inserted: 1, failed: [] });
    expect((await csv('amount;email\n4;a,b\n5;c,d,e', '?delimiter=%3B')).body).toEqual({ inserted: 2, failed: [] });
    const { data } = (await send<ListRowsResponse>('GET', at('/rows?sort=amount'))).body;
    expect(data.map(({ email, amount }) => [email, amount])).toEqual([
      ['5" Rö', 1],
      ['x;yz', 2],
      ['a,b;c', 3],
      ['a,b', 4],
      ['c,d,e', 5],
    ]);
    const bytes = (raw: Uint8Array, query = '') =>
      call<ImportRowsResult & Refused>('POST', at(`/rows/import${query}`), {
        token: user.token,
        raw: new Uint8Array(raw),
        headers: { 'content-type': 'text/csv' },
      });
    const latin = Buffer.from('email;amount\nß;6\n', 'latin1');
    expect((await bytes(latin)).body.error.message).toContain('The byte 0xDF in line 2, column 1 is not UTF-8.');
    expect((await bytes(latin, '?encoding=windows-1252')).body.inserted).toBe(1);
    expect((await bytes(Buffer.from('\ufeffemail\tamount\nÿ\t7\n', 'utf16le'))).body.inserted).toBe(1);
    expect((await bytes(Buffer.from('email\tamount\nŁ\t8\n', 'utf16le'))).body.inserted).toBe(1);
    expect((await bytes(Buffer.from('PK\u0003\u0004xx'))).body.error.message).toContain('The file is a ZIP archive');
  });

  test('that lacks its header, or has values without a name, is refused', async () => {
    expect((await csv('email\n\na', '?headerRow=2')).body.error.message).toContain('Row 2 of the file is empty');
    expect((await csv('email;\na;1')).body.failed).toEqual([
      { line: 2, message: 'cell 2 has a value, and no name in the header' },
    ]);
    expect((await csv('email\na', '?headerRow=0')).status).toBe(400);
    expect((await csv('email\na', '?encoding=klingon')).status).toBe(400);
  });
});
