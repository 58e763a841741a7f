import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CreateTableColumn } from '@/contract/tables/table';
import { ApiProblem } from '@/server/platform/errors/problem';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { useDatabase } from '@/server/testing/database';
import { buildWorkspace, unique } from '@/server/testing/factories';
import { maintainTables } from './keeper';
import { countTableRows, findTableRows, getRowByKey } from './read';
import { createDataTable } from './schema';
import { createPgSql, createPrismaSql, type SqlClient } from './sql';
import { findDataTable, type DataTableRecord } from './table';
import { addUpTableTallies, readTableUsage } from './tally';
import { deleteTableRows, incrementTableRow, insertTableRows, updateTableRows, upsertTableRow } from './write';

useDatabase();

const COLUMNS: CreateTableColumn[] = [
  { name: 'email', type: 'text', isRequired: true, isUnique: true },
  { name: 'amount', type: 'number' },
  { name: 'isPaid', type: 'boolean' },
  { name: 'due at', type: 'timestamp' },
  { name: 'more', type: 'json' },
];

let workspaceId: string;
let table: DataTableRecord;
let client: pg.PoolClient;
let sql: SqlClient;

beforeEach(async () => {
  workspaceId = await buildWorkspace();
  client = await databasePool().connect();
  sql = createPgSql(client);
  table = await createDataTable(sql, { workspaceId, name: unique('table'), columns: COLUMNS, createdBy: null });
});

afterEach(() => client.release());

async function refusal(work: Promise<unknown>): Promise<ApiProblem> {
  const error: unknown = await work.then(
    () => expect.unreachable('it was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiProblem)) throw error;
  return error;
}

const emails = async (filter: unknown, sort = 'email') =>
  (await findTableRows(sql, table, { filter, sort, limit: 1000 })).data.map(({ email }) => email);

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `p${String(index).padStart(3, '0')}@example.com`,
    amount: index % 7 === 0 ? null : index % 10,
    isPaid: index % 3 === 0,
    'due at': index % 5 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (index % 9))).toISOString(),
  }));

test('a page ends early when its rows are large, and the next one goes on', async () => {
  for (let batch = 0; batch < 3; batch += 1) {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      email: `${batch * 50 + index}@example.com`,
      more: { text: 'x'.repeat(90_000) },
    }));
    await insertTableRows(sql, table, rows);
  }
  for (const sort of ['createdAt', '-email', 'amount']) {
    const found = new Set<unknown>();
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await findTableRows(sql, table, { sort, limit: 1000, cursor });
      for (const { email } of page.data) found.add(email);
      sizes.push(page.data.length);
      cursor = page.nextCursor;
    }
    expect(found.size).toBe(150);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThan(120);
  }
});

describe('inserting', () => {
  test('returns the rows in their order, with every type of value as it was given', async () => {
    const given = {
      email: 'ada@example.com',
      amount: -1.5e-7,
      isPaid: false,
      'due at': '2026-02-28',
      more: { a: [1, null] },
    };
    const rows = await insertTableRows(sql, table, [given, { email: 'Ωmega ‘%_\\' }]);
    expect(rows[0]).toMatchObject({
      ...given,
      'due at': '2026-02-28T00:00:00.000Z',
      id: expect.stringMatching(/^row_.{20,}/),
    });
    expect(rows[1]).toMatchObject({ email: 'Ωmega ‘%_\\', amount: null, isPaid: null, 'due at': null, more: null });
    expect(await getRowByKey(sql, table, { email: 'Ωmega ‘%_\\' })).toEqual(rows[1]);
  });

  test('names the row and the column of each wrong value', async () => {
    const rows = [
      { email: 'a' },
      { email: 7, amount: '7', 'due at': '2026-02-30', id: 'row_x', other: 1 },
      'no object',
    ];
    const { code, details } = await refusal(insertTableRows(sql, table, rows));
    expect(code).toBe('VALIDATION_ERROR');
    expect(details).toEqual([
      { field: 'rows[1].email', message: 'must be a text' },
      { field: 'rows[1].amount', message: 'must be a number' },
      { field: 'rows[1].due at', message: expect.stringContaining('ISO 8601') },
      { field: 'rows[1].id', message: 'is set by the service' },
      { field: 'rows[1].other', message: 'is not a column of this table' },
      { field: 'rows[2]', message: expect.stringContaining('must be an object') },
    ]);
    expect(await countTableRows(sql, table)).toBe(0);
  });

  test('refuses a required column without a value, and a unique value that another row has', async () => {
    expect((await refusal(insertTableRows(sql, table, [{ amount: 1 }]))).details).toEqual([
      { field: 'rows[0].email', message: 'is required' },
    ]);
    await insertTableRows(sql, table, [{ email: 'a' }]);
    const clash = await refusal(insertTableRows(sql, table, [{ email: 'b' }, { email: 'a' }]));
    expect(clash).toMatchObject({ code: 'CONFLICT', details: [{ field: 'email' }] });
    expect(await emails(undefined)).toEqual(['a']);
  });

  test('of concurrent insertions of one unique value exactly one succeeds, through either client', async () => {
    const insert = (by: SqlClient) => insertTableRows(by, table, [{ email: 'once' }]);
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => insert(createPgSql(databasePool()))),
      ...Array.from({ length: 4 }, () => runInDatabaseTransaction(true, (db) => insert(createPrismaSql(db)))),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as ApiProblem] : []));
    expect(new Set(refused.map(({ code, details }) => `${code} ${details[0]?.field}`))).toEqual(
      new Set(['CONFLICT email']),
    );
  });

  test('belongs to the transaction of its caller', async () => {
    await client.query('BEGIN');
    await insertTableRows(sql, table, [{ email: 'gone' }]);
    await client.query('ROLLBACK');
    expect(await emails(undefined)).toEqual([]);
    expect(await countTableRows(sql, table)).toBe(0);
    await prismaClient()
      .$transaction(async (db) => {
        await insertTableRows(createPrismaSql(db), table, [{ email: 'gone' }]);
        throw new Error('later');
      })
      .catch(() => undefined);
    expect(await emails(undefined)).toEqual([]);
  });
});

