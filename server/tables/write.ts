import type { FieldError } from '@/contract/error';
import type { TableColumn, TableRow } from '@/contract/tables/table';
import { YieldTimer } from '@/server/cooperative';
import { newOrderedId } from '@/server/db/ids';
import { conflict, invalidField } from '@/server/errors/problem';
import { cellsOf, parameterOf, presentRow, readCells, requireNone, type Cells, type StoredRow } from './cells';
import { onTable } from './faults';
import { comparisonsIn, conditionSql, readFilter } from './filter';
import { requestIndexes } from './index-requests';
import { keyCondition, readKey, rowColumns } from './read';
import { columnName, Parameters, tableName, type Sql } from './sql';
import { fieldsOf, SQL_TYPE, type DataTable } from './table';
import { addToTally, requireRoomForRows, sizeSql } from './tally';

const columnList = (columns: readonly TableColumn[]) => columns.map(({ id }) => `, ${columnName(id)}`).join('');

/** SQL of new rows as a table, from one JSON value. */
const recordset = (columns: readonly TableColumn[], parameter: string) =>
  `json_to_recordset(${parameter}) AS given(id text${columns.map(({ id, type }) => `, ${columnName(id)} ${SQL_TYPE[type]}`).join('')})`;

/** SQL that inserts rows and counts them. `also`: what follows INSERT, such as ON CONFLICT. */
function insertSql(table: DataTable, parameter: string, also = ''): string {
  const names = columnList(table.columns);
  return `WITH added AS (
      INSERT INTO ${tableName(table.id)} (id${names}) SELECT id${names} FROM ${recordset(table.columns, parameter)} ${also}
      RETURNING n, ${rowColumns(table)}, ${sizeSql(table)} AS size
    ),
    tally AS (${addToTally(table.id, 'added')})
    SELECT ${rowTexts(table)} FROM added ORDER BY n`;
}

/** SQL of the columns that a row is presented from, JSON as text: a client would parse the cells of all rows in one go. */
const rowTexts = (table: DataTable): string =>
  table.columns
    .filter(({ type }) => type === 'json')
    .reduce((sql, { id }) => `${sql}, ${columnName(id)}::text AS ${columnName(id)}`, plainColumns(table));

const plainColumns = (table: DataTable) =>
  rowColumns({ ...table, columns: table.columns.filter(({ type }) => type !== 'json') });

/** The rows with the values of their JSON, in turns with others. */
async function parseCells({ columns }: DataTable, rows: readonly StoredRow[]): Promise<StoredRow[]> {
  const json = columns.filter(({ type }) => type === 'json');
  if (json.length === 0) return [...rows];
  const timer = new YieldTimer();
  const parsed: StoredRow[] = [];
  for (const row of rows) {
    const cells = json.map(({ id }) => [id, row[id] === null ? null : (JSON.parse(String(row[id])) as unknown)]);
    parsed.push({ ...row, ...Object.fromEntries(cells) } as StoredRow);
    if (timer.isDue) await timer.take();
  }
  return parsed;
}

async function jsonOfRows(rows: readonly NewRow[]): Promise<string> {
  const timer = new YieldTimer();
  const texts: string[] = [];
  for (const row of rows) {
    texts.push(JSON.stringify(row));
    if (timer.isDue) await timer.take();
  }
  return `[${texts.join(',')}]`;
}

/** A new row with its id. */
export type NewRow = Cells & { id: string };

/**
 * Inserts rows whose cells have been checked, in one statement. `skipClashes`: a row with a unique value that another has is left out.
 * Returns the rows that were inserted. Throws 403 if the quota of the workspace is used up.
 */
export async function insertCells(
  sql: Sql,
  table: DataTable,
  cells: readonly Cells[],
  { skipClashes = false }: { skipClashes?: boolean } = {},
): Promise<{ rows: NewRow[]; stored: StoredRow[] }> {
  const rows = cells.map((one) => ({ ...one, id: newOrderedId('row') }));
  const json = await jsonOfRows(rows);
  await requireRoomForRows(sql, table.workspaceId, { rows: rows.length, bytes: json.length });
  const statement = insertSql(table, '$1::json', skipClashes ? 'ON CONFLICT DO NOTHING' : '');
  const stored = await onTable(table, () => sql.query<StoredRow>(statement, [json]));
  return { rows, stored: await parseCells(table, stored) };
}

