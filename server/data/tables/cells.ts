import type { FieldIssue } from '@/contract/error-response';
import type { TableColumn, StoredTableRow } from '@/contract/tables/table';
import {
  MAX_CELL_CHARACTERS,
  MAX_UNIQUE_CHARACTERS,
  SYSTEM_COLUMNS,
  type TableColumnType,
} from '@/contract/tables/table-columns';
import { isLargeInteger } from '@/contract/exact-json';
import { isStorableJson } from '@/contract/text';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import type { DataTableRecord } from './table';

/** A value as statements take it; null: no value. */
export type CellValue = string | number | boolean | null | object;

/** The cells of a row by the ids of their columns. */
export type CellsByColumn = Record<string, CellValue>;

const ISO_TIME_PATTERN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A time in ISO 8601, in UTC where it names no zone; null for anything else. */
export function parseCellTime(text: string): string | null {
  const [, year = '', month, day, zone] = ISO_TIME_PATTERN.exec(text) ?? [];
  if (year === '' || year === '0000') return null;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return null;
  const time = new Date(text.length === 10 || zone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) return null;
  return time.toISOString();
}

type CellCheck = { cell: CellValue } | { message: string };
const refuseCell = (message: string): CellCheck => ({ message });

const checkTextCell = (value: unknown): CellCheck => {
  if (typeof value !== 'string') return refuseCell('must be a text');
  if (value.length > MAX_CELL_CHARACTERS)
    return refuseCell(`must have at most ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters`);
  return isStorableJson(value) ? { cell: value } : refuseCell('must not contain NUL or lone surrogates');
};

function checkJsonCell(value: unknown): CellCheck {
  if (!isStorableJson(value)) return refuseCell('must not contain NUL or lone surrogates');
  if (JSON.stringify(value).length > MAX_CELL_CHARACTERS) {
    return refuseCell(`must have at most ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters of JSON`);
  }
  return { cell: value as CellValue };
}

const CELL_CHECKS: Record<TableColumnType, (value: unknown) => CellCheck> = {
  text: checkTextCell,
  number: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? { cell: value }
      : refuseCell(
          isLargeInteger(value)
            ? 'has more digits than a number column can hold: use a text column'
            : 'must be a number',
        ),
  boolean: (value) => (typeof value === 'boolean' ? { cell: value } : refuseCell('must be true or false')),
  timestamp(value) {
    const time = typeof value === 'string' ? parseCellTime(value) : null;
    return time === null ? refuseCell('must be a time in ISO 8601, such as 2026-01-31T08:15:30.000Z') : { cell: time };
  },
  json: checkJsonCell,
};

/** Checks whether a value has a type, and says why not. */
export const checkCellValue = (type: TableColumnType, value: unknown): CellCheck => CELL_CHECKS[type](value);

function checkColumnValue({ type, isRequired, isUnique }: TableColumn, value: unknown): CellCheck {
  if (value === null || value === undefined) return isRequired ? refuseCell('is required') : { cell: null };
  const checked = checkCellValue(type, value);
  const isLong = 'cell' in checked && typeof checked.cell === 'string' && checked.cell.length > MAX_UNIQUE_CHARACTERS;
  return isUnique && isLong
    ? refuseCell(`must have at most ${MAX_UNIQUE_CHARACTERS} characters in a unique column`)
    : checked;
}

const isCellRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cellFieldPath = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function unknownColumnMessage(name: string): string {
  const isOwn = SYSTEM_COLUMNS.some((one) => one === name);
  return isOwn ? 'is set by the service' : 'is not a column of this table';
}

/**
 * The cells that an object names, with what is wrong added to `errors`. `whole`: a new row, so required columns must be
 * there. `path`: of the object in the request.
 */
export function collectCells(
  { columns }: Pick<DataTableRecord, 'columns'>,
  value: unknown,
  { path, whole, errors }: { path: string; whole: boolean; errors: FieldIssue[] },
): CellsByColumn {
  if (!isCellRecord(value)) {
    errors.push({ field: path, message: 'must be an object with a field for each column' });
    return {};
  }
  const cells: CellsByColumn = {};
  const names = new Set<string>();
  for (const column of columns) {
    names.add(column.name);
    const isGiven = Object.hasOwn(value, column.name);
    if (!isGiven && !whole) continue;
    const checked = checkColumnValue(column, isGiven ? value[column.name] : null);
    if ('cell' in checked) cells[column.id] = checked.cell;
    else errors.push({ field: cellFieldPath(path, column.name), message: checked.message });
  }
  for (const name of Object.keys(value)) {
    if (!names.has(name)) errors.push({ field: cellFieldPath(path, name), message: unknownColumnMessage(name) });
  }
  return cells;
}

export function requireNoErrors(errors: FieldIssue[]): void {
  if (errors.length > 0) throw invalidRequestProblem(errors);
}

/** The cells of one object, or 400. */
export function requireCells(
  table: DataTableRecord,
  value: unknown,
  path: string,
  { whole }: { whole: boolean },
): CellsByColumn {
  const errors: FieldIssue[] = [];
  const cells = collectCells(table, value, { path, whole, errors });
  requireNoErrors(errors);
  return cells;
}

/** A cell as a parameter of a statement, which casts it to the column's type. */
export const cellParameter = ({ type }: Pick<TableColumn, 'type'>, cell: CellValue): string | null => {
  if (cell === null) return null;
  return type === 'json' ? JSON.stringify(cell) : String(cell);
};

/** A row as PostgreSQL returns it, with columns by their ids. */
export type DatabaseTableRow = { id: string; created_at: Date | string; updated_at: Date | string } & Record<
  string,
  unknown
>;

const toIsoText = (value: Date | string): string => (value instanceof Date ? value.toISOString() : value);

const toCellOutput = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null));

/** A row with its columns by their names. */
export const toTableRow = ({ columns }: Pick<DataTableRecord, 'columns'>, row: DatabaseTableRow): StoredTableRow => ({
  id: row.id,
  ...Object.fromEntries(columns.map(({ id, name }) => [name, toCellOutput(row[id])])),
  createdAt: toIsoText(row.created_at),
  updatedAt: toIsoText(row.updated_at),
});