describe('filters', () => {
  const at = (column: string, operator: string, value?: unknown) => ({ column, operator, value });

  beforeEach(async () => {
    await insertTableRows(sql, table, [
      { email: 'a_1', amount: 1, isPaid: true, 'due at': '2026-01-01' },
      { email: 'a%2', amount: 2, isPaid: false },
      { email: 'b\\3', amount: null, more: { x: 1 } },
      { email: `${'x'.repeat(300)}1`, amount: 4 },
      { email: `${'x'.repeat(300)}2`, amount: -4 },
    ]);
  });

  const x1 = `${'x'.repeat(300)}1`;
  const x2 = `${'x'.repeat(300)}2`;

  test.each([
    [at('email', 'eq', 'a_1'), ['a_1']],
    [at('email', 'eq', x2), [x2]],
    [at('email', 'ne', 'a_1'), ['a%2', 'b\\3', x1, x2]],
    [at('email', 'gt', x1), [x2]],
    [at('email', 'lte', 'a_1'), ['a%2', 'a_1']],
    [at('email', 'in', ['a_1', x1, null]), ['a_1', x1]],
    [at('email', 'in', []), []],
    [at('email', 'contains', '%'), ['a%2']],
    [at('email', 'contains', '\\'), ['b\\3']],
    [at('email', 'starts_with', 'a_'), ['a_1']],
    [at('email', 'starts_with', 'x'.repeat(301)), []],
    [at('email', 'starts_with', x1), [x1]],
    [at('amount', 'gte', 2), ['a%2', x1]],
    [at('amount', 'eq', null), ['b\\3']],
    [at('amount', 'ne', 4), ['a%2', 'a_1', 'b\\3', x2]],
    [at('amount', 'in', [1, null]), ['a_1', 'b\\3']],
    [at('isPaid', 'eq', false), ['a%2']],
    [at('due at', 'lt', '2026-01-02T00:00:00+01:00'), ['a_1']],
    [at('more', 'is_null', false), ['b\\3']],
    [{ and: [at('amount', 'gt', 0), { or: [at('isPaid', 'is_null', true), at('email', 'eq', 'a_1')] }] }, ['a_1', x1]],
  ])('%j', async (filter, expected) => {
    expect(await emails(filter)).toEqual(expected);
    expect(await emails(JSON.stringify(filter))).toEqual(expected);
    expect(await countTableRows(sql, table, filter)).toBe(expected.length);
  });

  test.each([
    [at('nothing', 'eq', 1), 'filter.column'],
    [at('amount', 'like', 1), 'filter.operator'],
    [at('amount', 'contains', '1'), 'filter.operator'],
    [at('amount', 'eq', '1'), 'filter.value'],
    [at('more', 'eq', {}), 'filter.operator'],
    [at('email', 'in', 'a'), 'filter.value'],
    [{ and: [at('amount', 'gt', 1), { or: [at('due at', 'gt', 'soon')] }] }, 'filter.and[1].or[0].value'],
    [{ and: [] }, 'filter.and'],
    [{ and: [at('amount', 'gt', 1)], column: 'a' }, 'filter.column'],
    ['{', 'filter'],
    [[], 'filter'],
  ])('%j is refused at %s', async (filter, field) => {
    const { code, details } = await refusal(findTableRows(sql, table, { filter, limit: 10 }));
    expect(code).toBe('VALIDATION_ERROR');
    expect(details.map((one) => one.field)).toEqual([field]);
  });
});

