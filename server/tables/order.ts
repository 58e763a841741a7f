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

type Part = (parameters: Parameters) => string;

/**
 * SQL conditions of the parts of a list that follow a position, in their order. Each is a range of the index of the sort; an OR between values
 * and their absence, or between a value and greater ones, would be none. Null: no condition.
 */
export const segmentsAfter = (keys: readonly SortKey[], position: Position | null): Part[] | null =>
  position && keys.length > 0 ? after(keys, position, 0) : null;

/** Rows after a position, of those that are equal in the keys before `index`. */
function after(keys: readonly SortKey[], position: Position, index: number): Part[] {
  const current = keys[index];
  const afterNumber: Part = (parameters) => `n ${isReversed(keys) ? '<' : '>'} ${parameters.add(position.n, 'bigint')}`;
  if (!current) return [afterNumber];
  const { field, isDescending } = current;
  const { key, isNullable } = field;
  const value = position.values[index] ?? null;
  const rest = after(keys, position, index + 1);
  const absent = `${key} IS NULL`;
  if (value === null) {
    const equal = rest.map(
      (part): Part =>
        (parameters) =>
          `${absent} AND ${part(parameters)}`,
    );
    return isDescending ? [...equal, () => `${key} IS NOT NULL`] : equal;
  }
  const given = (parameters: Parameters) => parameters.add(value, SQL_TYPE[field.type]);
  const compare = isDescending ? '<' : '>';
  const isLast = index === keys.length - 1;
  const values: Part[] = isLast
    ? [(parameters) => `(${key}, n) ${compare} (${given(parameters)}, ${parameters.add(position.n, 'bigint')})`]
    : [
        ...rest.map(
          (part): Part =>
            (parameters) =>
              `${key} = ${given(parameters)} AND ${part(parameters)}`,
        ),
        (parameters) => `${key} ${compare} ${given(parameters)}`,
      ];
  return isDescending || !isNullable ? values : [...values, () => absent];
}
