import { withoutFormula } from '@/contract/tables/csv-text';
import { writtenName } from '@/components/ui/values/path';

/** A list inside a value. `path`: its place, as a JSONata path below the value; empty: the value itself. */
export interface FoundList {
  path: string;
  rows: unknown[];
}

export type Direction = 'ascending' | 'descending';

/** The column of values that are no objects. */
export const VALUE = 'value';

const MAX_LISTS = 50;
const MAX_DEPTH = 6;
/** Rows that decide which columns there are. */
const SAMPLE = 1000;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Appends one step to a JSONata path; undefined: JSONata has no way to write the name. */
export function stepTo(path: string, name: string, isList = false): string | undefined {
  if (isList) return `${path}[${name}]`;
  const written = writtenName(name);
  return path === '' ? written : written && `${path}.${written}`;
}

/** The lists with items inside a value, the outermost first. Lists inside of lists are cells. */
export function listsIn(value: unknown): FoundList[] {
  const found: FoundList[] = [];
  let level: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const each of level) {
      if (found.length === MAX_LISTS) return found;
      if (Array.isArray(each.value) && each.value.length > 0) found.push({ path: each.path, rows: each.value });
      if (!isRecord(each.value)) continue;
      for (const [name, inner] of Object.entries(each.value)) {
        next.push({ path: stepTo(each.path, name) ?? name, value: inner });
      }
    }
    level = next;
  }
  return found;
}

/** The fields of the first rows, in the order of their first appearance. */
export function columnsOf(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, SAMPLE))
    for (const name of isRecord(row) ? Object.keys(row) : [VALUE]) names.add(name);
  return [...names];
}

export const cellOf = (row: unknown, column: string): unknown => {
  if (!isRecord(row)) return column === VALUE ? row : undefined;
  return Object.hasOwn(row, column) ? row[column] : undefined;
};

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The rows in which a cell of the columns contains a text, in any case of letters. */
export function search(rows: unknown[], columns: readonly string[], text: string): unknown[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => columns.some((column) => textOf(cellOf(row, column)).toLowerCase().includes(wanted)));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows by one column: numbers by size, other values as text, missing ones last. */
export function sortBy(rows: unknown[], column: string, direction: Direction): unknown[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const keyed = rows.map((row) => {
    const value = cellOf(row, column);
    return { row, number: typeof value === 'number' ? value : null, text: textOf(value) };
  });
  keyed.sort((a, b) => {
    if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '');
    if (a.number !== null && b.number !== null) return sign * (a.number - b.number);
    return sign * collator.compare(a.text, b.text);
  });
  return keyed.map(({ row }) => row);
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell of CSV. Texts are no formulas; numbers and JSON stay as they are. */
function csvCell(value: unknown): string {
  const text = textOf(value);
  return quoted(typeof value === 'string' ? withoutFormula(text) : text);
}

/** The columns of rows as CSV (RFC 4180), with a header. */
export function csvOf(rows: readonly unknown[], columns: readonly string[]): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(cellOf(row, column))).join(','));
  return [columns.map(csvCell).join(','), ...lines].join('\r\n');
}
