import type { TableColumn } from '@/contract/tables/table';
import type { ColumnType } from '@/contract/tables/table-columns';
import { notFound } from '@/server/errors/problem';
import { columnName, type Sql } from './sql';

/** A table as its row in `data_table` describes it. */
export interface DataTable {
  id: string;
  workspaceId: string;
  name: string;
  columns: TableColumn[];
  nextColumn: number;
  indexes: string[];
  /** Whether it has all of them. */
  isIndexed: boolean;
  /** Rows that it had when its statistics were taken. */
  analyzedRows: number;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const FIELDS = `id, workspace_id AS "workspaceId", name, columns, next_column AS "nextColumn", indexes, is_indexed AS "isIndexed", analyzed_rows::float8 AS "analyzedRows", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A table of a workspace. Throws 404 for ids that do not exist or belong to another workspace. `lock`: until the transaction ends. */
export async function findTable(
  sql: Sql,
  workspaceId: string,
  id: unknown,
  { lock = false }: { lock?: boolean } = {},
): Promise<DataTable> {
  if (typeof id !== 'string' || id.includes('\0')) throw notFound('The table');
  const [table] = await sql.query<DataTable>(
    `SELECT ${FIELDS} FROM data_table WHERE id = $1 AND workspace_id = $2${lock ? ' FOR UPDATE' : ''}`,
    [id, workspaceId],
    lock ? {} : { name: 'tables.find' },
  );
  if (!table) throw notFound('The table');
  return table;
}

/** Types of columns in PostgreSQL. Texts sort by code points, so that an index also serves `starts_with`. */
export const SQL_TYPE: Record<ColumnType, string> = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz(3)',
  json: 'jsonb',
};

/** Something to filter and sort by: a column, or `id`, `createdAt`, `updatedAt`. */
export interface Field {
  name: string;
  type: ColumnType;
  /** SQL of its value. */
  sql: string;
  /** SQL of what its index has: of a text the beginning. */
  key: string;
  isNullable: boolean;
  /** The column; null for fields that every table has. */
  column: TableColumn | null;
}

/** Characters of a text that its index has: index entries of PostgreSQL are limited. */
export const KEY_LENGTH = 256;

const own = (name: string, type: ColumnType, sql: string): Field => ({
  name,
  type,
  sql,
  key: sql,
  isNullable: false,
  column: null,
});

const OWN_FIELDS = [
  own('id', 'text', 'id'),
  own('createdAt', 'timestamp', 'created_at'),
  own('updatedAt', 'timestamp', 'updated_at'),
];

function fieldOf(column: TableColumn): Field {
  const { name, type, isRequired } = column;
  const sql = columnName(column.id);
  return { name, type, sql, key: keyOf(column), isNullable: !isRequired, column };
}

/** SQL of what the index of a column has. */
export const keyOf = ({ id, type }: TableColumn): string =>
  type === 'text' ? `left(${columnName(id)}, ${KEY_LENGTH})` : columnName(id);

/** All fields of a table by their names. */
export const fieldsOf = ({ columns }: Pick<DataTable, 'columns'>): Map<string, Field> =>
  new Map([...OWN_FIELDS, ...columns.map(fieldOf)].map((field) => [field.name, field]));
