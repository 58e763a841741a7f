import { z } from 'zod';
import {
  DeleteRowsQuery,
  ListRowsResponse,
  ListRowsQuery,
  InsertRowsRequest,
  InsertRowsResponse,
  UpdateRowRequest,
  StoredTableRow,
} from '@/contract/tables/table';
import { MAX_TABLE_COLUMNS, MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import { invalidRequestProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { LIMIT_STATEMENTS_SQL } from '@/server/data/tables/table-errors';
import { findTableRows, getTableRowById } from '@/server/data/tables/read';
import { createPrismaSql, type SqlClient } from '@/server/data/tables/sql';
import { findDataTable, type DataTableRecord } from '@/server/data/tables/table';
import { readTables, writeTables } from '@/server/data/tables/transactions';
import { deleteTableRow, deleteTableRows, insertTableRows, updateTableRow } from '@/server/data/tables/write';
import { requireReadableFiles } from './file-references';

const TABLE_ROW_TAG = 'Tables';
const RowCollectionParams = z.strictObject({ id: z.string() });
const TableRowParams = z.strictObject({ id: z.string(), rowId: z.string().max(100) });
const TABLE_READ_ACCESS = memberAccess('table', 'read');
const TABLE_WRITE_ACCESS = memberAccess('table', 'write');

/** Finds the table for a change of rows, and prepares the transaction of the call for its statements. */
async function openTableForWrite(
  { db, caller: { workspaceId } }: SignedInCall,
  id: string,
): Promise<{ sql: SqlClient; table: DataTableRecord }> {
  const sql = createPrismaSql(db);
  const table = await findDataTable(sql, workspaceId, id);
  await sql.query(LIMIT_STATEMENTS_SQL);
  return { sql, table };
}

const listRowsOperation = defineOperation({
  id: 'rows.list',
  method: 'GET',
  path: '/api/tables/{id}/rows',
  summary: 'List the rows of a table',
  description:
    'Newest first, or by `sort`. Texts sort by code points and by their first 256 characters; cells without a value are last, ' +
    'and first in descending order. `ne` also matches cells without a value. A filter that reads a large table for more than ' +
    'five seconds is refused (400). A page ends early after 10 MiB of values.',
  tag: TABLE_ROW_TAG,
  access: TABLE_READ_ACCESS,
  effect: readEffect(),
  params: RowCollectionParams,
  query: ListRowsQuery,
  reply: jsonReply(ListRowsResponse),
  run: ({ caller: { workspaceId } }, { params: { id }, query }) =>
    readTables(workspaceId, async (sql) => findTableRows(sql, await findDataTable(sql, workspaceId, id), query)),
});

const insertRowsOperation = defineOperation({
  id: 'rows.insert',
  method: 'POST',
  path: '/api/tables/{id}/rows',
  summary: 'Insert rows',
  description: 'All of them or none. A value that a unique column has already is a 409.',
  tag: TABLE_ROW_TAG,
  access: TABLE_WRITE_ACCESS,
  effect: writeEffect('resource_access'),
  params: RowCollectionParams,
  body: jsonBody(InsertRowsRequest, { maxValues: 2 * MAX_ROWS_PER_CALL * MAX_TABLE_COLUMNS }),
  reply: jsonReply(InsertRowsResponse, { status: 201 }),
  async run(call, { params: { id }, body: { rows } }) {
    call.note({ resourceId: id, metadata: { rows: rows.length } });
    const { sql, table } = await openTableForWrite(call, id);
    await requireReadableFiles(call.db, call.caller, table.columns, rows, (index, name) => `rows[${index}].${name}`);
    return { data: await insertTableRows(sql, table, rows) };
  },
});

const getRowOperation = defineOperation({
  id: 'rows.get',
  method: 'GET',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Read a row',
  tag: TABLE_ROW_TAG,
  access: TABLE_READ_ACCESS,
  effect: readEffect(),
  params: TableRowParams,
  reply: jsonReply(StoredTableRow),
  async run({ caller: { workspaceId } }, { params: { id, rowId } }) {
    const row = await readTables(workspaceId, async (sql) =>
      getTableRowById(sql, await findDataTable(sql, workspaceId, id), rowId),
    );
    if (!row) throw notFoundProblem('The row');
    return row;
  },
});

const updateRowOperation = defineOperation({
  id: 'rows.update',
  method: 'PATCH',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Change columns of a row',
  description: 'The body has the columns to change. null removes a value.',
  tag: TABLE_ROW_TAG,
  access: TABLE_WRITE_ACCESS,
  effect: writeEffect('resource_access'),
  params: TableRowParams,
  body: jsonBody(UpdateRowRequest),
  reply: jsonReply(StoredTableRow),
  async run(call, { params: { id, rowId }, body }) {
    call.note({ resourceId: id, metadata: { rowId, columns: Object.keys(body).slice(0, 20) } });
    const { sql, table } = await openTableForWrite(call, id);
    await requireReadableFiles(call.db, call.caller, table.columns, [body], (_, name) => name);
    const row = await updateTableRow(sql, table, rowId, body);
    if (!row) throw notFoundProblem('The row');
    return row;
  },
});

const deleteRowOperation = defineOperation({
  id: 'rows.delete',
  method: 'DELETE',
  path: '/api/tables/{id}/rows/{rowId}',
  summary: 'Delete a row',
  tag: TABLE_ROW_TAG,
  access: TABLE_WRITE_ACCESS,
  effect: writeEffect('resource_access'),
  params: TableRowParams,
  async run(call, { params: { id, rowId } }) {
    call.note({ resourceId: id, metadata: { rowId } });
    const { sql, table } = await openTableForWrite(call, id);
    if (!(await deleteTableRow(sql, table, rowId))) throw notFoundProblem('The row');
  },
});

const deleteMatchingRowsOperation = defineOperation({
  id: 'rows.deleteMatching',
  method: 'DELETE',
  path: '/api/tables/{id}/rows',
  summary: 'Delete the rows that a filter matches',
  description: 'Without a filter it is refused (400).',
  tag: TABLE_ROW_TAG,
  access: TABLE_WRITE_ACCESS,
  // This may take seconds, and must not hold a call's transaction meanwhile.
  effect: submitEffect('resource_access'),
  params: RowCollectionParams,
  query: DeleteRowsQuery,
  async run({ db, caller: { workspaceId }, note, auditEntry }, { params: { id }, query: { filter = '' } }) {
    const count = await writeTables(workspaceId, async (sql) => {
      const table = await findDataTable(sql, workspaceId, id);
      if (filter.trim() === '') throw invalidRequestProblem([{ field: 'filter', message: 'is required' }]);
      return deleteTableRows(sql, table, filter);
    });
    note({ resourceId: id, metadata: { filter: filter.slice(0, 1000), rows: count } });
    await appendAuditEntries(db, [auditEntry()]);
  },
});

export const rowOperations = [
  listRowsOperation,
  insertRowsOperation,
  getRowOperation,
  updateRowOperation,
  deleteRowOperation,
  deleteMatchingRowsOperation,
];
