import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { checkCellValue } from './cells';
import type { SqlParameters } from './sql';
import { COLUMN_SQL_TYPES, type TableField } from './table';

/** One part of a sort. */
export interface TableSortKey {
  field: TableField;
  isDescending: boolean;
}

/** Sorts by several columns are sorted in memory beyond the first, so there are few. */
export const MAX_SORT_COLUMNS = 4;

/** Newest first. */
const DEFAULT_ROW_SORT = '-createdAt';

/** A sort such as `-createdAt,name`. Throws 400. Without one: newest first. */
export function parseRowSort(fields: ReadonlyMap<string, TableField>, given: unknown, path = 'sort'): TableSortKey[] {
  if (given !== undefined && typeof given !== 'string')
    throw invalidFieldProblem(path, 'must be a text such as -createdAt');
  const words = (given ?? DEFAULT_ROW_SORT).split(',').map((word) => word.trim());
  if (words.length > MAX_SORT_COLUMNS) throw invalidFieldProblem(path, `must name at most ${MAX_SORT_COLUMNS} columns`);
  const keys = words.map((word) => parseSortKey(fields, word, path));
  const names = new Set(keys.map(({ field }) => field.name));
  if (names.size < keys.length) throw invalidFieldProblem(path, 'must name each column once');
  return keys;
}

function parseSortKey(fields: ReadonlyMap<string, TableField>, word: string, path: string): TableSortKey {
  const isDescending = word.startsWith('-');
  const name = isDescending ? word.slice(1) : word;
  const field = fields.get(name);
  if (!field) throw invalidFieldProblem(path, `${name.slice(0, 100) || 'an empty name'} is not a column of this table`);
  if (field.type === 'json') throw invalidFieldProblem(path, `${name} has the type json, which has no order`);
  return { field, isDescending };
}

const sqlDirection = (isDescending: boolean) => (isDescending ? ' DESC' : '');
const isLastDescending = (keys: readonly TableSortKey[]) => keys.at(-1)?.isDescending === true;

/**
 * SQL of an order. The number of the row makes it total, in the direction of the last key, as the index has it. `free`:
 * the rows are equal in the keys before it, which PostgreSQL does not see of a boolean.
 */
export const rowOrderSql = (keys: readonly TableSortKey[], free = 0): string =>
  [
    ...keys.slice(free).map(({ field, isDescending }) => `${field.key}${sqlDirection(isDescending)}`),
    `n${sqlDirection(isLastDescending(keys))}`,
  ].join(', ');

/** The place where a page ended: the values of the sort keys, and the number of the row. */
export interface PagePosition {
  values: (string | null)[];
  n: string;
}

const serializeSort = (keys: readonly TableSortKey[]) =>
  keys.map(({ field, isDescending }) => `${isDescending ? '-' : ''}${field.column?.id ?? field.name}`).join(',');

export const writeRowCursor = (keys: readonly TableSortKey[], { values, n }: PagePosition): string =>
  Buffer.from(JSON.stringify([serializeSort(keys), n, ...values])).toString('base64url');

/** Throws 400 for a cursor that is none, or belongs to another sort. */
export function parseRowCursor(keys: readonly TableSortKey[], cursor: string): PagePosition {
  const refuse = () => invalidFieldProblem('cursor', 'is not a cursor of this list with this sort');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 2) throw refuse();
  const [sort, n, ...values] = parts as unknown[];
  if (sort !== serializeSort(keys) || typeof n !== 'string' || !/^\d{1,18}$/.test(n)) throw refuse();
  return {
    n,
    values: values.map((value, index) => parsePositionValue(keys[index], value) ?? requireNull(value, refuse)),
  };
}

function requireNull(value: unknown, refuse: () => Error): null {
  if (value === null) return null;
  throw refuse();
}

/** A value of a cursor as a parameter; null if its type is wrong. */
function parsePositionValue(key: TableSortKey | undefined, value: unknown): string | null {
  if (!key || typeof value !== 'string') return null;
  const { type } = key.field;
  const typed = type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value;
  const checked = checkCellValue(type, typed);
  return 'cell' in checked ? String(checked.cell) : null;
}

/** SQL of a condition. */
export type SqlCondition = (parameters: SqlParameters) => string;

