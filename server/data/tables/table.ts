import type { TableColumn } from '@/contract/tables/table';
import type { TableColumnType } from '@/contract/tables/table-columns';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { rowColumnName, type SqlClient } from './sql';

/** A table as its row in `data_table` describes it. */
export interface DataTableRecord {
  id: string;
  workspaceId: string;
  name: string;
  columns: TableColumn[];
  nextColumn: number;
  indexes: string[];
  /** Whether it has all of them. */
  isIndexed: boolean;
  /** The number of rows that it had when its statistics were taken. */
  analyzedRows: number;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const TABLE_FIELDS_SQL = `id, workspace_id AS "workspaceId", name, columns, next_column AS "nextColumn", indexes, is_indexed AS "isIndexed", analyzed_rows::float8 AS "analyzedRows", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/**
 * A table of a workspace. Throws 404 for ids that do not exist or belong to another workspace. `lock`: until the
 * transaction ends.
 */
export async function findDataTable(
  sql: SqlClient,
  workspaceId: string,
  id: unknown,
  { lock = false }: { lock?: boolean } = {},
): Promise<DataTableRecord> {
  if (typeof id !== 'string' || id.includes('\0')) throw notFoundProblem('The table');
  const [table] = await sql.query<DataTableRecord>(
    `SELECT ${TABLE_FIELDS_SQL} FROM data_table WHERE id = $1 AND workspace_id = $2${lock ? ' FOR UPDATE' : ''}`,
    [id, workspaceId],
    lock ? {} : { name: 'tables.find' },
  );
  if (!table) throw notFoundProblem('The table');
  return table;
}

/** Types of columns in PostgreSQL. Texts sort by code points, so that an index also serves `starts_with`. */
export const COLUMN_SQL_TYPES: Record<TableColumnType, string> = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz(3)',
  json: 'jsonb',
};

/** Something to filter and sort by: a column, or `id`, `createdAt`, `updatedAt`. */
export interface TableField {
  name: string;
  type: TableColumnType;
  /** SQL of its value. */
  sql: string;
  /** SQL of what its index has: of a text the beginning. */
  key: string;
  isNullable: boolean;
  /** The column; null for fields that every table has. */
  column: TableColumn | null;
}

/** An index has this many characters of a text, because index entries of PostgreSQL are limited. */
export const INDEXED_TEXT_LENGTH = 256;

const createServiceField = (name: string, type: TableColumnType, sql: string): TableField => ({
  name,
  type,
  sql,
  key: sql,
  isNullable: false,
  column: null,
});

const SERVICE_FIELDS = [
  createServiceField('id', 'text', 'id'),
  createServiceField('createdAt', 'timestamp', 'created_at'),
  createServiceField('updatedAt', 'timestamp', 'updated_at'),
];

function columnToField(column: TableColumn): TableField {
  const { name, type, isRequired } = column;
  const sql = rowColumnName(column.id);
  return { name, type, sql, key: indexedColumnSql(column), isNullable: !isRequired, column };
}

/** SQL of what the index of a column has. */
export const indexedColumnSql = ({ id, type }: TableColumn): string =>
  type === 'text' ? `left(${rowColumnName(id)}, ${INDEXED_TEXT_LENGTH})` : rowColumnName(id);

/** All fields of a table by their names. */
export const listTableFields = ({ columns }: Pick<DataTableRecord, 'columns'>): Map<string, TableField> =>
  new Map([...SERVICE_FIELDS, ...columns.map(columnToField)].map((field) => [field.name, field]));
