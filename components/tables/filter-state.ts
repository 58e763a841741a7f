import type { TableColumnType, FilterOperator, TableRowFilter } from '@/contract/tables/table-columns';
import { parseCellText } from './cell-text';
import type { TableDetails } from './types';

/** One condition as it is edited. */
export interface FilterConditionDraft {
  column: string;
  operator: FilterOperator;
  value: string;
}

export interface RowFilterDraft {
  join: 'and' | 'or';
  rows: FilterConditionDraft[];
}

export const EMPTY_ROW_FILTER: RowFilterDraft = { join: 'and', rows: [] };

/** The columns of a table and its own fields, with what people call them. */
export const filterableColumns = ({
  columns,
}: TableDetails): { name: string; label: string; type: TableColumnType }[] => [
  ...columns.map(({ name, type }) => ({ name, label: name, type })),
  { name: 'createdAt', label: 'Created', type: 'timestamp' },
  { name: 'updatedAt', label: 'Changed', type: 'timestamp' },
];

/**
 * Builds the filter of the conditions; undefined if there is none. Conditions whose value is missing or wrong are left
 * out, and `faults` names them by their number.
 */
export function buildRowFilter(
  table: TableDetails,
  { join, rows }: RowFilterDraft,
): { filter: TableRowFilter | undefined; faults: Map<number, string> } {
  const faults = new Map<number, string>();
  const types = new Map(filterableColumns(table).map(({ name, type }) => [name, type]));
  const parts: TableRowFilter[] = rows.flatMap(({ column, operator, value }, index): TableRowFilter[] => {
    if (operator === 'is_null') return [{ column, operator }];
    if (value === '') return [];
    const type = types.get(column) ?? 'text';
    const read = parseCellText(type, value);
    const isWrongTime = type === 'timestamp' && Number.isNaN(Date.parse(value));
    const isWrongBoolean = type === 'boolean' && !/^(true|false)$/.test(value.trim());
    if ('value' in read && !isWrongTime && !isWrongBoolean) return [{ column, operator, value: read.value }];
    faults.set(index, 'fault' in read ? read.fault : isWrongTime ? 'such as 2026-01-31' : 'yes or no');
    return [];
  });
  const [first] = parts;
  if (parts.length < 2) return { filter: first, faults };
  return { filter: join === 'and' ? { and: parts } : { or: parts }, faults };
}