/**
 * Inserts rows in one statement: all of them or none. Returns them in their order. Throws 400 with the row and the column of each wrong value,
 * 409 if a unique value is taken, 403 if the quota is used up.
 */
export async function insertRows(
  sql: Sql,
  table: DataTable,
  rows: readonly unknown[],
  path = 'rows',
): Promise<TableRow[]> {
  const errors: FieldError[] = [];
  const timer = new YieldTimer();
  const cells: Cells[] = [];
  for (const [index, row] of rows.entries()) {
    cells.push(readCells(table, row, { path: `${path}[${index}]`, whole: true, errors }));
    if (timer.isDue) await timer.take();
  }
  requireNone(errors);
  const { stored } = await insertCells(sql, table, cells);
  return stored.map((row) => presentRow(table, row));
}

/** SQL of `c1 = $1, …` for the cells. */
const assignments = ({ columns }: DataTable, cells: Cells, parameters: Parameters): string[] =>
  columns
    .filter(({ id }) => Object.hasOwn(cells, id))
    .map((column) => {
      const value = parameters.add(parameterOf(column, cells[column.id] ?? null), SQL_TYPE[column.type]);
      return `${columnName(column.id)} = ${value}`;
    });

/** SQL that changes the rows of a condition, counts the difference of their sizes, and returns them. */
function updateSql(table: DataTable, set: readonly string[], where: string): string {
  const name = tableName(table.id);
  const changes = [...set, 'updated_at = now()'].join(', ');
  return `WITH found AS (SELECT n AS found_n, ${sizeSql(table)} AS before FROM ${name} WHERE ${where} ORDER BY n FOR UPDATE),
    changed AS (
      UPDATE ${name} t SET ${changes} FROM found WHERE t.n = found_n
      RETURNING t.n, ${rowColumns(table, 't.')}, ${sizeSql(table, 't.')} - before AS size
    ),
    tally AS (
      INSERT INTO data_table_tally (table_id, rows, bytes)
      SELECT '${name.slice(1, -1)}', 0, sum(size) FROM changed HAVING coalesce(sum(size), 0) <> 0
    )`;
}

const returned = (table: DataTable) => `SELECT ${rowColumns(table)} FROM changed ORDER BY n`;

/** At most, for each row that is changed. */
const growthOf = (cells: Cells) => ({ rows: 0, bytes: JSON.stringify(cells).length });

/** Changes the rows that a filter matches; without one, all rows. Returns how many. */
export async function updateRows(
  sql: Sql,
  table: DataTable,
  { filter, row }: { filter?: unknown; row: unknown },
): Promise<number> {
  const cells = cellsOf(table, row, 'row', { whole: false });
  const parameters = new Parameters();
  const set = assignments(table, cells, parameters);
  if (set.length === 0) throw invalidField('row', 'must name at least one column');
  const where = await whereOf(table, filter, parameters);
  await requireRoomForRows(sql, table.workspaceId, growthOf(cells));
  const statement = `${updateSql(table, set, where)} SELECT count(*)::float8 AS count FROM changed`;
  const [changed] = await onTable(table, () => sql.query<{ count: number }>(statement, parameters.values));
  return changed?.count ?? 0;
}

async function whereOf(table: DataTable, filter: unknown, parameters: Parameters): Promise<string> {
  const condition = readFilter(fieldsOf(table), filter);
  if (!condition) return 'true';
  await requestIndexes(table, comparisonsIn(condition), []);
  return conditionSql(condition, parameters);
}

/** Changes one row. Returns it; null: there is none with this id. */
export async function updateRow(sql: Sql, table: DataTable, id: string, row: unknown): Promise<TableRow | null> {
  const cells = cellsOf(table, row, '', { whole: false });
  const parameters = new Parameters();
  const set = assignments(table, cells, parameters);
  await requireRoomForRows(sql, table.workspaceId, growthOf(cells));
  const statement = `${updateSql(table, set, `id = ${parameters.add(id)}`)} ${returned(table)}`;
  const [stored] = await onTable(table, () => sql.query<StoredRow>(statement, parameters.values));
  return stored ? presentRow(table, stored) : null;
}

/** Removes the rows that a filter matches; without one, all rows. Returns how many. */
export async function deleteRows(sql: Sql, table: DataTable, filter?: unknown): Promise<number> {
  const parameters = new Parameters();
  const where = await whereOf(table, filter, parameters);
  return removeWhere(sql, table, where, parameters);
}

