import type { StoredTableRow } from '@/contract/tables/table';
import { MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { toTableRow, type DatabaseTableRow } from './cells';
import { MAX_PAGE_BYTES, rowColumnsSql } from './read';
import { rowColumnName, type SqlClient, type SqlParameters } from './sql';
import type { DataTableRecord } from './table';
import { runOnTable } from './table-errors';

/**
 * SQL of the columns that a row is presented from, JSON as text: a client would parse the cells of all rows in one go.
 */
export const rowTexts = (table: DataTableRecord): string =>
  table.columns
    .filter(({ type }) => type === 'json')
    .reduce((sql, { id }) => `${sql}, ${rowColumnName(id)}::text AS ${rowColumnName(id)}`, plainColumns(table));

const plainColumns = (table: DataTableRecord) =>
  rowColumnsSql({ ...table, columns: table.columns.filter(({ type }) => type !== 'json') });

/** The rows with the values of their JSON, in turns with others. */
export async function parseCells(
  { columns }: DataTableRecord,
  rows: readonly DatabaseTableRow[],
): Promise<DatabaseTableRow[]> {
  const json = columns.filter(({ type }) => type === 'json');
  if (json.length === 0) return [...rows];
  const timer = new YieldTimer();
  const parsed: DatabaseTableRow[] = [];
  for (const row of rows) {
    const cells = json.map(({ id }) => [id, row[id] === null ? null : (JSON.parse(String(row[id])) as unknown)]);
    parsed.push({ ...row, ...Object.fromEntries(cells) } as DatabaseTableRow);
    if (timer.isDue) await timer.take();
  }
  return parsed;
}

/** A statement that changes or removes rows: its result, `changed`, has the rows. */
export interface RowsStatement {
  sql: string;
  values: SqlParameters['values'];
}

/** Runs a statement that changes or removes rows. Returns how many. */
export async function countChangedRows(
  sql: SqlClient,
  table: DataTableRecord,
  statement: RowsStatement,
): Promise<number> {
  const counting = `${statement.sql} SELECT count(*)::float8 AS count FROM changed`;
  const [changed] = await runOnTable(table, () => sql.query<{ count: number }>(counting, statement.values));
  return changed?.count ?? 0;
}

/** The rows of a change. Too many, or too large ones, never leave the database: they refuse the change. */
export async function listChangedRows(
  sql: SqlClient,
  table: DataTableRecord,
  statement: RowsStatement,
): Promise<StoredTableRow[]> {
  const listing = `${statement.sql},
    total AS (SELECT count(*)::float8 AS total_rows, coalesce(sum(size), 0)::float8 AS total_bytes FROM changed)
    SELECT total_rows, total_bytes, r.* FROM total LEFT JOIN (SELECT n, ${rowTexts(table)} FROM changed) r
    ON total_rows <= ${MAX_ROWS_PER_CALL} AND total_bytes <= ${MAX_PAGE_BYTES} ORDER BY n`;
  const rows = await runOnTable(table, () =>
    sql.rows<DatabaseTableRow & { total_rows: number; total_bytes: number }>(listing, statement.values),
  );
  const [{ total_rows: count = 0, total_bytes: bytes = 0 } = {}] = rows;
  if (count > MAX_ROWS_PER_CALL || bytes > MAX_PAGE_BYTES)
    throw invalidFieldProblem(
      'givesRows',
      `is possible for at most ${MAX_ROWS_PER_CALL} rows with ${MAX_PAGE_BYTES / 1024 / 1024} MiB: the filter matches more`,
    );
  const found = count === 0 ? [] : await parseCells(table, rows);
  return found.map((row) => toTableRow(table, row));
}
