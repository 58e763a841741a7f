import type pg from 'pg';
import { isPassingFailure } from '@/server/db/failures/verdict';
import { DatabaseFailure } from '@/server/errors/database-failure';
import { NodeFailure } from '@/server/errors/node-failure';
import { Problem } from '@/server/errors/problem';
import type { ChangeData, NodeTable } from '@/server/nodes/node';
import { memory } from '@/server/remember/memory';
import { countRows, findRows, getRow, type RowSearch } from '@/server/tables/read';
import { sqlOfPg, type Sql } from '@/server/tables/sql';
import { findTable, type DataTable } from '@/server/tables/table';
import { deleteRows, incrementRow, insertRows, updateRows, upsertRow } from '@/server/tables/write';

/** Statements on tables. What repeating the transaction may solve is not reported as a problem of the table. */
function sqlOf(client: pg.ClientBase): Sql {
  const sql = sqlOfPg(client);
  const passing = (error: unknown) => {
    throw isPassingFailure(error) ? new DatabaseFailure(error) : error;
  };
  return {
    query: (...statement) => sql.query(...statement).catch(passing),
    rows: (...statement) => sql.rows(...statement).catch(passing),
  } as Sql;
}

const CODES: Partial<Record<Problem['code'], { code: string; isRetriable: boolean }>> = {
  VALIDATION_ERROR: { code: 'CONFIG', isRetriable: false },
  NOT_FOUND: { code: 'TABLE_NOT_FOUND', isRetriable: false },
  FORBIDDEN: { code: 'QUOTA', isRetriable: false },
  CONFLICT: { code: 'CONFLICT', isRetriable: true },
};

/** A unique value that another row has is named in the details, or by the message. */
const isClash = ({ code, message, details }: Problem) =>
  code === 'CONFLICT' && (details.length > 0 || message.startsWith('Another row has'));

function failureOf(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const fields = error.details.map(({ field, message }) => `${field} ${message}`).join('; ');
  if (isClash(error)) return new NodeFailure('UNIQUE_CLASH', error.message, false);
  const { code = 'INTERNAL', isRetriable = true } = CODES[error.code] ?? {};
  return new NodeFailure(code, code === 'CONFIG' && fields ? fields : error.message, isRetriable);
}

async function reporting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
}

/** The rows of one page. Throws NodeFailure if they are too large for it. */
async function findAll(sql: Sql, table: DataTable, search: RowSearch): Promise<unknown[]> {
  const { data, nextCursor } = await findRows(sql, table, search);
  if (nextCursor !== null && data.length < search.limit)
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The rows together are larger than 10 MiB. Lower the limit.', false);
  return data;
}

async function openTable(sql: Sql, workspaceId: string, id: string): Promise<NodeTable> {
  const table = await reporting(() => findTable(sql, workspaceId, id));
  return {
    get: (key) => reporting(() => getRow(sql, table, key)),
    find: (search) => reporting(() => findAll(sql, table, search)),
    count: (filter) => reporting(() => countRows(sql, table, filter)),
    insert: (rows) => reporting(() => insertRows(sql, table, rows)),
    update: (change) => reporting(() => updateRows(sql, table, change)),
    remove: (filter) => reporting(() => deleteRows(sql, table, filter)),
    upsert: (change) => reporting(() => upsertRow(sql, table, change)),
    increment: (change) => reporting(() => incrementRow(sql, table, change)),
  };
}

/** What the change of a node may read and change, in a transaction: data of the workspace of its run. */
export const changeData = (client: pg.ClientBase, run: { workspaceId: string; workflowId: string }): ChangeData => ({
  memory: memory(client, run),
  table: (id) => openTable(sqlOf(client), run.workspaceId, id),
});
