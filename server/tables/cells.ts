import type { FieldError } from '@/contract/error';
import type { TableColumn, TableRow } from '@/contract/tables/table';
import { MAX_CELL, MAX_UNIQUE_TEXT, OWN_COLUMNS, type ColumnType } from '@/contract/tables/table-columns';
import { isLargeInteger } from '@/contract/exact-json';
import { isStorableJson } from '@/contract/text';
import { invalid } from '@/server/errors/problem';
import type { DataTable } from './table';

/** A value as statements take it; null: no value. */
export type Cell = string | number | boolean | null | object;

/** Cells by the id of their column. */
export type Cells = Record<string, Cell>;

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A time in ISO 8601, in UTC where it names no zone; null for anything else. */
export function timeOf(text: string): string | null {
  const [, year = '', month, day, zone] = TIME.exec(text) ?? [];
  if (year === '' || year === '0000') return null;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return null;
  const time = new Date(text.length === 10 || zone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) return null;
  return time.toISOString();
}

type Checked = { cell: Cell } | { message: string };
const refused = (message: string): Checked => ({ message });

const textCell = (value: unknown): Checked => {
  if (typeof value !== 'string') return refused('must be a text');
  if (value.length > MAX_CELL) return refused(`must have at most ${MAX_CELL.toLocaleString('en')} characters`);
  return isStorableJson(value) ? { cell: value } : refused('must not contain NUL or lone surrogates');
};

function jsonCell(value: unknown): Checked {
  if (!isStorableJson(value)) return refused('must not contain NUL or lone surrogates');
  if (JSON.stringify(value).length > MAX_CELL) {
    return refused(`must have at most ${MAX_CELL.toLocaleString('en')} characters of JSON`);
  }
  return { cell: value as Cell };
}

const CHECK: Record<ColumnType, (value: unknown) => Checked> = {
  text: textCell,
  number: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? { cell: value }
      : refused(
          isLargeInteger(value)
            ? 'has more digits than a number column can hold: use a text column'
            : 'must be a number',
        ),
  boolean: (value) => (typeof value === 'boolean' ? { cell: value } : refused('must be true or false')),
  timestamp(value) {
    const time = typeof value === 'string' ? timeOf(value) : null;
    return time === null ? refused('must be a time in ISO 8601, such as 2026-01-31T08:15:30.000Z') : { cell: time };
  },
  json: jsonCell,
};

/** A value of a type, or why it is none. */
export const checkCell = (type: ColumnType, value: unknown): Checked => CHECK[type](value);

function checkColumn({ type, isRequired, isUnique }: TableColumn, value: unknown): Checked {
  if (value === null || value === undefined) return isRequired ? refused('is required') : { cell: null };
  const checked = checkCell(type, value);
  const isLong = 'cell' in checked && typeof checked.cell === 'string' && checked.cell.length > MAX_UNIQUE_TEXT;
  return isUnique && isLong ? refused(`must have at most ${MAX_UNIQUE_TEXT} characters in a unique column`) : checked;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldAt = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function unknownMessage(name: string): string {
  const isOwn = OWN_COLUMNS.some((one) => one === name);
  return isOwn ? 'is set by the service' : 'is not a column of this table';
}

/**
 * The cells that an object names, with what is wrong added to `errors`. `whole`: a new row, so required columns must be there. `path`: of the
 * object in the request.
 */
export function readCells(
  { columns }: Pick<DataTable, 'columns'>,
  value: unknown,
  { path, whole, errors }: { path: string; whole: boolean; errors: FieldError[] },
): Cells {
  if (!isRecord(value)) {
    errors.push({ field: path, message: 'must be an object with a field for each column' });
    return {};
  }
  const cells: Cells = {};
  const names = new Set<string>();
  for (const column of columns) {
    names.add(column.name);
    const isGiven = Object.hasOwn(value, column.name);
    if (!isGiven && !whole) continue;
    const checked = checkColumn(column, isGiven ? value[column.name] : null);
    if ('cell' in checked) cells[column.id] = checked.cell;
    else errors.push({ field: fieldAt(path, column.name), message: checked.message });
  }
  for (const name of Object.keys(value)) {
    if (!names.has(name)) errors.push({ field: fieldAt(path, name), message: unknownMessage(name) });
  }
  return cells;
}

export function requireNone(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors);
}

/** The cells of one object, or 400. */
export function cellsOf(table: DataTable, value: unknown, path: string, { whole }: { whole: boolean }): Cells {
  const errors: FieldError[] = [];
  const cells = readCells(table, value, { path, whole, errors });
  requireNone(errors);
  return cells;
}

/** A cell as a parameter of a statement, which casts it to the column's type. */
export const parameterOf = ({ type }: Pick<TableColumn, 'type'>, cell: Cell): string | null => {
  if (cell === null) return null;
  return type === 'json' ? JSON.stringify(cell) : String(cell);
};

/** A row as PostgreSQL returns it, with columns by their ids. */
export type StoredRow = { id: string; created_at: Date | string; updated_at: Date | string } & Record<string, unknown>;

const time = (value: Date | string): string => (value instanceof Date ? value.toISOString() : value);

const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null));

/** A row with its columns by their names. */
export const presentRow = ({ columns }: Pick<DataTable, 'columns'>, row: StoredRow): TableRow => ({
  id: row.id,
  ...Object.fromEntries(columns.map(({ id, name }) => [name, shown(row[id])])),
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at),
});
