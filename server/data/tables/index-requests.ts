import type { TableColumn } from '@/contract/tables/table';
import { secondaryPool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import type { RowCondition } from './filter';
import type { TableSortKey } from './order';
import type { DataTableRecord, TableField } from './table';

/** Columns that have an index from the beginning: the first ones. Each further index makes every change slower. */
const MAX_USUAL_INDEXES = 16;
/** A table has at most this many indexes that come from its use. */
const MAX_REQUESTED_INDEXES = 24;

/** `order`: for comparisons and sorts; `search`: for `contains`. */
export type ColumnIndexKind = 'order' | 'search';

export interface ColumnIndex {
  column: TableColumn;
  kind: ColumnIndexKind;
}

/** The columns whose values are compared; JSON is not. */
const isOrderableColumn = ({ type }: TableColumn) => type !== 'json';

/** The indexes that a table should have besides those of unique columns and of its own fields. */
export function wantedColumnIndexes({ columns, indexes }: Pick<DataTableRecord, 'columns' | 'indexes'>): ColumnIndex[] {
  const requested = new Set(indexes);
  const usual = new Set(columns.filter(isOrderableColumn).slice(0, MAX_USUAL_INDEXES));
  return columns.flatMap((column) => [
    ...(usual.has(column) || requested.has(`${column.id} order`) ? [{ column, kind: 'order' as const }] : []),
    ...(requested.has(`${column.id} search`) ? [{ column, kind: 'search' as const }] : []),
  ]);
}

function neededIndexes(
  comparisons: readonly Exclude<RowCondition, { join: string }>[],
  keys: readonly TableSortKey[],
): string[] {
  const word = ({ column }: TableField, kind: ColumnIndexKind) => (column ? [`${column.id} ${kind}`] : []);
  return [
    ...comparisons.flatMap(({ field, operator }) => word(field, operator === 'contains' ? 'search' : 'order')),
    ...keys.slice(0, 1).flatMap(({ field }) => word(field, 'order')),
  ];
}

/**
 * Has the keeper build indexes for columns that are used to filter or sort. They may be there after a while; the
 * statement of now does without. Apart from the caller's transaction, which may be rolled back.
 */
export async function requestColumnIndexes(
  table: DataTableRecord,
  comparisons: readonly Exclude<RowCondition, { join: string }>[],
  keys: readonly TableSortKey[],
): Promise<void> {
  const present = new Set(wantedColumnIndexes(table).map(({ column, kind }) => `${column.id} ${kind}`));
  const json = new Set(table.columns.filter((column) => !isOrderableColumn(column)).map(({ id }) => `${id} order`));
  const missing = neededIndexes(comparisons, keys).filter((word) => !present.has(word) && !json.has(word));
  if (missing.length === 0 || table.indexes.length >= MAX_REQUESTED_INDEXES) return;
  try {
    await secondaryPool().query(
      `UPDATE data_table SET indexes = ARRAY(SELECT DISTINCT unnest(indexes || $2::text[])), is_indexed = false
       WHERE id = $1 AND NOT indexes @> $2::text[] AND cardinality(indexes) < ${MAX_REQUESTED_INDEXES}`,
      [table.id, missing],
    );
  } catch (error) {
    serviceLog().warn({ err: error, table: table.id }, 'an index of a table could not be requested');
  }
}
