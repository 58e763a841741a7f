import { csvRow, withoutFormula } from '@/contract/tables/csv-text';
import { writtenName } from '@/components/ui/values/path';

/** A list inside a value. `path`: its place, as a JSONata path below the value; empty: the value itself. */
export interface FoundList {
  path: string;
  rows: unknown[];
}

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

/** Appends a path to that of the value around it; undefined: that one has none. */
export const stepsTo = (path: string | undefined, inner: string): string | undefined =>
  path === undefined || inner === '' ? path : `${path}.${inner}`;

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

/** A cell of CSV. Texts are no formulas; numbers and JSON stay as they are. */
function csvCell(value: unknown): string | null {
  const text = textOf(value);
  return text === '' ? null : typeof value === 'string' ? withoutFormula(text) : text;
}

/** The columns of a row as a line of CSV. */
export const csvLine = (row: unknown, columns: readonly string[]): string =>
  csvRow(columns.map((column) => csvCell(cellOf(row, column))));

export const csvHeader = (columns: readonly string[]): string => csvRow(columns.map(csvCell));
