import { secondaryPool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { LruCache } from '@/server/platform/cache/lru';
import type { RowCondition } from './filter';
import type { TableSortKey } from './order';
import { rowColumnName } from './sql';
import { indexedColumnSql, type DataTableRecord, type TableField } from './table';

/** A table has at most this many indexes with several columns, because each makes every change slower. */
export const MAX_LIST_INDEXES = 6;
/** One index has at most this many columns besides the number of the row. */
const MAX_INDEX_COLUMNS = 4;
/** Smaller tables are sorted in memory. */
const MIN_ROWS_FOR_LIST_INDEX = 10_000;
/** A list is in use when a process has made it so often. Later calls ask again, for tables that have grown. */
const CALLS_BEFORE_REQUEST = 3;
const CALLS_BETWEEN_REQUESTS = 100;

const LIST_INDEX_SUFFIX = ' list';
const SERVICE_COLUMN_NAMES = new Set(['id', 'created_at', 'updated_at']);

const indexPart = ({ column, sql }: TableField) => column?.id ?? sql;

/** The fields that every row of a filter has equal. */
function listEqualFields(condition: RowCondition | null): TableField[] {
  if (!condition) return [];
  if ('join' in condition) return condition.join === 'and' ? condition.parts.flatMap(listEqualFields) : [];
  return condition.operator === 'eq' ? [condition.field] : [];
}

const hasUniqueValues = ({ column, sql }: TableField) => column?.isUnique === true || sql === 'id';

/**
 * The index that serves a filter together with a sort, as `c2,-c3 list`: first what all rows have equal, then the sort.
 * Null if an index of one column is as good.
 */
export function chooseListIndex(condition: RowCondition | null, keys: readonly TableSortKey[]): string | null {
  const equal = [...new Map(listEqualFields(condition).map((field) => [indexPart(field), field])).values()];
  const rest = keys.filter(({ field }) => !equal.some((one) => indexPart(one) === indexPart(field)));
  const [first] = rest;
  if (!first || equal.some(hasUniqueValues)) return null;
  const count = equal.length + rest.length;
  const isServed = count < 2 || (equal.length === 0 && hasUniqueValues(first.field));
  if (isServed || count > MAX_INDEX_COLUMNS) return null;
  const isFlipped = first.isDescending;
  const sorted = rest.map(({ field, isDescending }) => `${isDescending === isFlipped ? '' : '-'}${indexPart(field)}`);
  return [...equal.map(indexPart).sort(), ...sorted].join(',') + LIST_INDEX_SUFFIX;
}

/** Whether a large table lacks an index that would serve a list sorted by several columns. */
export function lacksListIndex(
  table: DataTableRecord,
  condition: RowCondition | null,
  keys: readonly TableSortKey[],
): boolean {
  if (keys.length < 2 || table.analyzedRows < MIN_ROWS_FOR_LIST_INDEX) return false;
  const word = chooseListIndex(condition, keys);
  return word === null || !table.isIndexed || !table.indexes.includes(word);
}

/**
 * The indexes of several columns that were asked for and whose columns the table has, with the SQL of what they
 * contain.
 */
export function requestedListIndexes({
  columns,
  indexes,
}: Pick<DataTableRecord, 'columns' | 'indexes'>): { word: string; on: string }[] {
  const keys = new Map(columns.map((column) => [column.id, indexedColumnSql(column)]));
  return indexes
    .filter((word) => word.endsWith(LIST_INDEX_SUFFIX))
    .flatMap((word) => {
      const parts = word.slice(0, -LIST_INDEX_SUFFIX.length).split(',');
      const named = parts.map((part) => ({ name: part.replace(/^-/, ''), isDescending: part.startsWith('-') }));
      if (!named.every(({ name }) => SERVICE_COLUMN_NAMES.has(name) || keys.has(name))) return [];
      const sorted = [...named, { name: 'n', isDescending: named.at(-1)?.isDescending === true }];
      const on = sorted.map(({ name, isDescending }) => {
        const sql = SERVICE_COLUMN_NAMES.has(name) || name === 'n' ? name : (keys.get(rowColumnName(name)) ?? '');
        return `${sql}${isDescending ? ' DESC' : ''}`;
      });
      return [{ word, on: on.join(', ') }];
    });
}

/** Calls of lists in this process, by table and index. */
const listCallCounts = new LruCache<number>(10_000, 10_000);

const REQUEST_LIST_INDEX_SQL = `
UPDATE data_table SET indexes = indexes || $2::text, is_indexed = false
WHERE id = $1 AND NOT indexes @> ARRAY[$2::text] AND analyzed_rows >= ${MIN_ROWS_FOR_LIST_INDEX}
  AND (SELECT count(*) FROM unnest(indexes) AS word WHERE word LIKE '%${LIST_INDEX_SUFFIX}') < ${MAX_LIST_INDEXES}`;

/** Has the keeper build the index of a list that is in use, apart from the transaction of the caller. */
export async function requestListIndex(
  table: DataTableRecord,
  condition: RowCondition | null,
  keys: readonly TableSortKey[],
): Promise<void> {
  const word = chooseListIndex(condition, keys);
  if (word === null || table.indexes.includes(word)) return;
  const name = `${table.id} ${word}`;
  const count = (listCallCounts.get(name) ?? 0) + 1;
  listCallCounts.set(name, count, 1);
  if (count % CALLS_BETWEEN_REQUESTS !== CALLS_BEFORE_REQUEST) return;
  try {
    await secondaryPool().query(REQUEST_LIST_INDEX_SQL, [table.id, word]);
  } catch (error) {
    serviceLog().warn({ err: error, table: table.id }, 'an index of a table could not be requested');
  }
}
