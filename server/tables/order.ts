import { invalidField } from '@/server/errors/problem';
import { checkCell } from './cells';
import type { Parameters } from './sql';
import { SQL_TYPE, type Field } from './table';

/** One part of a sort. */
export interface SortKey {
  field: Field;
  isDescending: boolean;
}

/** Sorts by several columns are sorted in memory beyond the first, so there are few. */
export const MAX_SORT_COLUMNS = 4;

/** Newest first. */
const DEFAULT_SORT = '-createdAt';

/** A sort such as `-createdAt,name`. Throws 400. Without one: newest first. */
export function readSort(fields: ReadonlyMap<string, Field>, given: unknown, path = 'sort'): SortKey[] {
  if (given !== undefined && typeof given !== 'string') throw invalidField(path, 'must be a text such as -createdAt');
  const words = (given ?? DEFAULT_SORT).split(',').map((word) => word.trim());
  if (words.length > MAX_SORT_COLUMNS) throw invalidField(path, `must name at most ${MAX_SORT_COLUMNS} columns`);
  const keys = words.map((word) => sortKey(fields, word, path));
  const names = new Set(keys.map(({ field }) => field.name));
  if (names.size < keys.length) throw invalidField(path, 'must name each column once');
  return keys;
}

function sortKey(fields: ReadonlyMap<string, Field>, word: string, path: string): SortKey {
  const isDescending = word.startsWith('-');
  const name = isDescending ? word.slice(1) : word;
  const field = fields.get(name);
  if (!field) throw invalidField(path, `${name.slice(0, 100) || 'an empty name'} is not a column of this table`);
  if (field.type === 'json') throw invalidField(path, `${name} has the type json, which has no order`);
  return { field, isDescending };
}

const direction = (isDescending: boolean) => (isDescending ? ' DESC' : '');
const isReversed = (keys: readonly SortKey[]) => keys.at(-1)?.isDescending === true;

/**
 * SQL of an order. The number of the row makes it total, in the direction of the last key, as the index has it. `free`: the rows are equal in the keys
 * before it, which PostgreSQL does not see of a boolean.
 */
export const orderSql = (keys: readonly SortKey[], free = 0): string =>
  [
    ...keys.slice(free).map(({ field, isDescending }) => `${field.key}${direction(isDescending)}`),
    `n${direction(isReversed(keys))}`,
  ].join(', ');

/** Where a page ended: the values of the sort keys, and the number of the row. */
export interface Position {
  values: (string | null)[];
  n: string;
}

const sortText = (keys: readonly SortKey[]) =>
  keys.map(({ field, isDescending }) => `${isDescending ? '-' : ''}${field.column?.id ?? field.name}`).join(',');

export const writeCursor = (keys: readonly SortKey[], { values, n }: Position): string =>
  Buffer.from(JSON.stringify([sortText(keys), n, ...values])).toString('base64url');

/** Throws 400 for a cursor that is none, or belongs to another sort. */
export function readCursor(keys: readonly SortKey[], cursor: string): Position {
  const refuse = () => invalidField('cursor', 'is not a cursor of this list with this sort');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 2) throw refuse();
  const [sort, n, ...values] = parts as unknown[];
  if (sort !== sortText(keys) || typeof n !== 'string' || !/^\d{1,18}$/.test(n)) throw refuse();
  return { n, values: values.map((value, index) => positionValue(keys[index], value) ?? refuseNull(value, refuse)) };
}

function refuseNull(value: unknown, refuse: () => Error): null {
  if (value === null) return null;
  throw refuse();
}

/** A value of a cursor as a parameter; null if its type is wrong. */
function positionValue(key: SortKey | undefined, value: unknown): string | null {
  if (!key || typeof value !== 'string') return null;
  const { type } = key.field;
  const typed = type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value;
  const checked = checkCell(type, typed);
  return 'cell' in checked ? String(checked.cell) : null;
}

/** SQL of a condition. */
export type Part = (parameters: Parameters) => string;

/** Rows that follow each other in a list. `where` null: all rows. `free`: the first key in which they may differ. */
export interface Segment {
  where: Part | null;
  free: number;
}

const both =
  (one: Part | null, other: Part): Part =>
  (parameters) =>
    one ? `${one(parameters)} AND ${other(parameters)}` : other(parameters);

/** A condition on the value of one key. `isOne`: one value only, which may be the absent one. */
interface Range {
  part: Part;
  isOne: boolean;
}

/** What is before a value of a key in the order of the list, has it, and is after it. */
interface Around {
  before: Range[];
  equal: Range;
  after: Range[];
}

/** The rows of a segment that are in a range of its first free key. */
const within = ({ where, free }: Segment, { part, isOne }: Range): Segment => ({
  where: both(where, part),
  free: isOne ? free + 1 : free,
});

function around({ field, isDescending }: SortKey, value: string | null): Around {
  const { key, isNullable, type } = field;
  const absent: Range = { part: () => `${key} IS NULL`, isOne: true };
  const present: Range = { part: () => `${key} IS NOT NULL`, isOne: false };
  if (value === null) {
    return { before: isDescending ? [] : [present], equal: absent, after: isDescending ? [present] : [] };
  }
  const compared = (operator: string, isOne = false): Range => ({
    part: (parameters) => `${key} ${operator} ${parameters.add(value, SQL_TYPE[type])}`,
    isOne,
  });
  const equal = compared('=', true);
  const nulls = isNullable ? [absent] : [];
  return isDescending
    ? { before: [...nulls, compared('>')], equal, after: [compared('<')] }
    : { before: [compared('<')], equal, after: [compared('>'), ...nulls] };
}

/**
 * The parts of a list that follow a position, in their order; without a position, all of it. Each is a range of the index of the sort; an OR
 * between values and their absence, or between a value and greater ones, would be none.
 */
export const segmentsAfter = (keys: readonly SortKey[], position: Position | null): Segment[] =>
  position ? after(keys, position, { where: null, free: 0 }) : [{ where: null, free: 0 }];

/** Rows of a segment after a position that is inside it. */
function after(keys: readonly SortKey[], position: Position, segment: Segment): Segment[] {
  const { where, free } = segment;
  const key = keys[free];
  const number = (parameters: Parameters) => parameters.add(position.n, 'bigint');
  if (!key) {
    return [{ where: both(where, (parameters) => `n ${isReversed(keys) ? '<' : '>'} ${number(parameters)}`), free }];
  }
  const { field, isDescending } = key;
  const value = position.values[free] ?? null;
  const { equal, after: later } = around(key, value);
  if (value !== null && free === keys.length - 1) {
    const [, ...absent] = later;
    const pair: Part = (parameters) =>
      `(${field.key}, n) ${isDescending ? '<' : '>'} (${parameters.add(value, SQL_TYPE[field.type])}, ${number(parameters)})`;
    return [{ where: both(where, pair), free }, ...absent.map((range) => within(segment, range))];
  }
  return [...after(keys, position, within(segment, equal)), ...later.map((range) => within(segment, range))];
}

/** The key of a segment whose rows are sorted by more than one column; null: they are not. */
export const outerKey = (keys: readonly SortKey[], { free }: Segment): SortKey | null =>
  free < keys.length - 1 ? (keys[free] ?? null) : null;

/** A segment in parts: the rows before a value of its outer key, and the others. */
export function splitAt(segment: Segment, key: SortKey, value: string | null): { before: Segment[]; rest: Segment[] } {
  const { before, equal, after: later } = around(key, value);
  return {
    before: before.map((range) => within(segment, range)),
    rest: [equal, ...later].map((range) => within(segment, range)),
  };
}
