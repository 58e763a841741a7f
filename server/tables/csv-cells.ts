import { parseExactJson } from '@/contract/exact-json';
import { csvRow, withoutFormula } from '@/contract/tables/csv-text';
import type { TableRow } from '@/contract/tables/table';
import { OWN_COLUMNS, type ColumnType } from '@/contract/tables/table-columns';
import type { DataTable } from './table';

/** What `withoutFormula` has put an apostrophe before. An import takes it away: what is exported is imported as it was. */
const APOSTROPHE = /^'+[=+\-@\t\r]/;

/** A cell as text; null: no value. Texts are no formulas. */
function cell(type: ColumnType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = type === 'json' ? JSON.stringify(value) : String(value);
  return type === 'text' ? withoutFormula(text) : text;
}

const line = (cells: (string | null)[]) => `${csvRow(cells)}\r\n`;

export const csvHeader = ({ columns }: DataTable): string =>
  line(['id', ...columns.map(({ name }) => cell('text', name)), 'createdAt', 'updatedAt']);

export const csvLine = ({ columns }: DataTable, row: TableRow): string =>
  line([row.id, ...columns.map(({ name, type }) => cell(type, row[name])), row.createdAt, row.updatedAt]);

/** A cell of a file. An empty one without quotes has no value. */
export interface CsvCell {
  text: string;
  isQuoted: boolean;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

function parsedJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // Refused like every value of a wrong type.
    return undefined;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

const READ: Record<Exclude<ColumnType, 'json'>, (text: string) => unknown> = {
  text: (text) => (APOSTROPHE.test(text) ? text.slice(1) : text),
  number: (text) => (NUMBER.test(text.trim()) ? Number(text) : text),
  boolean: (text) => BOOLEANS.get(text.trim().toLowerCase()) ?? text,
  timestamp: (text) => text.trim(),
};

/** The value of a cell, for `readCells`. A text that is no value of the type stays a text, and is refused there. */
export function valueOfCell(type: ColumnType, { text, isQuoted }: CsvCell): { value: unknown } | { message: string } {
  if (text === '' && !(isQuoted && type === 'text')) return { value: null };
  if (type !== 'json') return { value: READ[type](text) };
  const value = parsedJson(text);
  return value === undefined ? { message: 'must be JSON' } : { value };
}

/** Names of a header that an import passes over, because an export has them. */
export const isOwnColumn = (name: string): boolean => OWN_COLUMNS.some((one) => one === name);
