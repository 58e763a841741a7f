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
const MAX_KEYS = 4;

/** Newest first. */
const DEFAULT_SORT = '-createdAt';

/** A sort such as `-createdAt,name`. Throws 400. Without one: newest first. */
export function readSort(fields: ReadonlyMap<string, Field>, given: unknown, path = 'sort'): SortKey[] {
  if (given !== undefined && typeof given !== 'string') throw invalidField(path, 'must be a text such as -createdAt');
  const words = (given ?? DEFAULT_SORT).split(',').map((word) => word.trim());
  if (words.length > MAX_KEYS) throw invalidField(path, `must name at most ${MAX_KEYS} columns`);
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

/** SQL of an order. The number of the row makes it total, in the direction of the last key, as the index has it. */
export const orderSql = (keys: readonly SortKey[]): string =>
  [
    ...keys.map(({ field, isDescending }) => `${field.key}${direction(isDescending)}`),
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

/**
 * SQL conditions of the parts of a list that follow a position, in their order. Each is a range of the index of the first key; an OR between
 * values and their absence would be none. Null: no condition.
 */
export function segmentsAfter(
  keys: readonly SortKey[],
  position: Position | null,
): ((parameters: Parameters) => string)[] | null {
  const [first] = keys;
  if (!position || !first) return null;
  const { key, isNullable } = first.field;
  const rest = (parameters: Parameters) => after(keys, position, 1, parameters);
  const isAtNull = position.values[0] === null;
  if (isAtNull) {
    const rows = (parameters: Parameters) => `${key} IS NULL AND ${rest(parameters)}`;
    return first.isDescending ? [rows, () => `${key} IS NOT NULL`] : [rows];
  }
  const values = (parameters: Parameters) => afterValue(keys, position, parameters);
  return first.isDescending || !isNullable ? [values] : [values, () => `${key} IS NULL`];
}

/** Rows after a value of the first key. */
function afterValue(keys: readonly SortKey[], position: Position, parameters: Parameters): string {
  const [first] = keys;
  if (!first) return 'true';
  const { key, type } = first.field;
  const compare = first.isDescending ? '<' : '>';
  const value = parameters.add(position.values[0] ?? null, SQL_TYPE[type]);
  if (keys.length === 1) return `(${key}, n) ${compare} (${value}, ${parameters.add(position.n, 'bigint')})`;
  return `${key} ${compare}= ${value} AND (${key} ${compare} ${value} OR ${after(keys, position, 1, parameters)})`;
}

/** Rows after a position, of those that are equal in the keys before `index`. */
function after(keys: readonly SortKey[], position: Position, index: number, parameters: Parameters): string {
  const current = keys[index];
  if (!current) return `n ${isReversed(keys) ? '<' : '>'} ${parameters.add(position.n, 'bigint')}`;
  const { field, isDescending } = current;
  const value = position.values[index] ?? null;
  const rest = after(keys, position, index + 1, parameters);
  if (value === null) {
    return isDescending ? `(${field.key} IS NOT NULL OR ${rest})` : `(${field.key} IS NULL AND ${rest})`;
  }
  const given = parameters.add(value, SQL_TYPE[field.type]);
  const equal = `(${field.key} = ${given} AND ${rest})`;
  if (isDescending) return `(${field.key} < ${given} OR ${equal})`;
  return `(${field.key} > ${given} OR ${field.key} IS NULL OR ${equal})`;
}
