import { poolAside } from '@/server/db/client';
import { log } from '@/server/log';
import { Lru } from '@/server/lru';
import type { Condition } from './filter';
import type { SortKey } from './order';
import { columnName } from './sql';
import { keyOf, type DataTable, type Field } from './table';

/** Indexes with several columns of one table. Each makes every change slower. */
export const MAX_LIST_INDEXES = 6;
/** Columns of one index, besides the number of the row. */
const MAX_PARTS = 4;
/** Smaller tables are sorted in memory. */
const MIN_ROWS = 10_000;
/** A list is in use when a process has made it so often. Later calls ask again, for tables that have grown. */
const OFTEN = 3;
const AGAIN = 100;

const SUFFIX = ' list';
const OWN = new Set(['id', 'created_at', 'updated_at']);

const partOf = ({ column, sql }: Field) => column?.id ?? sql;

/** The fields that every row of a filter has equal. */
function equalFields(condition: Condition | null): Field[] {
  if (!condition) return [];
  if ('join' in condition) return condition.join === 'and' ? condition.parts.flatMap(equalFields) : [];
  return condition.operator === 'eq' ? [condition.field] : [];
}

const isUnique = ({ column, sql }: Field) => column?.isUnique === true || sql === 'id';

/**
 * The index that serves a filter together with a sort, as `c2,-c3 list`: first what all rows have equal, then the sort. Null if an index of
 * one column is as good.
 */
export function listIndexFor(condition: Condition | null, keys: readonly SortKey[]): string | null {
  const equal = [...new Map(equalFields(condition).map((field) => [partOf(field), field])).values()];
  const rest = keys.filter(({ field }) => !equal.some((one) => partOf(one) === partOf(field)));
  const [first] = rest;
  if (!first || equal.some(isUnique)) return null;
  const count = equal.length + rest.length;
  const isServed = count < 2 || (equal.length === 0 && isUnique(first.field));
  if (isServed || count > MAX_PARTS) return null;
  const isFlipped = first.isDescending;
  const sorted = rest.map(({ field, isDescending }) => `${isDescending === isFlipped ? '' : '-'}${partOf(field)}`);
  return [...equal.map(partOf).sort(), ...sorted].join(',') + SUFFIX;
}

/** Whether a large table lacks an index that would serve a list sorted by several columns. */
export function lacksListIndex(table: DataTable, condition: Condition | null, keys: readonly SortKey[]): boolean {
  if (keys.length < 2 || table.analyzedRows < MIN_ROWS) return false;
  const word = listIndexFor(condition, keys);
  return word === null || !table.isIndexed || !table.indexes.includes(word);
}

/** The indexes of several columns that were asked for and whose columns the table has, with the SQL of what they contain. */
export function listIndexesOf({
  columns,
  indexes,
}: Pick<DataTable, 'columns' | 'indexes'>): { word: string; on: string }[] {
  const keys = new Map(columns.map((column) => [column.id, keyOf(column)]));
  return indexes
    .filter((word) => word.endsWith(SUFFIX))
    .flatMap((word) => {
      const parts = word.slice(0, -SUFFIX.length).split(',');
      const named = parts.map((part) => ({ name: part.replace(/^-/, ''), isDescending: part.startsWith('-') }));
      if (!named.every(({ name }) => OWN.has(name) || keys.has(name))) return [];
      const sorted = [...named, { name: 'n', isDescending: named.at(-1)?.isDescending === true }];
      const on = sorted.map(({ name, isDescending }) => {
        const sql = OWN.has(name) || name === 'n' ? name : (keys.get(columnName(name)) ?? '');
        return `${sql}${isDescending ? ' DESC' : ''}`;
      });
      return [{ word, on: on.join(', ') }];
    });
}

/** Calls of lists in this process, by table and index. */
const calls = new Lru<number>(10_000, 10_000);

const REQUEST = `
UPDATE data_table SET indexes = indexes || $2::text, is_indexed = false
WHERE id = $1 AND NOT indexes @> ARRAY[$2::text] AND analyzed_rows >= ${MIN_ROWS}
  AND (SELECT count(*) FROM unnest(indexes) AS word WHERE word LIKE '%${SUFFIX}') < ${MAX_LIST_INDEXES}`;

/** Has the keeper build the index of a list that is in use, apart from the transaction of the caller. */
export async function requestListIndex(
  table: DataTable,
  condition: Condition | null,
  keys: readonly SortKey[],
): Promise<void> {
  const word = listIndexFor(condition, keys);
  if (word === null || table.indexes.includes(word)) return;
  const name = `${table.id} ${word}`;
  const count = (calls.get(name) ?? 0) + 1;
  calls.set(name, count, 1);
  if (count % AGAIN !== OFTEN) return;
  try {
    await poolAside().query(REQUEST, [table.id, word]);
  } catch (error) {
    log().warn({ err: error, table: table.id }, 'an index of a table could not be requested');
  }
}