async function everyPage(
  of: DataTableRecord,
  search: { sort: string; limit: number; filter?: unknown },
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await findTableRows(sql, of, { ...search, cursor });
    expect(page.data.length).toBeLessThanOrEqual(search.limit);
    found.push(...page.data.map(({ email }) => email));
    cursor = page.nextCursor;
  }
  return found;
}

test('a filter with more values than a statement takes is refused', async () => {
  const list = { column: 'amount', operator: 'in', value: Array.from({ length: 1000 }, (_, index) => index) };
  const found = (count: number) => countTableRows(sql, table, { or: Array.from({ length: count }, () => list) });
  await expect(found(10)).resolves.toBeDefined();
  await expect(found(70)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: expect.arrayContaining([
      { field: 'filter.or[10].value', message: 'at most 10,000 values are possible in all lists together' },
    ]) as unknown,
  });
});

describe('pages', () => {
  test.each([
    'email',
    '-email',
    'amount',
    '-amount',
    'isPaid,-amount',
    '-isPaid,due at,email',
    '-due at,-amount',
    'createdAt',
    '-createdAt',
  ])('sorted by %s have every row once, in the order of the whole list', async (sort) => {
    await insertTableRows(sql, table, people(60));
    const whole = await emails(undefined, sort);
    const filter = { column: 'isPaid', operator: 'ne', value: true };
    const unpaid = await emails(filter, sort);
    // A large table without an index of several columns reads its pages in parts.
    for (const analyzedRows of [0, 10_000]) {
      const read = { ...table, analyzedRows };
      for (const limit of [3, 59]) expect(await everyPage(read, { sort, limit })).toEqual(whole);
      expect(await everyPage(read, { sort, limit: 4, filter })).toEqual(unpaid);
    }
    expect([new Set(whole).size, unpaid.length]).toEqual([60, 40]);
  });

  test('a cursor that is none, or of another sort, is refused', async () => {
    await insertTableRows(sql, table, people(5));
    const { nextCursor } = await findTableRows(sql, table, { sort: 'email', limit: 2 });
    const forged = Buffer.from('["c1","1; DROP TABLE x",null]').toString('base64url');
    for (const [sort, cursor] of [
      ['-email', nextCursor ?? ''],
      ['email', 'nonsense'],
      ['email', forged],
    ]) {
      expect((await refusal(findTableRows(sql, table, { sort, limit: 2, cursor }))).details[0]?.field).toBe('cursor');
    }
  });

  test('without a sort are in the reverse order of insertion', async () => {
    await insertTableRows(sql, table, people(3));
    const { data } = await findTableRows(sql, table, { limit: 10 });
    expect(data.map(({ email }) => email)).toEqual(
      people(3)
        .map(({ email }) => email)
        .reverse(),
    );
  });
});