/**
 * Rows that follow each other in a list. `where` is null for all rows; `free` is the first key in which they may
 * differ.
 */
export interface RowSegment {
  where: SqlCondition | null;
  free: number;
}

const andCondition =
  (one: SqlCondition | null, other: SqlCondition): SqlCondition =>
  (parameters) =>
    one ? `${one(parameters)} AND ${other(parameters)}` : other(parameters);

/** A condition on the value of one key. `isOne`: one value only, which may be the absent one. */
interface KeyRange {
  part: SqlCondition;
  isOne: boolean;
}

/** The ranges that are before a value of a key in the order of the list, at it, and after it. */
interface RangesAroundValue {
  before: KeyRange[];
  equal: KeyRange;
  after: KeyRange[];
}

/** The rows of a segment that are in a range of its first free key. */
const narrowSegment = ({ where, free }: RowSegment, { part, isOne }: KeyRange): RowSegment => ({
  where: andCondition(where, part),
  free: isOne ? free + 1 : free,
});

function rangesAround({ field, isDescending }: TableSortKey, value: string | null): RangesAroundValue {
  const { key, isNullable, type } = field;
  const absent: KeyRange = { part: () => `${key} IS NULL`, isOne: true };
  const present: KeyRange = { part: () => `${key} IS NOT NULL`, isOne: false };
  if (value === null) {
    return { before: isDescending ? [] : [present], equal: absent, after: isDescending ? [present] : [] };
  }
  const compared = (operator: string, isOne = false): KeyRange => ({
    part: (parameters) => `${key} ${operator} ${parameters.add(value, COLUMN_SQL_TYPES[type])}`,
    isOne,
  });
  const equal = compared('=', true);
  const nulls = isNullable ? [absent] : [];
  return isDescending
    ? { before: [...nulls, compared('>')], equal, after: [compared('<')] }
    : { before: [compared('<')], equal, after: [compared('>'), ...nulls] };
}

/**
 * The parts of a list that follow a position, in their order; without a position, all of it. Each is a range of the
 * index of the sort; an OR between values and their absence, or between a value and greater ones, would be none.
 */
export const segmentsAfterPosition = (keys: readonly TableSortKey[], position: PagePosition | null): RowSegment[] =>
  position ? segmentsInside(keys, position, { where: null, free: 0 }) : [{ where: null, free: 0 }];

/** Rows of a segment after a position that is inside it. */
function segmentsInside(keys: readonly TableSortKey[], position: PagePosition, segment: RowSegment): RowSegment[] {
  const { where, free } = segment;
  const key = keys[free];
  const number = (parameters: SqlParameters) => parameters.add(position.n, 'bigint');
  if (!key) {
    return [
      {
        where: andCondition(where, (parameters) => `n ${isLastDescending(keys) ? '<' : '>'} ${number(parameters)}`),
        free,
      },
    ];
  }
  const { field, isDescending } = key;
  const value = position.values[free] ?? null;
  const { equal, after: later } = rangesAround(key, value);
  if (value !== null && free === keys.length - 1) {
    const [, ...absent] = later;
    const pair: SqlCondition = (parameters) =>
      `(${field.key}, n) ${isDescending ? '<' : '>'} (${parameters.add(value, COLUMN_SQL_TYPES[field.type])}, ${number(parameters)})`;
    return [{ where: andCondition(where, pair), free }, ...absent.map((range) => narrowSegment(segment, range))];
  }
  return [
    ...segmentsInside(keys, position, narrowSegment(segment, equal)),
    ...later.map((range) => narrowSegment(segment, range)),
  ];
}

/** The key of a segment whose rows are sorted by more than one column; null: they are not. */
export const outerSortKey = (keys: readonly TableSortKey[], { free }: RowSegment): TableSortKey | null =>
  free < keys.length - 1 ? (keys[free] ?? null) : null;

/** A segment in parts: the rows before a value of its outer key, and the others. */
export function splitSegmentAt(
  segment: RowSegment,
  key: TableSortKey,
  value: string | null,
): { before: RowSegment[]; rest: RowSegment[] } {
  const { before, equal, after: later } = rangesAround(key, value);
  return {
    before: before.map((range) => narrowSegment(segment, range)),
    rest: [equal, ...later].map((range) => narrowSegment(segment, range)),
  };
}
