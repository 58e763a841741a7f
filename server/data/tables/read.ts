import type { StoredTableRow } from '@/contract/tables/table';
import { MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { requireCells, cellParameter, toTableRow, type CellsByColumn, type DatabaseTableRow } from './cells';
import { runOnTable } from './table-errors';
import { listComparisons, rowConditionSql, parseRowFilter, type RowCondition } from './filter';
import { requestColumnIndexes } from './index-requests';
import { lacksListIndex, requestListIndex } from './list-indexes';
import {
  rowOrderSql,
  outerSortKey,
  parseRowCursor,
  parseRowSort,
  segmentsAfterPosition,
  splitSegmentAt,
  writeRowCursor,
  type PagePosition,
  type RowSegment,
  type TableSortKey,
} from './order';
import { findRareParts } from './rare-parts';
import { rowColumnName, SqlParameters, rowTableName, type SqlClient } from './sql';
import {
  listTableFields,
  indexedColumnSql,
  INDEXED_TEXT_LENGTH,
  COLUMN_SQL_TYPES,
  type DataTableRecord,
} from './table';
import { rowSizeSql } from './tally';

/** SQL of the columns that a row is presented from. */
export const rowColumnsSql = ({ columns }: DataTableRecord, of = ''): string =>
  ['id', 'created_at', 'updated_at', ...columns.map(({ id }) => rowColumnName(id))].map((name) => of + name).join(', ');

/** A search for rows. `filter` is an object or its JSON; `sort` is a text such as `-createdAt,name`. */
export interface TableRowSearch {
  filter?: unknown;
  sort?: unknown;
  limit: number;
  cursor?: string | undefined;
}

interface PreparedSearch {
  condition: RowCondition | null;
  keys: TableSortKey[];
  limit: number;
  /** The row that exceeds them is the last one. */
  bytes: number;
}

type FoundTableRow = DatabaseTableRow & { rowNumber: string; size: number };

/** A page ends after so many bytes: a thousand rows may have gigabytes. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** SQL of the values by which a row is sorted, as the index has them. */
const positionColumnsSql = (keys: readonly TableSortKey[]) =>
  [...keys.map(({ field }, index) => `${field.key} AS k${index}`), 'n::text AS "rowNumber"'].join(', ');

/** A value of a sort key as a parameter. */
const sortValueText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
};

const rowPosition = (keys: readonly TableSortKey[], row: FoundTableRow): PagePosition => ({
  n: row.rowNumber,
  values: keys.map((_, index) => sortValueText(row[`k${index}`])),
});

/** WHERE of the rows of a filter that are in a segment; empty: all rows. */
function segmentWhereSql(condition: RowCondition | null, { where }: RowSegment, parameters: SqlParameters): string {
  const parts = [...(condition ? [rowConditionSql(condition, parameters)] : []), ...(where ? [where(parameters)] : [])];
  return parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '';
}

async function selectSegmentRows(
  sql: SqlClient,
  table: DataTableRecord,
  { condition, keys, limit, bytes }: PreparedSearch,
  segment: RowSegment,
): Promise<FoundTableRow[]> {
  const parameters = new SqlParameters();
  const where = segmentWhereSql(condition, segment, parameters);
  const rows = `SELECT ${rowColumnsSql(table)}, ${positionColumnsSql(keys)}, (${rowSizeSql(table)})::float8 AS size
    FROM ${rowTableName(table.id)} ${where} ORDER BY ${rowOrderSql(keys, segment.free)} LIMIT ${limit}`;
  // The window reads the rows in their order. What is beyond the bytes of a page never leaves the database.
  return sql.rows<FoundTableRow>(
    `SELECT * FROM (SELECT r.*, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS bytes_before FROM (${rows}) r) p
    WHERE bytes_before <= ${bytes}`,
    parameters.values,
  );
}

/** The value of a key in the row at `limit` of a segment; undefined: the segment has fewer rows. */
async function sortValueAtLimit(
  sql: SqlClient,
  table: DataTableRecord,
  { condition, limit }: Pick<PreparedSearch, 'condition' | 'limit'>,
  segment: RowSegment,
  key: TableSortKey,
): Promise<string | null | undefined> {
  const parameters = new SqlParameters();
  const where = segmentWhereSql(condition, segment, parameters);
  const [row] = await sql.query<{ value: unknown }>(
    `SELECT ${key.field.key} AS value FROM ${rowTableName(table.id)} ${where} ORDER BY ${rowOrderSql([key])} OFFSET ${limit - 1} LIMIT 1`,
    parameters.values,
  );
  return row && sortValueText(row.value);
}

/**
 * The parts of the list one after another, until there are enough rows. `isCut`: they end because of their bytes. A
 * sort by several columns that has no index would sort all rows that are equal in the first: the last row of the page
 * by the first column tells which few rows come before that group, and in the group the index of the next column
 * serves.
 */