describe('changes', () => {
  test('update and delete the rows that a filter matches, and keep the tally exact', async () => {
    await insertTableRows(sql, table, people(30));
    const paid = { column: 'isPaid', operator: 'eq', value: true };
    expect(
      await updateTableRows(sql, table, { filter: paid, row: { amount: 99, more: { long: 'x'.repeat(50) } } }),
    ).toBe(10);
    expect(await countTableRows(sql, table, { column: 'amount', operator: 'eq', value: 99 })).toBe(10);
    expect(await deleteTableRows(sql, table, paid)).toBe(10);
    expect((await readTableUsage(workspaceId)).rows).toBe(20);
    await addUpTableTallies();
    expect(await countTableRows(sql, table)).toBe(20);
    expect(await deleteTableRows(sql, table)).toBe(20);
    expect(await readTableUsage(workspaceId)).toMatchObject({ rows: 0, bytes: 0 });
  });

  test('upsert makes a row, then changes it', async () => {
    const made = await upsertTableRow(sql, table, { key: { email: 'a' }, row: { amount: 1 } });
    const changed = await upsertTableRow(sql, table, { key: { email: 'a' }, row: { amount: 2 } });
    expect(changed).toMatchObject({ id: made.id, email: 'a', amount: 2 });
    expect((await refusal(upsertTableRow(sql, table, { key: { amount: 5 }, row: {} }))).details).toEqual([
      { field: 'row.email', message: 'is required for a new row' },
    ]);
    await insertTableRows(sql, table, [{ email: 'b', amount: 2 }]);
    expect((await refusal(upsertTableRow(sql, table, { key: { amount: 2 }, row: { isPaid: true } }))).code).toBe(
      'CONFLICT',
    );
  });

  test('concurrent increments of a row that does not exist add up in one row', async () => {
    const columns: CreateTableColumn[] = [
      { name: 'day', type: 'timestamp' },
      { name: 'count', type: 'number' },
    ];
    const counters = await createDataTable(sql, { workspaceId, name: unique('table'), columns, createdBy: null });
    const increment = async () =>
      runInDatabaseTransaction(true, (db) =>
        incrementTableRow(createPrismaSql(db), counters, { key: { day: '2026-01-01' }, column: 'count', by: 2 }),
      );
    await Promise.all(Array.from({ length: 8 }, increment));
    expect((await findTableRows(sql, counters, { limit: 10 })).data).toMatchObject([{ count: 16 }]);
  });
});

test('a table of another workspace is not found', async () => {
  const other = await buildWorkspace();
  expect((await refusal(findDataTable(sql, other, table.id))).code).toBe('NOT_FOUND');
});

test('the rows go with the workspace', async () => {
  await databasePool().query('DELETE FROM workspace WHERE id = $1', [workspaceId]);
  const { rows } = await databasePool().query('SELECT to_regclass($1)::text AS storage', [`"${table.id}"`]);
  expect(rows).toEqual([{ storage: null }]);
});

test('the keeper builds an index for a column that somebody searches', async () => {
  await insertTableRows(sql, table, people(5));
  expect(await emails({ column: 'email', operator: 'contains', value: '003@' })).toEqual(['p003@example.com']);
  await maintainTables();
  const { rows } = await databasePool().query(
    'SELECT indexdef FROM pg_indexes WHERE tablename = $1 AND indexdef LIKE $2',
    [table.id, '%gin_trgm_ops%'],
  );
  expect(rows).toHaveLength(1);
  expect(await emails({ column: 'email', operator: 'contains', value: '003@' })).toEqual(['p003@example.com']);
  // As if it were large: the search goes by the rare parts of its text.
  const large = { ...(await findDataTable(sql, workspaceId, table.id)), analyzedRows: 10_000 };
  const filter = { column: 'email', operator: 'contains', value: '003@example.c' };
  const { data } = await findTableRows(sql, large, { filter, limit: 10 });
  expect(data.map(({ email }) => email)).toEqual(['p003@example.com']);
  expect(await countTableRows(sql, large, filter)).toBe(1);
  const { rows: kept } = await databasePool().query('SELECT is_indexed FROM data_table WHERE id = $1', [table.id]);
  expect(kept).toEqual([{ is_indexed: true }]);
});

test('the keeper builds an index of several columns for a list that is in use, and pages stay whole', async () => {
  await insertTableRows(sql, table, people(60));
  const list = async () => {
    const current = await findDataTable(sql, workspaceId, table.id);
    const filter = { and: [{ column: 'isPaid', operator: 'eq', value: true }] };
    const found: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await findTableRows(sql, current, { filter, sort: '-amount,email', limit: 7, cursor });
      found.push(...page.data.map(({ email }) => email));
      cursor = page.nextCursor;
    }
    return found;
  };
  const indexes = async () => {
    const { rows } = await databasePool().query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE tablename = $1 AND indexname LIKE '%\\_list'`,
      [table.id],
    );
    return rows.map(({ indexdef }) => indexdef.replace(/.*USING /, ''));
  };
  const before = await list();
  await maintainTables();
  expect(await indexes()).toEqual([]);
  // As if it had so many rows: smaller tables are sorted in memory.
  await databasePool().query('UPDATE data_table SET analyzed_rows = 10000 WHERE id = $1', [table.id]);
  for (let count = 0; count < 40; count += 1) await list();
  await maintainTables();
  expect(await indexes()).toEqual(['btree (c3, c2, "left"(c1, 256) DESC, n DESC)']);
  expect(await list()).toEqual(before);
  expect(new Set(before).size).toBe(20);
});
