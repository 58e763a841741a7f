import type { FieldIssue } from '@/contract/error-response';
import type { TableColumn, CreateTableColumn, UpdateTableColumn, CreateTableRequest } from '@/contract/tables/table';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';
import { usualIndexesSql, uniqueIndexSql, uniqueIndexName } from './indexes';
import { rowColumnName, readDatabaseFault, rowTableName, type SqlClient } from './sql';
import { findDataTable, COLUMN_SQL_TYPES, type DataTableRecord } from './table';
import { cellSizeSql } from './tally';

/** PostgreSQL counts removed columns, too. */
const MAX_NEXT_COLUMN = 1500;

/** SQL of a column in CREATE and ALTER TABLE. Texts sort by code points, in every database. */
const columnDefinitionSql = ({ id, type, isRequired }: TableColumn): string =>
  [rowColumnName(id), COLUMN_SQL_TYPES[type], type === 'text' ? 'COLLATE "C"' : '', isRequired ? 'NOT NULL' : ''].join(
    ' ',
  );

/** The columns of a new table, with their ids. */
const assignColumnIds = (columns: readonly CreateTableColumn[]): TableColumn[] =>
  columns.map(({ name, type, isRequired = false, isUnique = false }, index) => ({
    id: `c${index + 1}`,
    name,
    type,
    isRequired,
    isUnique,
  }));

/**
 * Creates the PostgreSQL table of a new table, without triggers. `n` numbers its rows in the order of insertion and
 * makes every order total.
 */
export async function createRowStorage(
  sql: SqlClient,
  table: Pick<DataTableRecord, 'id' | 'columns' | 'indexes'>,
): Promise<void> {
  const { id, columns } = table;
  const name = rowTableName(id);
  const columnsSql = columns.map((column) => `, ${columnDefinitionSql(column)}`).join('');
  await sql.query(`CREATE TABLE ${name} (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()${columnsSql})`);
  await sql.query(`CREATE INDEX ON ${name} (created_at, n)`);
  await sql.query(`CREATE INDEX ON ${name} (updated_at, n)`);
  for (const column of columns) if (column.isUnique) await sql.query(uniqueIndexSql(id, column.id));
  for (const statement of usualIndexesSql(table)) await sql.query(statement);
}

const INSERT_TABLE_SQL = `
INSERT INTO data_table (id, workspace_id, name, columns, next_column, created_by) VALUES ($1, $2, $3, $4::json, $5::int, $6)`;

/** A new table without rows, in a transaction. Throws 409 if the workspace has one of this name. */
export async function createDataTable(
  sql: SqlClient,
  {
    workspaceId,
    name,
    columns,
    createdBy,
  }: Pick<DataTableRecord, 'workspaceId' | 'name' | 'createdBy'> & CreateTableRequest,
): Promise<DataTableRecord> {
  const id = generateId('tbl');
  const stored = assignColumnIds(columns);
  const values = [id, workspaceId, name, JSON.stringify(stored), String(stored.length + 1), createdBy];
  try {
    await sql.query(INSERT_TABLE_SQL, values);
  } catch (error) {
    throw explainNameError(error);
  }
  await createRowStorage(sql, { id, columns: stored, indexes: [] });
  await sql.query('SELECT watch_row_files($1)::text', [id]);
  return findDataTable(sql, workspaceId, id);
}

/** A table's name is its only unique value. */
export const explainNameError = (error: unknown): unknown =>
  readDatabaseFault(error)?.state === '23505' ? conflictProblem('There is a table with this name already.') : error;

/** The difference between the columns of a table and those that it shall have. */
export interface TableSchemaChange {
  columns: TableColumn[];
  nextColumn: number;
  added: TableColumn[];
  removed: TableColumn[];
  /** Columns that stay, with what they were. */
  kept: { before: TableColumn; after: TableColumn; index: number }[];
}

