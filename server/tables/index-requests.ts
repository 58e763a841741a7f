import type { TableColumn } from '@/contract/tables/table';
import { poolAside } from '@/server/db/client';
import { log } from '@/server/log';
import type { Condition } from './filter';
import type { SortKey } from './order';
import type { DataTable, Field } from './table';

/** Columns that have an index from the beginning: the first ones. Each further index makes every change slower. */
const INDEXED_COLUMNS = 16;
/** Indexes of one table that come from its use. */
const MAX_REQUESTED = 24;

/** `order`: for comparisons and sorts; `search`: for `contains`. */
export type IndexKind = 'order' | 'search';

export interface ColumnIndex {
  column: TableColumn;
  kind: IndexKind;
}

/** The columns whose values are compared; JSON is not. */
const isOrdered = ({ type }: TableColumn) => type !== 'json';

/** The indexes that a table should have besides those of unique columns and of its own fields. */
export function indexesOf({ columns, indexes }: Pick<DataTable, 'columns' | 'indexes'>): ColumnIndex[] {
  const requested = new Set(indexes);
  const usual = new Set(columns.filter(isOrdered).slice(0, INDEXED_COLUMNS));
  return columns.flatMap((column) => [
    ...(usual.has(column) || requested.has(`${column.id} order`) ? [{ column, kind: 'order' as const }] : []),
    ...(requested.has(`${column.id} search`) ? [{ column, kind: 'search' as const }] : []),
  ]);
}

function neededFor(comparisons: readonly Exclude<Condition, { join: string }>[], keys: readonly SortKey[]): string[] {
  const word = ({ column }: Field, kind: IndexKind) => (column ? [`${column.id} ${kind}`] : []);
  return [
    ...comparisons.flatMap(({ field, operator }) => word(field, operator === 'contains' ? 'search' : 'order')),
    ...keys.slice(0, 1).flatMap(({ field }) => word(field, 'order')),
  ];
}

/**
 * Has the keeper build indexes for columns that are used to filter or sort. They may be there after a while; the statement of now does
 * without. Apart from the caller's transaction, which may be rolled back.
 */
export async function requestIndexes(
  table: DataTable,
  comparisons: readonly Exclude<Condition, { join: string }>[],
  keys: readonly SortKey[],
): Promise<void> {
  const present = new Set(indexesOf(table).map(({ column, kind }) => `${column.id} ${kind}`));
  const json = new Set(table.columns.filter((column) => !isOrdered(column)).map(({ id }) => `${id} order`));
  const missing = neededFor(comparisons, keys).filter((word) => !present.has(word) && !json.has(word));
  if (missing.length === 0 || table.indexes.length >= MAX_REQUESTED) return;
  try {
    await poolAside().query(
      `UPDATE data_table SET indexes = ARRAY(SELECT DISTINCT unnest(indexes || $2::text[])), is_indexed = false
       WHERE id = $1 AND NOT indexes @> $2::text[] AND cardinality(indexes) < ${MAX_REQUESTED}`,
      [table.id, missing],
    );
  } catch (error) {
    log().warn({ err: error, table: table.id }, 'an index of a table could not be requested');
  }
}
