import { z } from 'zod';
import {
  RowDeleteQuery,
  RowPage,
  RowQuery,
  RowsInsert,
  RowsInserted,
  RowUpdate,
  TableRow,
} from '@/contract/tables/table';
import { MAX_COLUMNS, MAX_ROWS } from '@/contract/tables/table-columns';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import { invalid, notFound } from '@/server/errors/problem';
import { LIMIT_STATEMENTS } from '@/server/tables/faults';
import { findRows, getRowById } from '@/server/tables/read';
import { sqlOfPrisma, type Sql } from '@/server/tables/sql';
import { findTable, type DataTable } from '@/server/tables/table';
import { readingTables, writingTables } from '@/server/tables/transactions';
import { deleteRow, deleteRows, insertRows, updateRow } from '@/server/tables/write';
import { requireReadableFiles } from './named-files';

const tag = 'Tables';
const Id = z.strictObject({ id: z.string() });
const RowId = z.strictObject({ id: z.string(), rowId: z.string().max(100) });
const read = memberAccess('table', 'read');
const write = memberAccess('table', 'write');

/** The table that a change of rows is about, and what its statements run on: the transaction of the call. */
async function opened(
  { db, caller: { workspaceId } }: SignedInCall,
  id: string,
): Promise<{ sql: Sql; table: DataTable }> {
  const sql = sqlOfPrisma(db);
  const table = await findTable(sql, workspaceId, id);
  await sql.query(LIMIT_STATEMENTS);
  return { sql, table };
}

const list = operation({
  id: 'rows.list',
  method: 'GET',
  path: '/api/tables/{id}/rows',
  summary: 'List the rows of a table',
  description:
    'Newest first, or by `sort`. Texts sort by code points and by their first 256 characters; cells without a value are last, ' +
    'and first in descending order. `ne` also matches cells without a value. A filter that reads a large table for more than ' +
    'five seconds is refused (400). A page ends early after 10 MiB of values.',
  tag,
  access: read,
  effect: readEffect(),
  params: Id,
  query: RowQuery,
  reply: jsonReply(RowPage),
  run: ({ caller: { workspaceId } }, { params: { id }, query }) =>
    readingTables(workspaceId, async (sql) => findRows(sql, await findTable(sql, workspaceId, id), query)),
});

const insert = operation({
  id: 'rows.insert',
  method: 'POST',
  path: '/api/tables/{id}/rows',
  summary: 'Insert rows',
  description: 'All of them or none. A value that a unique column has already is a 409.',
  tag,
  access: write,
  effect: writeEffect('resource_access'),
  params: Id,
  body: jsonBody(RowsInsert, { maxValues: 2 * MAX_ROWS * MAX_COLUMNS }),
  reply: jsonReply(RowsInserted, { status: 201 }),
  async run(call, { params: { id }, body: { rows } }) {
    call.note({ resourceId: id, metadata: { rows: rows.length } });
    const { sql, table } = await opened(call, id);
    await requireReadableFiles(call.db, call.caller, table.columns, rows, (index, name) => `rows[${index}].${name}`);
    return { data: await insertRows(sql, table, rows) };
  },
});

const get = operation({
  id: 'rows.get',
  method: 'GET',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Read a row',
  tag,
  access: read,
  effect: readEffect(),
  params: RowId,
  reply: jsonReply(TableRow),
  async run({ caller: { workspaceId } }, { params: { id, rowId } }) {
    const row = await readingTables(workspaceId, async (sql) =>
      getRowById(sql, await findTable(sql, workspaceId, id), rowId),
    );
    if (!row) throw notFound('The row');
    return row;
  },
});

const update = operation({
  id: 'rows.update',
  method: 'PATCH',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Change columns of a row',
  description: 'The body has the columns to change. null removes a value.',
  tag,
  access: write,
  effect: writeEffect('resource_access'),
  params: RowId,
  body: jsonBody(RowUpdate),
  reply: jsonReply(TableRow),
  async run(call, { params: { id, rowId }, body }) {
    call.note({ resourceId: id, metadata: { rowId, columns: Object.keys(body).slice(0, 20) } });
    const { sql, table } = await opened(call, id);
    await requireReadableFiles(call.db, call.caller, table.columns, [body], (_, name) => name);
    const row = await updateRow(sql, table, rowId, body);
    if (!row) throw notFound('The row');
    return row;
  },
});

const remove = operation({
  id: 'rows.delete',
  method: 'DELETE',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Delete a row',
  tag,
  access: write,
  effect: writeEffect('resource_access'),
  params: RowId,
  async run(call, { params: { id, rowId } }) {
    call.note({ resourceId: id, metadata: { rowId } });
    const { sql, table } = await opened(call, id);
    if (!(await deleteRow(sql, table, rowId))) throw notFound('The row');
  },
});

const removeMatching = operation({
  id: 'rows.deleteMatching',
  method: 'DELETE',
  path: '/api/tables/{id}/rows',
  summary: 'Delete the rows that a filter matches',
  description: 'Without a filter it is refused (400).',
  tag,
  access: write,
  // It may take seconds, and must not keep a transaction of the calls meanwhile.
  effect: submitEffect('resource_access'),
  params: Id,
  query: RowDeleteQuery,
  async run({ db, caller: { workspaceId }, note, auditEntry }, { params: { id }, query: { filter = '' } }) {
    const count = await writingTables(workspaceId, async (sql) => {
      const table = await findTable(sql, workspaceId, id);
      if (filter.trim() === '') throw invalid([{ field: 'filter', message: 'is required' }]);
      return deleteRows(sql, table, filter);
    });
    note({ resourceId: id, metadata: { filter: filter.slice(0, 1000), rows: count } });
    await record(db, [auditEntry()]);
  },
});

export const rows = [list, insert, get, update, remove, removeMatching];