/** Which columns stay, by id or else by name, and which are new. Throws 400. */
export function planSchemaChange(
  table: Pick<DataTableRecord, 'columns' | 'nextColumn'>,
  given: readonly UpdateTableColumn[],
): TableSchemaChange {
  const errors: FieldIssue[] = [];
  const kept: TableSchemaChange['kept'] = [];
  const added: TableColumn[] = [];
  let { nextColumn } = table;
  const named = new Set(given.flatMap(({ id }) => id ?? []));
  const columns = given.map(({ id, name, type, isRequired = false, isUnique = false }, index) => {
    const refuse = (field: string, message: string) => errors.push({ field: `columns[${index}].${field}`, message });
    const before = table.columns.find((one) =>
      id === undefined ? one.name === name && !named.has(one.id) : one.id === id,
    );
    if (id !== undefined && !before) refuse('id', 'is not the id of a column of this table');
    if (before && kept.some((one) => one.before.id === before.id)) refuse('id', 'is the id of two columns');
    if (before && before.type !== type) refuse('type', `can’t be changed from ${before.type}: add another column`);
    const after = { id: before?.id ?? `c${nextColumn}`, name, type, isRequired, isUnique };
    if (before) kept.push({ before, after, index });
    else {
      added.push(after);
      nextColumn += 1;
    }
    return after;
  });
  if (nextColumn > MAX_NEXT_COLUMN)
    errors.push({ field: 'columns', message: 'too many columns were added and removed' });
  if (errors.length > 0) throw invalidRequestProblem(errors);
  const ids = new Set(columns.map(({ id }) => id));
  return { columns, nextColumn, added, removed: table.columns.filter(({ id }) => !ids.has(id)), kept };
}

/** Columns that become unique. */
export const listNewlyUnique = ({ kept }: TableSchemaChange) =>
  kept.filter(({ before, after }) => after.isUnique && !before.isUnique);

/** Whether the change concerns the stored table, and not only names. */
const changesStorage = ({ added, removed, kept }: TableSchemaChange) =>
  added.length + removed.length > 0 ||
  kept.some(({ before, after }) => before.isRequired !== after.isRequired || before.isUnique !== after.isUnique);

/** Carries out a change in a transaction. Unique indexes of columns that exist have been built before. */
export async function alterRowStorage(
  sql: SqlClient,
  table: DataTableRecord,
  change: TableSchemaChange,
): Promise<void> {
  if (!changesStorage(change)) return;
  const name = rowTableName(table.id);
  await sql.query(`SELECT set_config('lock_timeout', '5000', true), set_config('statement_timeout', '20000', true)`);
  await sql.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
  for (const column of change.removed) {
    await sql.query(
      `INSERT INTO data_table_tally (table_id, rows, bytes)
       SELECT $1, 0, -sum(${cellSizeSql(column)}) FROM ${name} HAVING count(*) > 0`,
      [table.id],
    );
    await sql.query(`ALTER TABLE ${name} DROP COLUMN ${rowColumnName(column.id)}`);
  }
  for (const { before, after } of change.kept) {
    if (before.isUnique && !after.isUnique)
      await sql.query(`DROP INDEX IF EXISTS ${uniqueIndexName(table.id, after.id)}`);
    if (before.isRequired === after.isRequired) continue;
    const verb = after.isRequired ? 'SET' : 'DROP';
    await sql.query(`ALTER TABLE ${name} ALTER COLUMN ${rowColumnName(after.id)} ${verb} NOT NULL`);
  }
  for (const column of change.added) {
    await sql.query(`ALTER TABLE ${name} ADD COLUMN ${columnDefinitionSql(column)}`);
    if (column.isUnique) await sql.query(uniqueIndexSql(table.id, column.id));
  }
}

/**
 * Turns the error of a change that the rows forbid into a problem that a caller can read; other errors stay as they
 * are.
 */
export function explainSchemaError({ columns }: Pick<TableSchemaChange, 'columns'>, error: unknown): unknown {
  const fault = readDatabaseFault(error);
  const at = (pattern: RegExp, field: string, message: string) => {
    const [, id] = pattern.exec(fault?.message ?? '') ?? [];
    const index = columns.findIndex((column) => column.id === id);
    const details = index < 0 ? [] : [{ field: `columns[${index}].${field}`, message }];
    return new ApiProblem(
      'CONFLICT',
      `The rows of the table do not permit this: ${columns[index]?.name ?? 'a column'} ${message}.`,
      details,
    );
  };
  switch (fault?.state) {
    case '23502':
      return at(/\b(c\d+)\b/, 'isRequired', 'has no value in some rows');
    case '23505':
      return at(/_(c\d+)_unique/, 'isUnique', 'has the same value in two rows');
    case '54000':
      return at(/_(c\d+)_unique/, 'isUnique', 'has texts that are too long for a unique column');
    case '55P03':
    case '40P01':
    case '57014':
      return conflictProblem('The table is in use. Try again.');
    default:
      return error;
  }
}
