import type { ColumnType, FilterOperator, RowFilter } from '@/contract/tables/table-columns';
import { readCell } from './cell-text';
import type { ShownTable } from './types';

/** One condition as it is edited. */
export interface FilterRow {
  column: string;
  operator: FilterOperator;
  value: string;
}

export interface FilterState {
  join: 'and' | 'or';
  rows: FilterRow[];
}

export const NO_FILTER: FilterState = { join: 'and', rows: [] };

/** The columns of a table and its own fields. */
export const filterableColumns = ({ columns }: ShownTable): { name: string; type: ColumnType }[] => [
  ...columns,
  { name: 'createdAt', type: 'timestamp' },
  { name: 'updatedAt', type: 'timestamp' },
];

/** The filter that the conditions mean; undefined: none. Conditions whose value is missing or wrong are left out, and named by their number. */
export function filterOf(
  table: ShownTable,
  { join, rows }: FilterState,
): { filter: RowFilter | undefined; faults: Map<number, string> } {
  const faults = new Map<number, string>();
  const types = new Map(filterableColumns(table).map(({ name, type }) => [name, type]));
  const parts: RowFilter[] = rows.flatMap(({ column, operator, value }, index): RowFilter[] => {
    if (operator === 'is_null') return [{ column, operator }];
    if (value === '') return [];
    const type = types.get(column) ?? 'text';
    const read = readCell(type, value);
    const isWrongTime = type === 'timestamp' && Number.isNaN(Date.parse(value));
    const isWrongBoolean = type === 'boolean' && !/^(true|false)$/.test(value.trim());
    if ('value' in read && !isWrongTime && !isWrongBoolean) return [{ column, operator, value: read.value }];
    faults.set(index, 'fault' in read ? read.fault : isWrongTime ? 'such as 2026-01-31' : 'true or false');
    return [];
  });
  const [first] = parts;
  if (parts.length < 2) return { filter: first, faults };
  return { filter: join === 'and' ? { and: parts } : { or: parts }, faults };
}
