import type { FieldIssue } from '@/contract/error-response';
import type { TableColumn, StoredTableRow } from '@/contract/tables/table';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { generateOrderedId } from '@/server/platform/db/ids';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import {
  requireCells,
  cellParameter,
  toTableRow,
  collectCells,
  requireNoErrors,
  type CellsByColumn,
  type DatabaseTableRow,
} from './cells';
import { runOnTable } from './table-errors';
import { listComparisons, rowConditionSql, parseRowFilter } from './filter';
import { countChangedRows, listChangedRows, parseCells, rowTexts, type RowsStatement } from './changed-rows';
import { requestColumnIndexes } from './index-requests';
import { rowKeyConditionSql, requireRowKey, rowColumnsSql } from './read';
import { rowColumnName, SqlParameters, rowTableName, type SqlClient } from './sql';
import { listTableFields, COLUMN_SQL_TYPES, type DataTableRecord } from './table';
import { addToTallySql, requireRowQuota, rowSizeSql } from './tally';

const columnNameList = (columns: readonly TableColumn[]) => columns.map(({ id }) => `, ${rowColumnName(id)}`).join('');

/** SQL of new rows as a table, from one JSON value. */
const jsonRecordsetSql = (columns: readonly TableColumn[], parameter: string) =>
  `json_to_recordset(${parameter}) AS given(id text${columns.map(({ id, type }) => `, ${rowColumnName(id)} ${COLUMN_SQL_TYPES[type]}`).join('')})`;

/** SQL that inserts rows and counts them. `also`: what follows INSERT, such as ON CONFLICT. */
function insertRowsSql(table: DataTableRecord, parameter: string, also = ''): string {
  const names = columnNameList(table.columns);
  return `WITH added AS (
      INSERT INTO ${rowTableName(table.id)} (id${names}) SELECT id${names} FROM ${jsonRecordsetSql(table.columns, parameter)} ${also}
      RETURNING n, ${rowColumnsSql(table)}, ${rowSizeSql(table)} AS size
    ),
    tally AS (${addToTallySql(table.id, 'added')})
    SELECT ${rowTexts(table)} FROM added ORDER BY n`;
}

async function jsonOfRows(rows: readonly NewTableRow[]): Promise<string> {
  const timer = new YieldTimer();
  const texts: string[] = [];
  for (const row of rows) {
    texts.push(JSON.stringify(row));
    if (timer.isDue) await timer.take();
  }
  return `[${texts.join(',')}]`;
}

/** A new row with its id. */
export type NewTableRow = CellsByColumn & { id: string };

/**
 * Inserts rows whose cells have been checked, in one statement. `skipClashes`: a row with a unique value that another
 * has is left out. Returns the rows that were inserted. Throws 403 if the quota of the workspace is used up.
 */
export async function insertCheckedCells(
  sql: SqlClient,
  table: DataTableRecord,
  cells: readonly CellsByColumn[],
  { skipClashes = false }: { skipClashes?: boolean } = {},
): Promise<{ rows: NewTableRow[]; stored: DatabaseTableRow[] }> {
  const rows = cells.map((one) => ({ ...one, id: generateOrderedId('row') }));
  const json = await jsonOfRows(rows);
  await requireRowQuota(sql, table.workspaceId, { rows: rows.length, bytes: json.length });
  const statement = insertRowsSql(table, '$1::json', skipClashes ? 'ON CONFLICT DO NOTHING' : '');
  const stored = await runOnTable(table, () => sql.query<DatabaseTableRow>(statement, [json]));
  return { rows, stored: await parseCells(table, stored) };
}

/**
 * Inserts rows in one statement: all of them or none. Returns them in their order. Throws 400 with the row and the
 * column of each wrong value, 409 if a unique value is taken, 403 if the quota is used up.
 */
export async function insertTableRows(
  sql: SqlClient,
  table: DataTableRecord,
  rows: readonly unknown[],
  path = 'rows',
): Promise<StoredTableRow[]> {
  const errors: FieldIssue[] = [];
  const timer = new YieldTimer();
  const cells: CellsByColumn[] = [];
  for (const [index, row] of rows.entries()) {
    cells.push(collectCells(table, row, { path: `${path}[${index}]`, whole: true, errors }));
    if (timer.isDue) await timer.take();
  }
  requireNoErrors(errors);
  const { stored } = await insertCheckedCells(sql, table, cells);
  return stored.map((row) => toTableRow(table, row));
}

/** SQL of `c1 = $1, …` for the cells. */
const assignmentsSql = ({ columns }: DataTableRecord, cells: CellsByColumn, parameters: SqlParameters): string[] =>
  columns
    .filter(({ id }) => Object.hasOwn(cells, id))
    .map((column) => {
      const value = parameters.add(cellParameter(column, cells[column.id] ?? null), COLUMN_SQL_TYPES[column.type]);
      return `${rowColumnName(column.id)} = ${value}`;
    });

