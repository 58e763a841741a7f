import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

/** The rows of a sheet as the API returns them: without empty cells at the end. */
export type SheetCells = unknown[][];

/** The parameter that names rows by their number, and the field of read rows. */
export const ROW_NUMBER_FIELD = 'row_number';

/** The name of a sheet, and a part of it, in A1 notation. */
export const sheetRange = (sheet: string, part?: string): string => {
  const name = `'${sheet.replaceAll("'", "''")}'`;
  return part === undefined ? name : `${name}!${part}`;
};

export const sheetValuesPath = (spreadsheet: string, range: string, suffix = ''): string =>
  `/spreadsheets/${spreadsheet}/values/${encodeURIComponent(range)}${suffix}`;

/** The letters of a column, from 0. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** The cells in the answer of a reading call. */
export const readSheetCells = (body: unknown): SheetCells => {
  const values = getAtPath(body, 'values');
  return Array.isArray(values) ? (values as SheetCells) : [];
};

const sheetCellText = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The names of the columns: texts of the header, each once; a column without a text is named by its letters. */
export function sheetColumnNames(cells: readonly unknown[] = []): string[] {
  const names = new Set<string>();
  return cells.map((cell, index) => {
    const name = sheetCellText(cell).trim() || columnLetters(index);
    const unique = names.has(name) ? `${name} (${columnLetters(index)})` : name;
    names.add(unique);
    return unique;
  });
}

/** Rows below a header as objects, with their numbers; empty rows are left out. `headerRow` is its number, from 1. */
export function rowsToObjects(cells: SheetCells, headerRow: number): Record<string, unknown>[] {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const header = sheetColumnNames(Array.from({ length: width }, (_, index) => cells[headerRow - 1]?.[index]));
  return cells.slice(headerRow).flatMap((row, index) => {
    if (row.every((cell) => sheetCellText(cell) === '')) return [];
    const fields = header.map((name, column) => [name, row[column] ?? ''] as const);
    return [{ [ROW_NUMBER_FIELD]: headerRow + 1 + index, ...Object.fromEntries(fields) }];
  });
}

/** Converts a value for a cell: objects become JSON. */
const toCellValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Columns of an object that the header does not have. */
export const missingColumns = (header: readonly string[], rows: readonly Record<string, unknown>[]): string[] => [
  ...new Set(
    rows.flatMap((row) => Object.keys(row)).filter((name) => name !== ROW_NUMBER_FIELD && !header.includes(name)),
  ),
];

/** Arranges the fields of an object as the cells of a row. Null leaves a cell as it is. */
export const objectToCells = (header: readonly string[], row: Record<string, unknown>): unknown[] =>
  header.map((name) => (Object.hasOwn(row, name) ? (toCellValue(row[name]) ?? null) : null));

/**
 * The number of the row whose key column has the value of the object; undefined: there is none. Throws NodeFailure
 * CONFIG.
 */
export function findRowNumber(
  cells: SheetCells,
  headerRow: number,
  key: string,
  row: Record<string, unknown>,
): number | undefined {
  const wanted = row[key];
  if (wanted === undefined || wanted === null || wanted === '') {
    throw new NodeFailure('CONFIG', `The row has no value for "${key}", which identifies it.`, false);
  }
  if (key === ROW_NUMBER_FIELD) {
    const number = Number(wanted);
    if (Number.isInteger(number) && number > headerRow) return number;
    throw new NodeFailure('CONFIG', `${ROW_NUMBER_FIELD} must be the number of a row below the header.`, false);
  }
  const column = sheetColumnNames(cells[headerRow - 1]).indexOf(key);
  if (column === -1) throw new NodeFailure('CONFIG', `The sheet has no column "${key}".`, false);
  const index = cells.findIndex(
    (cell, place) => place >= headerRow && sheetCellText(cell[column]) === sheetCellText(wanted),
  );
  return index === -1 ? undefined : index + 1;
}
