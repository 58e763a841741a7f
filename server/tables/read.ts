import type { TableRow } from '@/contract/tables/table';
import { MAX_ROWS } from '@/contract/tables/table-columns';
import { invalidField } from '@/server/errors/problem';
import { cellsOf, parameterOf, presentRow, type Cells, type StoredRow } from './cells';
import { onTable } from './faults';
import { comparisonsIn, conditionSql, readFilter, type Condition } from './filter';
import { requestIndexes } from './index-requests';
import { lacksListIndex, requestListIndex } from './list-indexes';
import {
  orderSql,
  outerKey,
  readCursor,
  readSort,
  segmentsAfter,
  splitAt,
  writeCursor,
  type Position,
  type Segment,
  type SortKey,
} from './order';
import { findRareParts } from './rare-parts';
import { columnName, Parameters, tableName, type Sql } from './sql';
import { fieldsOf, keyOf, KEY_LENGTH, SQL_TYPE, type DataTable } from './table';
import { sizeSql } from './tally';

/** SQL of the columns that a row is presented from. */
export const rowColumns = ({ columns }: DataTable, of = ''): string =>
  ['id', 'created_at', 'updated_at', ...columns.map(({ id }) => columnName(id))].map((name) => of + name).join(', ');

/** What to find. `filter`: an object or its JSON; `sort`: such as `-createdAt,name`. */
export interface RowSearch {
  filter?: unknown;
  sort?: unknown;
  limit: number;
  cursor?: string | undefined;
}

interface Search {
  condition: Condition | null;
  keys: SortKey[];
  limit: number;
  /** The row that exceeds them is the last one. */
  bytes: number;
}

type FoundRow = StoredRow & { rowNumber: string; size: number };

/** A page ends after so many bytes: a thousand rows may have gigabytes. */
const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** SQL of the values by which a row is sorted, as the index has them. */
const positionColumns = (keys: readonly SortKey[]) =>
  [...keys.map(({ field }, index) => `${field.key} AS k${index}`), 'n::text AS "rowNumber"'].join(', ');

/** A value of a sort key as a parameter. */
const valueText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
};

const positionOf = (keys: readonly SortKey[], row: FoundRow): Position => ({
  n: row.rowNumber,
  values: keys.map((_, index) => valueText(row[`k${index}`])),
});

/** WHERE of the rows of a filter that are in a segment; empty: all rows. */
function whereSql(condition: Condition | null, { where }: Segment, parameters: Parameters): string {
  const parts = [...(condition ? [conditionSql(condition, parameters)] : []), ...(where ? [where(parameters)] : [])];
  return parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '';
}

async function selectRows(
  sql: Sql,
  table: DataTable,
  { condition, keys, limit, bytes }: Search,
  segment: Segment,
): Promise<FoundRow[]> {
  const parameters = new Parameters();
  const where = whereSql(condition, segment, parameters);
  const rows = `SELECT ${rowColumns(table)}, ${positionColumns(keys)}, (${sizeSql(table)})::float8 AS size
    FROM ${tableName(table.id)} ${where} ORDER BY ${orderSql(keys, segment.free)} LIMIT ${limit}`;
  // The window reads the rows in their order. What is beyond the bytes of a page never leaves the database.
  return sql.rows<FoundRow>(
    `SELECT * FROM (SELECT r.*, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS bytes_before FROM (${rows}) r) p
    WHERE bytes_before <= ${bytes}`,
    parameters.values,
  );
}

/** The value of a key in the row at `limit` of a segment; undefined: the segment has fewer rows. */
async function valueAt(
  sql: Sql,
  table: DataTable,
  { condition, limit }: Pick<Search, 'condition' | 'limit'>,
  segment: Segment,
  key: SortKey,
): Promise<string | null | undefined> {
  const parameters = new Parameters();
  const where = whereSql(condition, segment, parameters);
  const [row] = await sql.query<{ value: unknown }>(
    `SELECT ${key.field.key} AS value FROM ${tableName(table.id)} ${where} ORDER BY ${orderSql([key])} OFFSET ${limit - 1} LIMIT 1`,
    parameters.values,
  );
  return row && valueText(row.value);
}

/**
 * The parts of the list one after another, until there are enough rows. `isCut`: they end because of their bytes. A sort by several columns that has no
 * index would sort all rows that are equal in the first: the last row of the page by the first column tells which few rows come before that group, and in the
 * group the index of the next column serves.
 */