/** SQL that changes the rows of a condition, counts the difference of their sizes, and returns them. */
function updateRowsSql(table: DataTableRecord, set: readonly string[], where: string): string {
  const name = rowTableName(table.id);
  const changes = [...set, 'updated_at = now()'].join(', ');
  return `WITH found AS (SELECT n AS found_n, ${rowSizeSql(table)} AS before FROM ${name} WHERE ${where} ORDER BY n FOR UPDATE),
    changed AS (
      UPDATE ${name} t SET ${changes} FROM found WHERE t.n = found_n
      RETURNING t.n, ${rowColumnsSql(table, 't.')}, ${rowSizeSql(table, 't.')} AS size, before
    ),
    tally AS (
      INSERT INTO data_table_tally (table_id, rows, bytes)
      SELECT '${name.slice(1, -1)}', 0, sum(size - before) FROM changed HAVING coalesce(sum(size - before), 0) <> 0
    )`;
}

const changedRowsSql = (table: DataTableRecord) => `SELECT ${rowColumnsSql(table)} FROM changed ORDER BY n`;

/** The most that each changed row can grow by. */
const updateGrowth = (cells: CellsByColumn) => ({ rows: 0, bytes: JSON.stringify(cells).length });

async function rowsUpdateStatement(
  sql: SqlClient,
  table: DataTableRecord,
  { filter, row }: { filter?: unknown; row: unknown },
): Promise<RowsStatement> {
  const cells = requireCells(table, row, 'row', { whole: false });
  const parameters = new SqlParameters();
  const set = assignmentsSql(table, cells, parameters);
  if (set.length === 0) throw invalidFieldProblem('row', 'must name at least one column');
  const where = await filterWhereSql(table, filter, parameters);
  await requireRowQuota(sql, table.workspaceId, updateGrowth(cells));
  return { sql: updateRowsSql(table, set, where), values: parameters.values };
}

/** Changes the rows that a filter matches; without one, all rows. Returns how many. */
export async function updateTableRows(
  sql: SqlClient,
  table: DataTableRecord,
  change: { filter?: unknown; row: unknown },
): Promise<number> {
  return countChangedRows(sql, table, await rowsUpdateStatement(sql, table, change));
}

/** Changes the rows that a filter matches, and returns them as they are then. */
export async function updateAndListRows(
  sql: SqlClient,
  table: DataTableRecord,
  change: { filter?: unknown; row: unknown },
): Promise<StoredTableRow[]> {
  return listChangedRows(sql, table, await rowsUpdateStatement(sql, table, change));
}

async function filterWhereSql(table: DataTableRecord, filter: unknown, parameters: SqlParameters): Promise<string> {
  const condition = parseRowFilter(listTableFields(table), filter);
  if (!condition) return 'true';
  await requestColumnIndexes(table, listComparisons(condition), []);
  return rowConditionSql(condition, parameters);
}

/** Changes one row. Returns it; null: there is none with this id. */
export async function updateTableRow(
  sql: SqlClient,
  table: DataTableRecord,
  id: string,
  row: unknown,
): Promise<StoredTableRow | null> {
  const cells = requireCells(table, row, '', { whole: false });
  const parameters = new SqlParameters();
  const set = assignmentsSql(table, cells, parameters);
  await requireRowQuota(sql, table.workspaceId, updateGrowth(cells));
  const statement = `${updateRowsSql(table, set, `id = ${parameters.add(id)}`)} ${changedRowsSql(table)}`;
  const [stored] = await runOnTable(table, () => sql.query<DatabaseTableRow>(statement, parameters.values));
  return stored ? toTableRow(table, stored) : null;
}

/** Removes the rows that a filter matches; without one, all rows. Returns how many. */
export async function deleteTableRows(sql: SqlClient, table: DataTableRecord, filter?: unknown): Promise<number> {
  const parameters = new SqlParameters();
  const where = await filterWhereSql(table, filter, parameters);
  return countChangedRows(sql, table, rowsDeleteStatement(table, where, parameters));
}

/** Removes the rows that a filter matches, and returns them. */
export async function deleteAndListRows(
  sql: SqlClient,
  table: DataTableRecord,
  filter?: unknown,
): Promise<StoredTableRow[]> {
  const parameters = new SqlParameters();
  const where = await filterWhereSql(table, filter, parameters);
  const columns = `, t.n, ${rowColumnsSql(table, 't.')}`;
  return listChangedRows(sql, table, rowsDeleteStatement(table, where, parameters, columns));
}

