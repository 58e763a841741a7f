import { parseExactJson } from '@/contract/exact-json';
import type { TableColumnType } from '@/contract/tables/table-columns';

/** A value as an editor of its type shows it; empty: no value. */
export function cellEditorText(type: TableColumnType, value: unknown): string {
  if (value === null || value === undefined) return '';
  return type === 'json' ? JSON.stringify(value) : String(value);
}

export const BOOLEAN_CELL_NAMES = { true: 'Yes', false: 'No' } as const;

export const BOOLEAN_CELL_OPTIONS = (['true', 'false'] as const).map((value) => ({
  value,
  label: BOOLEAN_CELL_NAMES[value],
}));

/** A value as a cell of its type shows it. A timestamp is shown in the time zone of the reader. */
export function cellDisplayText(type: TableColumnType, value: unknown): string {
  if (type === 'boolean' && typeof value === 'boolean') return BOOLEAN_CELL_NAMES[`${value}`];
  const text = cellEditorText(type, value);
  const at = type === 'timestamp' ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? text : new Date(at).toLocaleString();
}

export type ParsedCell = { value: unknown } | { fault: string };

function parseTypedJson(text: string): ParsedCell {
  try {
    return { value: parseExactJson(text) };
  } catch {
    return { fault: 'must be JSON' };
  }
}

function parseTypedNumber(text: string): ParsedCell {
  const value = Number(text.trim());
  return Number.isFinite(value) ? { value } : { fault: 'must be a number' };
}

/** What a text means in a column of this type. The service checks the rest. */
export function parseCellText(type: TableColumnType, text: string): ParsedCell {
  if (text.trim() === '' && (type !== 'text' || text === '')) return { value: null };
  switch (type) {
    case 'number':
      return parseTypedNumber(text);
    case 'boolean':
      return { value: text === 'true' };
    case 'json':
      return parseTypedJson(text);
    case 'timestamp':
      return { value: text.trim() };
    default:
      return { value: text };
  }
}
