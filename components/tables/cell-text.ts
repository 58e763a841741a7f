import { parseExactJson } from '@/contract/exact-json';
import type { TableColumnType } from '@/contract/tables/table-columns';

/** A value as an editor of its type shows it; empty: no value. */
export function cellEditorText(type: TableColumnType, value: unknown): string {
  if (value === null || value === undefined) return '';
  return type === 'json' ? JSON.stringify(value) : String(value);
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
