import { parseExactJson } from '@/contract/exact-json';
import type { ColumnType } from '@/contract/tables/table-columns';

/** A value as an editor of its type shows it; empty: no value. */
export function textOfCell(type: ColumnType, value: unknown): string {
  if (value === null || value === undefined) return '';
  return type === 'json' ? JSON.stringify(value) : String(value);
}

export type ReadCell = { value: unknown } | { fault: string };

function readJson(text: string): ReadCell {
  try {
    return { value: parseExactJson(text) };
  } catch {
    return { fault: 'must be JSON' };
  }
}

function readNumber(text: string): ReadCell {
  const value = Number(text.trim());
  return Number.isFinite(value) ? { value } : { fault: 'must be a number' };
}

/** What a text means in a column of this type. The service checks the rest. */
export function readCell(type: ColumnType, text: string): ReadCell {
  if (text.trim() === '' && (type !== 'text' || text === '')) return { value: null };
  switch (type) {
    case 'number':
      return readNumber(text);
    case 'boolean':
      return { value: text === 'true' };
    case 'json':
      return readJson(text);
    case 'timestamp':
      return { value: text.trim() };
    default:
      return { value: text };
  }
}