async function collect(
  sql: Sql,
  table: DataTable,
  search: Omit<Search, 'bytes'>,
  position: Position | null,
): Promise<{ found: FoundRow[]; isCut: boolean }> {
  const { keys, condition } = search;
  const isSplit = lacksListIndex(table, condition, keys);
  const segments = segmentsAfter(keys, position).map((segment) => ({ segment, isSmall: !isSplit }));
  const found: FoundRow[] = [];
  let bytes = 0;
  for (;;) {
    const next = segments.shift();
    if (!next || found.length >= search.limit || bytes > MAX_PAGE_BYTES) break;
    const rest = { limit: search.limit - found.length, bytes: MAX_PAGE_BYTES - bytes };
    const key = next.isSmall ? null : outerKey(keys, next.segment);
    const value = key ? await valueAt(sql, table, { condition, limit: rest.limit }, next.segment, key) : undefined;
    if (key && value !== undefined) {
      const parts = splitAt(next.segment, key, value);
      segments.unshift(
        ...parts.before.map((segment) => ({ segment, isSmall: true })),
        ...parts.rest.map((segment) => ({ segment, isSmall: false })),
      );
    } else {
      const rows = await selectRows(sql, table, { ...search, ...rest }, next.segment);
      found.push(...rows);
      bytes += rows.reduce((sum, { size }) => sum + size, 0);
    }
  }
  return { found, isCut: bytes > MAX_PAGE_BYTES };
}

/** One page of the rows that a filter matches: fewer than `limit` if they are large. `nextCursor` leads to the next one. Throws 400 for what does not fit the table. */
export async function findRows(
  sql: Sql,
  table: DataTable,
  { filter, sort, limit, cursor }: RowSearch,
): Promise<{ data: TableRow[]; nextCursor: string | null }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS) {
    throw invalidField('limit', `must be a whole number from 1 to ${MAX_ROWS}`);
  }
  const fields = fieldsOf(table);
  const condition = readFilter(fields, filter);
  const keys = readSort(fields, sort);
  const position = cursor === undefined ? null : readCursor(keys, cursor);
  await requestIndexes(table, comparisonsIn(condition), keys);
  await requestListIndex(table, condition, keys);
  // One more row tells whether there is another page.
  const search = { condition, keys, limit: limit + 1 };
  const { found, isCut } = await onTable(table, async () => {
    await findRareParts(sql, table, condition);
    return collect(sql, table, search, position);
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map((row) => presentRow(table, row)),
    nextCursor: last && (found.length > limit || isCut) ? writeCursor(keys, positionOf(keys, last)) : null,
  };
}

/** Number of the rows that a filter matches; without one, of all rows. */
export async function countRows(sql: Sql, table: DataTable, filter?: unknown): Promise<number> {
  const condition = readFilter(fieldsOf(table), filter);
  if (!condition) return countAll(sql, table.id);
  await requestIndexes(table, comparisonsIn(condition), []);
  const [row] = await onTable(table, async () => {
    await findRareParts(sql, table, condition);
    const parameters = new Parameters();
    return sql.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM ${tableName(table.id)} WHERE ${conditionSql(condition, parameters)}`,
      parameters.values,
    );
  });
  return row?.count ?? 0;
}

async function countAll(sql: Sql, tableId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'SELECT coalesce(sum(rows), 0)::float8 AS count FROM data_table_tally WHERE table_id = $1',
    [tableId],
  );
  return row?.count ?? 0;
}

/** SQL of the rows that have these values, an absent one included. An index serves it. */
export function keyCondition(table: DataTable, cells: Cells, parameters: Parameters): string {
  const parts = table.columns
    .filter(({ id }) => Object.hasOwn(cells, id))
    .flatMap((column) => {
      const text = parameterOf(column, cells[column.id] ?? null);
      if (text === null) return [`${keyOf(column)} IS NULL`];
      const value = parameters.add(text, SQL_TYPE[column.type]);
      const whole = `${columnName(column.id)} = ${value}`;
      return column.type === 'text' ? [`${keyOf(column)} = left(${value}, ${KEY_LENGTH})`, whole] : [whole];
    });
  return parts.join(' AND ');
}

/** The cells of a key such as `{email}`: at least one column, none of type json. Throws 400. */
export function readKey(table: DataTable, key: unknown, path = 'key'): Cells {
  const cells = cellsOf(table, key, path, { whole: false });
  const named = table.columns.filter(({ id }) => Object.hasOwn(cells, id));
  if (named.length === 0) throw invalidField(path, 'must name at least one column');
  const json = named.find(({ type }) => type === 'json');
  if (json) throw invalidField(`${path}.${json.name}`, 'has the type json and can’t be part of a key');
  return cells;
}

/** The row with this key; the oldest, if there are several; null: none. */
export async function getRow(sql: Sql, table: DataTable, key: unknown): Promise<TableRow | null> {
  const cells = readKey(table, key);
  const parameters = new Parameters();
  const where = keyCondition(table, cells, parameters);
  const [row] = await onTable(table, () =>
    sql.query<StoredRow>(
      `SELECT ${rowColumns(table)} FROM ${tableName(table.id)} WHERE ${where} ORDER BY n LIMIT 1`,
      parameters.values,
    ),
  );
  return row ? presentRow(table, row) : null;
}

/** The row with this id; null: none. */
export async function getRowById(sql: Sql, table: DataTable, id: string): Promise<TableRow | null> {
  const [row] = await onTable(table, () =>
    sql.query<StoredRow>(`SELECT ${rowColumns(table)} FROM ${tableName(table.id)} WHERE id = $1`, [id]),
  );
  return row ? presentRow(table, row) : null;
}
