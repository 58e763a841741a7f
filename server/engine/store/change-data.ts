import type pg from 'pg';
import { isTransientFailure } from '@/server/platform/db/failures/verdict';
import { DatabaseFailure } from '@/server/platform/errors/database-failure';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { ApiProblem } from '@/server/platform/errors/problem';
import type { ChangeTransaction, TableAccess } from '@/server/workflow/nodes/node-type';
import { openMemory } from '@/server/data/remember/memory';
import { countTableRows, findTableRows, getRowByKey, type TableRowSearch } from '@/server/data/tables/read';
import { createPgSql, type SqlClient } from '@/server/data/tables/sql';
import { findDataTable, type DataTableRecord } from '@/server/data/tables/table';
import {
  deleteAndListRows,
  deleteTableRows,
  incrementTableRow,
  insertTableRows,
  updateAndListRows,
  updateTableRows,
  upsertTableRow,
} from '@/server/data/tables/write';

/**
 * Runs statements on tables. A failure that a repeated transaction may solve becomes a DatabaseFailure, not a problem
 * of the table.
 */
function tableSql(client: pg.ClientBase): SqlClient {
  const sql = createPgSql(client);
  const passing = (error: unknown) => {
    throw isTransientFailure(error) ? new DatabaseFailure(error) : error;
  };
  return {
    query: (...statement) => sql.query(...statement).catch(passing),
    rows: (...statement) => sql.rows(...statement).catch(passing),
  } as SqlClient;
}

const NODE_FAILURE_BY_PROBLEM: Partial<Record<ApiProblem['code'], { code: string; isRetriable: boolean }>> = {
  VALIDATION_ERROR: { code: 'CONFIG', isRetriable: false },
  NOT_FOUND: { code: 'TABLE_NOT_FOUND', isRetriable: false },
  FORBIDDEN: { code: 'QUOTA', isRetriable: false },
  CONFLICT: { code: 'CONFLICT', isRetriable: true },
};

/** True for a unique value that another row has: the details name it, or the message says so. */
const isUniqueClash = ({ code, message, details }: ApiProblem) =>
  code === 'CONFLICT' && (details.length > 0 || message.startsWith('Another row has'));

function toTableFailure(error: unknown): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const fields = error.details.map(({ field, message }) => `${field} ${message}`).join('; ');
  if (isUniqueClash(error)) return new NodeFailure('UNIQUE_CLASH', error.message, false);
  const { code = 'INTERNAL', isRetriable = true } = NODE_FAILURE_BY_PROBLEM[error.code] ?? {};
  return new NodeFailure(code, code === 'CONFIG' && fields ? fields : error.message, isRetriable);
}

async function withTableFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toTableFailure(error);
  }
}

/** The rows of one page. Throws NodeFailure if they are too large for it. */
async function findNodeTableRows(sql: SqlClient, table: DataTableRecord, search: TableRowSearch): Promise<unknown[]> {
  const { data, nextCursor } = await findTableRows(sql, table, search);
  if (nextCursor !== null && data.length < search.limit)
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The rows together are larger than 10 MiB. Lower the limit.', false);
  return data;
}

async function openNodeTable(sql: SqlClient, workspaceId: string, id: string): Promise<TableAccess> {
  const table = await withTableFailures(() => findDataTable(sql, workspaceId, id));
  return {
    get: (key) => withTableFailures(() => getRowByKey(sql, table, key)),
    find: (search) => withTableFailures(() => findNodeTableRows(sql, table, search)),
    count: (filter) => withTableFailures(() => countTableRows(sql, table, filter)),
    insert: (rows) => withTableFailures(() => insertTableRows(sql, table, rows)),
    columns: table.columns,
    update: (change) => withTableFailures(() => updateTableRows(sql, table, change)),
    updateAndList: (change) => withTableFailures(() => updateAndListRows(sql, table, change)),
    remove: (filter) => withTableFailures(() => deleteTableRows(sql, table, filter)),
    removeAndList: (filter) => withTableFailures(() => deleteAndListRows(sql, table, filter)),
    upsert: (change) => withTableFailures(() => upsertTableRow(sql, table, change)),
    increment: (change) => withTableFailures(() => incrementTableRow(sql, table, change)),
  };
}

/** Gives the change of a node access to the data of its run's workspace, inside the transaction. */
export const openChangeData = (
  client: pg.ClientBase,
  run: { workspaceId: string; workflowId: string },
): ChangeTransaction => ({
  memory: openMemory(client, run),
  table: (id) => openNodeTable(tableSql(client), run.workspaceId, id),
});
