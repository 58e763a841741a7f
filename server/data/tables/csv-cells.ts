import { parseExactJson } from '@/contract/exact-json';
import { formatCsvRow, escapeCsvFormula } from '@/contract/tables/csv-text';
import type { StoredTableRow } from '@/contract/tables/table';
import { SYSTEM_COLUMNS, type TableColumnType } from '@/contract/tables/table-columns';
import type { DataTableRecord } from './table';

/**
 * Matches a text before which `escapeCsvFormula` has put an apostrophe. An import takes it away, so that what is
 * exported is imported as it was.
 */
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;

/** A cell as text; null: no value. Texts are no formulas. */
function writeCsvCell(type: TableColumnType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = type === 'json' ? JSON.stringify(value) : String(value);
  return type === 'text' ? escapeCsvFormula(text) : text;
}

const writeCsvLine = (cells: (string | null)[]) => `${formatCsvRow(cells)}\r\n`;

export const tableCsvHeader = ({ columns }: DataTableRecord): string =>
  writeCsvLine(['id', ...columns.map(({ name }) => writeCsvCell('text', name)), 'createdAt', 'updatedAt']);

export const tableCsvLine = ({ columns }: DataTableRecord, row: StoredTableRow): string =>
  writeCsvLine([
    row.id,
    ...columns.map(({ name, type }) => writeCsvCell(type, row[name])),
    row.createdAt,
    row.updatedAt,
  ]);

/** A cell of a file. An empty one without quotes has no value. */
export interface ImportedCell {
  text: string;
  isQuoted: boolean;
}

const CSV_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

function parseImportedJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // Refused like every value of a wrong type.
    return undefined;
  }
}

const CSV_BOOLEANS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

const CELL_READERS: Record<Exclude<TableColumnType, 'json'>, (text: string) => unknown> = {
  text: (text) => (ESCAPED_FORMULA.test(text) ? text.slice(1) : text),
  number: (text) => (CSV_NUMBER.test(text.trim()) ? Number(text) : text),
  boolean: (text) => CSV_BOOLEANS.get(text.trim().toLowerCase()) ?? text,
  timestamp: (text) => text.trim(),
};

/** The value of a cell, for `readCells`. A text that is no value of the type stays a text, and is refused there. */
export function parseImportedCell(
  type: TableColumnType,
  { text, isQuoted }: ImportedCell,
): { value: unknown } | { message: string } {
  if (text === '' && !(isQuoted && type === 'text')) return { value: null };
  if (type !== 'json') return { value: CELL_READERS[type](text) };
  const value = parseImportedJson(text);
  return value === undefined ? { message: 'must be JSON' } : { value };
}

/** Names of a header that an import passes over, because an export has them. */
export const isServiceColumn = (name: string): boolean => SYSTEM_COLUMNS.some((one) => one === name);