/** Removes one row. False: there is none with this id. */
export async function deleteTableRow(sql: SqlClient, table: DataTableRecord, id: string): Promise<boolean> {
  const parameters = new SqlParameters();
  const where = `id = ${parameters.add(id)}`;
  return (await countChangedRows(sql, table, rowsDeleteStatement(table, where, parameters))) > 0;
}

/** `columns`: SQL of what else the statement keeps of each row, besides its size. */
function rowsDeleteStatement(
  table: DataTableRecord,
  where: string,
  { values }: SqlParameters,
  columns = '',
): RowsStatement {
  const name = rowTableName(table.id);
  const sql = `WITH found AS (SELECT n AS found_n FROM ${name} WHERE ${where} ORDER BY n FOR UPDATE),
    changed AS (
      DELETE FROM ${name} t USING found WHERE t.n = found_n RETURNING ${rowSizeSql(table, 't.')} AS size${columns}
    ),
    tally AS (${addToTallySql(table.id, 'changed', '-')})`;
  return { sql, values };
}

/** Ensures that no other transaction makes a row with this key until this one ends. */
async function lockRowKey(sql: SqlClient, table: DataTableRecord, key: CellsByColumn): Promise<void> {
  const text = JSON.stringify(table.columns.flatMap(({ id }) => (Object.hasOwn(key, id) ? [[id, key[id]]] : [])));
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text', [`row:${table.id}:${text}`]);
}

/** Changes the one row with this key, or makes it. `set`: SQL of the changes. */
async function updateOrInsertRow(
  sql: SqlClient,
  table: DataTableRecord,
  { key, set, made }: { key: CellsByColumn; set: (parameters: SqlParameters) => string[]; made: () => CellsByColumn },
): Promise<StoredTableRow> {
  await lockRowKey(sql, table, key);
  const change = async (): Promise<DatabaseTableRow | undefined> => {
    const parameters = new SqlParameters();
    const statement = updateRowsSql(table, set(parameters), rowKeyConditionSql(table, key, parameters));
    const rows = await runOnTable(table, () =>
      sql.query<DatabaseTableRow>(`${statement} ${changedRowsSql(table)}`, parameters.values),
    );
    if (rows.length > 1) throw conflictProblem('More than one row has this key.');
    return rows[0];
  };
  const make = async () => (await insertCheckedCells(sql, table, [made()], { skipClashes: true })).stored[0];
  // A row that another transaction has just inserted without this lock is changed; if its clash is another column's,
  // that is an error.
  const row = (await change()) ?? (await make()) ?? (await change());
  if (row) return toTableRow(table, row);
  throw conflictProblem('Another row has the value of a unique column already.');
}

/**
 * Changes the row with this key, or inserts one that has the values of `key` and `row`. Exact under concurrency, with
 * any columns as key.
 */
export async function upsertTableRow(
  sql: SqlClient,
  table: DataTableRecord,
  { key, row }: { key: unknown; row: unknown },
): Promise<StoredTableRow> {
  const keyCells = requireRowKey(table, key);
  const cells = requireCells(table, row, 'row', { whole: false });
  return updateOrInsertRow(sql, table, {
    key: keyCells,
    set: (parameters) => assignmentsSql(table, cells, parameters),
    made: () => requireWholeRow(table, { ...keyCells, ...cells }),
  });
}

/** Adds `by` to a number of the row with this key; without such a row, makes one that has it. */
export async function incrementTableRow(
  sql: SqlClient,
  table: DataTableRecord,
  { key, column, by = 1 }: { key: unknown; column: unknown; by?: unknown },
): Promise<StoredTableRow> {
  const keyCells = requireRowKey(table, key);
  const counted = table.columns.find(({ name }) => name === column);
  if (counted?.type !== 'number') throw invalidFieldProblem('column', 'must be a column of the type number');
  if (typeof by !== 'number' || !Number.isFinite(by)) throw invalidFieldProblem('by', 'must be a number');
  if (Object.hasOwn(keyCells, counted.id)) throw invalidFieldProblem('column', 'must not be part of the key');
  const name = rowColumnName(counted.id);
  return updateOrInsertRow(sql, table, {
    key: keyCells,
    set: (parameters) => [`${name} = coalesce(${name}, 0) + ${parameters.add(String(by), 'float8')}`],
    made: () => requireWholeRow(table, { ...keyCells, [counted.id]: by }),
  });
}

/** The cells of a new row; throws 400 for required columns without a value. */
function requireWholeRow({ columns }: DataTableRecord, cells: CellsByColumn): CellsByColumn {
  const missing = columns.filter(({ id, isRequired }) => isRequired && (cells[id] ?? null) === null);
  requireNoErrors(missing.map(({ name }) => ({ field: `row.${name}`, message: 'is required for a new row' })));
  return cells;
}