async function collectPageRows(
  sql: SqlClient,
  table: DataTableRecord,
  search: Omit<PreparedSearch, 'bytes'>,
  position: PagePosition | null,
): Promise<{ found: FoundTableRow[]; isCut: boolean }> {
  const { keys, condition } = search;
  const isSplit = lacksListIndex(table, condition, keys);
  const segments = segmentsAfterPosition(keys, position).map((segment) => ({ segment, isSmall: !isSplit }));
  const found: FoundTableRow[] = [];
  let bytes = 0;
  for (;;) {
    const next = segments.shift();
    if (!next || found.length >= search.limit || bytes > MAX_PAGE_BYTES) break;
    const rest = { limit: search.limit - found.length, bytes: MAX_PAGE_BYTES - bytes };
    const key = next.isSmall ? null : outerSortKey(keys, next.segment);
    const value = key
      ? await sortValueAtLimit(sql, table, { condition, limit: rest.limit }, next.segment, key)
      : undefined;
    if (key && value !== undefined) {
      const parts = splitSegmentAt(next.segment, key, value);
      segments.unshift(
        ...parts.before.map((segment) => ({ segment, isSmall: true })),
        ...parts.rest.map((segment) => ({ segment, isSmall: false })),
      );
    } else {
      const rows = await selectSegmentRows(sql, table, { ...search, ...rest }, next.segment);
      found.push(...rows);
      bytes += rows.reduce((sum, { size }) => sum + size, 0);
    }
  }
  return { found, isCut: bytes > MAX_PAGE_BYTES };
}

/**
 * One page of the rows that a filter matches: fewer than `limit` if they are large. `nextCursor` leads to the next one.
 * Throws 400 for what does not fit the table.
 */
export async function findTableRows(
  sql: SqlClient,
  table: DataTableRecord,
  { filter, sort, limit, cursor }: TableRowSearch,
): Promise<{ data: StoredTableRow[]; nextCursor: string | null }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS_PER_CALL) {
    throw invalidFieldProblem('limit', `must be a whole number from 1 to ${MAX_ROWS_PER_CALL}`);
  }
  const fields = listTableFields(table);
  const condition = parseRowFilter(fields, filter);
  const keys = parseRowSort(fields, sort);
  const position = cursor === undefined ? null : parseRowCursor(keys, cursor);
  await requestColumnIndexes(table, listComparisons(condition), keys);
  await requestListIndex(table, condition, keys);
  // One more row tells whether there is another page.
  const search = { condition, keys, limit: limit + 1 };
  const { found, isCut } = await runOnTable(table, async () => {
    await findRareParts(sql, table, condition);
    return collectPageRows(sql, table, search, position);
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map((row) => toTableRow(table, row)),
    nextCursor: last && (found.length > limit || isCut) ? writeRowCursor(keys, rowPosition(keys, last)) : null,
  };
}

/** Number of the rows that a filter matches; without one, of all rows. */
export async function countTableRows(sql: SqlClient, table: DataTableRecord, filter?: unknown): Promise<number> {
  const condition = parseRowFilter(listTableFields(table), filter);
  if (!condition) return countAllRows(sql, table.id);
  await requestColumnIndexes(table, listComparisons(condition), []);
  const [row] = await runOnTable(table, async () => {
    await findRareParts(sql, table, condition);
    const parameters = new SqlParameters();
    return sql.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM ${rowTableName(table.id)} WHERE ${rowConditionSql(condition, parameters)}`,
      parameters.values,
    );
  });
  return row?.count ?? 0;
}

async function countAllRows(sql: SqlClient, tableId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'SELECT coalesce(sum(rows), 0)::float8 AS count FROM data_table_tally WHERE table_id = $1',
    [tableId],
  );
  return row?.count ?? 0;
}

/** SQL of the rows that have these values, an absent one included. An index serves it. */
export function rowKeyConditionSql(table: DataTableRecord, cells: CellsByColumn, parameters: SqlParameters): string {
  const parts = table.columns
    .filter(({ id }) => Object.hasOwn(cells, id))
    .flatMap((column) => {
      const text = cellParameter(column, cells[column.id] ?? null);
      if (text === null) return [`${indexedColumnSql(column)} IS NULL`];
      const value = parameters.add(text, COLUMN_SQL_TYPES[column.type]);
      const whole = `${rowColumnName(column.id)} = ${value}`;
      return column.type === 'text'
        ? [`${indexedColumnSql(column)} = left(${value}, ${INDEXED_TEXT_LENGTH})`, whole]
        : [whole];
    });
  return parts.join(' AND ');
}

/** The cells of a key such as `{email}`: at least one column, none of type json. Throws 400. */
export function requireRowKey(table: DataTableRecord, key: unknown, path = 'key'): CellsByColumn {
  const cells = requireCells(table, key, path, { whole: false });
  const named = table.columns.filter(({ id }) => Object.hasOwn(cells, id));
  if (named.length === 0) throw invalidFieldProblem(path, 'must name at least one column');
  const json = named.find(({ type }) => type === 'json');
  if (json) throw invalidFieldProblem(`${path}.${json.name}`, 'has the type json and can’t be part of a key');
  return cells;
}

/** The row with this key; the oldest, if there are several; null: none. */
export async function getRowByKey(
  sql: SqlClient,
  table: DataTableRecord,
  key: unknown,
): Promise<StoredTableRow | null> {
  const cells = requireRowKey(table, key);
  const parameters = new SqlParameters();
  const where = rowKeyConditionSql(table, cells, parameters);
  const [row] = await runOnTable(table, () =>
    sql.query<DatabaseTableRow>(
      `SELECT ${rowColumnsSql(table)} FROM ${rowTableName(table.id)} WHERE ${where} ORDER BY n LIMIT 1`,
      parameters.values,
    ),
  );
  return row ? toTableRow(table, row) : null;
}

/** The row with this id; null: none. */
export async function getTableRowById(
  sql: SqlClient,
  table: DataTableRecord,
  id: string,
): Promise<StoredTableRow | null> {
  const [row] = await runOnTable(table, () =>
    sql.query<DatabaseTableRow>(`SELECT ${rowColumnsSql(table)} FROM ${rowTableName(table.id)} WHERE id = $1`, [id]),
  );
  return row ? toTableRow(table, row) : null;
}
