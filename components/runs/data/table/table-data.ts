import { formatCsvRow, escapeCsvFormula } from '@/contract/tables/csv-text';
import { quoteJsonataName } from '@/components/ui/values/jsonata-path';

/** A list inside a value. `path`: its place, as a JSONata path below the value; empty: the value itself. */
export interface ListInValue {
  path: string;
  rows: unknown[];
}

/** The column of values that are no objects. */
export const SCALAR_COLUMN = 'value';

const MAX_FOUND_LISTS = 50;
const MAX_LIST_DEPTH = 6;
/** Rows that decide which columns there are. */
const SAMPLED_ROW_COUNT = 1000;

export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Appends one step to a JSONata path. Returns undefined if JSONata has no way to write the name. */
export function appendPathStep(path: string, name: string, isList = false): string | undefined {
  if (isList) return `${path}[${name}]`;
  const written = quoteJsonataName(name);
  return path === '' ? written : written && `${path}.${written}`;
}

/** Appends a path to that of the value around it. Returns undefined if the value around it has no path. */
export const appendPath = (path: string | undefined, inner: string): string | undefined =>
  path === undefined || inner === '' ? path : `${path}.${inner}`;

/** The lists with items inside a value, the outermost first. Lists inside of lists are cells. */
export function findLists(value: unknown): ListInValue[] {
  const found: ListInValue[] = [];
  let level: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let depth = 0; depth < MAX_LIST_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const each of level) {
      if (found.length === MAX_FOUND_LISTS) return found;
      if (Array.isArray(each.value) && each.value.length > 0) found.push({ path: each.path, rows: each.value });
      if (!isPlainRecord(each.value)) continue;
      for (const [name, inner] of Object.entries(each.value)) {
        next.push({ path: appendPathStep(each.path, name) ?? name, value: inner });
      }
    }
    level = next;
  }
  return found;
}

/** The fields of the first rows, in the order of their first appearance. */
export function inferColumns(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, SAMPLED_ROW_COUNT))
    for (const name of isPlainRecord(row) ? Object.keys(row) : [SCALAR_COLUMN]) names.add(name);
  return [...names];
}

export const cellValue = (row: unknown, column: string): unknown => {
  if (!isPlainRecord(row)) return column === SCALAR_COLUMN ? row : undefined;
  return Object.hasOwn(row, column) ? row[column] : undefined;
};

export function tableCellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A cell of CSV. Texts are no formulas; numbers and JSON stay as they are. */
function csvCellText(value: unknown): string | null {
  const text = tableCellText(value);
  return text === '' ? null : typeof value === 'string' ? escapeCsvFormula(text) : text;
}

/** The columns of a row as a line of CSV. */
export const formatCsvLine = (row: unknown, columns: readonly string[]): string =>
  formatCsvRow(columns.map((column) => csvCellText(cellValue(row, column))));

export const formatCsvHeader = (columns: readonly string[]): string => formatCsvRow(columns.map(csvCellText));