/** Removes one row. False: there is none with this id. */
export async function deleteRow(sql: Sql, table: DataTable, id: string): Promise<boolean> {
  const parameters = new Parameters();
  return (await removeWhere(sql, table, `id = ${parameters.add(id)}`, parameters)) > 0;
}

async function removeWhere(sql: Sql, table: DataTable, where: string, { values }: Parameters): Promise<number> {
  const name = tableName(table.id);
  const statement = `WITH found AS (SELECT n AS found_n FROM ${name} WHERE ${where} ORDER BY n FOR UPDATE),
    gone AS (DELETE FROM ${name} t USING found WHERE t.n = found_n RETURNING ${sizeSql(table, 't.')} AS size),
    tally AS (${addToTally(table.id, 'gone', '-')})
    SELECT count(*)::float8 AS count FROM gone`;
  const [gone] = await onTable(table, () => sql.query<{ count: number }>(statement, values));
  return gone?.count ?? 0;
}

/** Until the transaction ends, no other transaction makes a row with this key. */
async function lockKey(sql: Sql, table: DataTable, key: Cells): Promise<void> {
  const text = JSON.stringify(table.columns.flatMap(({ id }) => (Object.hasOwn(key, id) ? [[id, key[id]]] : [])));
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text', [`row:${table.id}:${text}`]);
}

/** Changes the one row with this key, or makes it. `set`: SQL of the changes. */
async function changeOrMake(
  sql: Sql,
  table: DataTable,
  { key, set, made }: { key: Cells; set: (parameters: Parameters) => string[]; made: () => Cells },
): Promise<TableRow> {
  await lockKey(sql, table, key);
  const change = async (): Promise<StoredRow | undefined> => {
    const parameters = new Parameters();
    const statement = updateSql(table, set(parameters), keyCondition(table, key, parameters));
    const rows = await onTable(table, () => sql.query<StoredRow>(`${statement} ${returned(table)}`, parameters.values));
    if (rows.length > 1) throw conflict('More than one row has this key.');
    return rows[0];
  };
  const make = async () => (await insertCells(sql, table, [made()], { skipClashes: true })).stored[0];
  // A row that another transaction has just inserted without this lock is changed; if its clash is another column's, that is an error.
  const row = (await change()) ?? (await make()) ?? (await change());
  if (row) return presentRow(table, row);
  throw conflict('Another row has the value of a unique column already.');
}

/** Changes the row with this key, or inserts one that has the values of `key` and `row`. Exact under concurrency, with any columns as key. */
export async function upsertRow(
  sql: Sql,
  table: DataTable,
  { key, row }: { key: unknown; row: unknown },
): Promise<TableRow> {
  const keyCells = readKey(table, key);
  const cells = cellsOf(table, row, 'row', { whole: false });
  return changeOrMake(sql, table, {
    key: keyCells,
    set: (parameters) => assignments(table, cells, parameters),
    made: () => wholeRow(table, { ...keyCells, ...cells }),
  });
}

/** Adds `by` to a number of the row with this key; without such a row, makes one that has it. */
export async function incrementRow(
  sql: Sql,
  table: DataTable,
  { key, column, by = 1 }: { key: unknown; column: unknown; by?: unknown },
): Promise<TableRow> {
  const keyCells = readKey(table, key);
  const counted = table.columns.find(({ name }) => name === column);
  if (counted?.type !== 'number') throw invalidField('column', 'must be a column of the type number');
  if (typeof by !== 'number' || !Number.isFinite(by)) throw invalidField('by', 'must be a number');
  if (Object.hasOwn(keyCells, counted.id)) throw invalidField('column', 'must not be part of the key');
  const name = columnName(counted.id);
  return changeOrMake(sql, table, {
    key: keyCells,
    set: (parameters) => [`${name} = coalesce(${name}, 0) + ${parameters.add(String(by), 'float8')}`],
    made: () => wholeRow(table, { ...keyCells, [counted.id]: by }),
  });
}

/** The cells of a new row; throws 400 for required columns without a value. */
function wholeRow({ columns }: DataTable, cells: Cells): Cells {
  const missing = columns.filter(({ id, isRequired }) => isRequired && (cells[id] ?? null) === null);
  requireNone(missing.map(({ name }) => ({ field: `row.${name}`, message: 'is required for a new row' })));
  return cells;
}
