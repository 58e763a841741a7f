import { parseExactJson } from '@/contract/exact-json';
import type { FieldIssue } from '@/contract/error-response';
import {
  FILTER_OPERATORS,
  OPERATORS_BY_TYPE,
  type TableColumnType,
  type FilterOperator,
} from '@/contract/tables/table-columns';
import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { checkCellValue } from './cells';
import type { SqlParameters } from './sql';
import { INDEXED_TEXT_LENGTH, COLUMN_SQL_TYPES, type TableField } from './table';

type NullableText = string | null;

/** A condition whose column and value fit the table. Values are parameters of statements. */
export type RowCondition =
  | { field: TableField; operator: Exclude<FilterOperator, 'in' | 'is_null' | 'contains'>; value: string }
  // `rareParts`: parts of the value by which its index is searched.
  | { field: TableField; operator: 'contains'; value: string; rareParts?: string[] }
  | { field: TableField; operator: 'in'; values: NullableText[] }
  | { field: TableField; operator: 'is_null'; isNull: boolean }
  | { join: 'and' | 'or'; parts: RowCondition[] };

export const MAX_FILTER_DEPTH = 8;
export const MAX_FILTER_CONDITIONS = 100;
/**
 * The limits of the values of one list, and of all lists of a filter: each value is one or two parameters of the
 * statement, and PostgreSQL takes 65,535.
 */
const MAX_LIST_VALUES = 1000;
const MAX_FILTER_VALUES = 10_000;

const isFilterObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a filter, with what is wrong by its path. */
class RowFilterReader {
  readonly errors: FieldIssue[] = [];
  private count = 0;
  private values = 0;

  constructor(private readonly fields: ReadonlyMap<string, TableField>) {}

  read(value: unknown, path: string, depth: number): RowCondition | null {
    if (!isFilterObject(value)) return this.refuse(path, 'must be an object');
    if (depth > MAX_FILTER_DEPTH) return this.refuse(path, `must be nested at most ${MAX_FILTER_DEPTH} deep`);
    if (Object.hasOwn(value, 'and')) return this.join('and', value, path, depth);
    if (Object.hasOwn(value, 'or')) return this.join('or', value, path, depth);
    this.count += 1;
    if (this.count > MAX_FILTER_CONDITIONS)
      return this.refuse(path, `at most ${MAX_FILTER_CONDITIONS} conditions are possible`);
    return this.condition(value, path);
  }

  private refuse(field: string, message: string): null {
    this.errors.push({ field, message });
    return null;
  }

  private hasOnly(value: Record<string, unknown>, names: readonly string[], path: string): boolean {
    const unknown = Object.keys(value).filter((name) => !names.includes(name));
    for (const name of unknown) this.refuse(`${path}.${name}`, 'is not a known field');
    return unknown.length === 0;
  }

  private join(join: 'and' | 'or', value: Record<string, unknown>, path: string, depth: number): RowCondition | null {
    const parts = value[join];
    if (!this.hasOnly(value, [join], path)) return null;
    if (!Array.isArray(parts) || parts.length === 0) {
      return this.refuse(`${path}.${join}`, 'must be a list of conditions that is not empty');
    }
    if (parts.length > MAX_FILTER_CONDITIONS) {
      return this.refuse(`${path}.${join}`, `must have at most ${MAX_FILTER_CONDITIONS} conditions`);
    }
    const read = parts.map((part, index) => this.read(part, `${path}.${join}[${index}]`, depth + 1));
    const conditions = read.filter((one) => one !== null);
    return conditions.length === parts.length ? { join, parts: conditions } : null;
  }

  private condition(value: Record<string, unknown>, path: string): RowCondition | null {
    if (!this.hasOnly(value, ['column', 'operator', 'value'], path)) return null;
    const { column, operator } = value;
    const field = typeof column === 'string' ? this.fields.get(column) : undefined;
    if (!field) return this.refuse(`${path}.column`, 'is not a column of this table');
    const known = FILTER_OPERATORS.find((one) => one === operator);
    if (!known) return this.refuse(`${path}.operator`, `must be one of ${FILTER_OPERATORS.join(', ')}`);
    if (!OPERATORS_BY_TYPE[field.type].includes(known)) {
      const possible = OPERATORS_BY_TYPE[field.type].join(', ');
      return this.refuse(`${path}.operator`, `is not possible for ${field.name}: type ${field.type} takes ${possible}`);
    }
    return this.comparison(field, known, value['value'], `${path}.value`);
  }

  private comparison(field: TableField, operator: FilterOperator, value: unknown, path: string): RowCondition | null {
    if (operator === 'is_null') return this.nullTest(field, value ?? true, path);
    if (operator === 'in') return this.oneOf(field, value, path);
    // Nothing compares with null in SQL: a comparison with it means the absence of a value.
    if (value === null && (operator === 'eq' || operator === 'ne')) {
      return { field, operator: 'is_null', isNull: operator === 'eq' };
    }
    const text = this.parameter(field.type, value, path);
    return text === null ? null : { field, operator, value: text };
  }

  private nullTest(field: TableField, value: unknown, path: string): RowCondition | null {
    if (typeof value !== 'boolean') return this.refuse(path, 'must be true or false');
    return { field, operator: 'is_null', isNull: value };
  }

  private oneOf(field: TableField, value: unknown, path: string): RowCondition | null {
    if (!Array.isArray(value) || value.length > MAX_LIST_VALUES) {
      return this.refuse(path, `must be a list of at most ${MAX_LIST_VALUES.toLocaleString('en')} values`);
    }
    this.values += value.length;
    if (this.values > MAX_FILTER_VALUES) {
      return this.refuse(
        path,
        `at most ${MAX_FILTER_VALUES.toLocaleString('en')} values are possible in all lists together`,
      );
    }
    const values = value.map((one: unknown, index) =>
      one === null ? null : this.parameter(field.type, one, `${path}[${index}]`),
    );
    return { field, operator: 'in', values };
  }

  private parameter(type: TableColumnType, value: unknown, path: string): string | null {
    const checked = checkCellValue(type, value);
    return 'message' in checked ? this.refuse(path, checked.message) : String(checked.cell);
  }
}

/** A filter, as an object or as its JSON; undefined: every row. Throws 400 with the path of what is wrong. */
export function parseRowFilter(
  fields: ReadonlyMap<string, TableField>,
  given: unknown,
  path = 'filter',
): RowCondition | null {
  if (given === undefined) return null;
  const reader = new RowFilterReader(fields);
  const condition = reader.read(typeof given === 'string' ? parseFilterJson(given, path) : given, path, 1);
  if (reader.errors.length > 0 || !condition) {
    throw reader.errors.length > 0 ? invalidRequestProblem(reader.errors) : invalidFieldProblem(path, 'is not valid');
  }
  return condition;
}

function parseFilterJson(text: string, path: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw invalidFieldProblem(path, 'must be JSON');
  }
}

/** The conditions in a filter, without what joins them. */
export const listComparisons = (condition: RowCondition | null): Exclude<RowCondition, { join: string }>[] => {
  if (!condition) return [];
  return 'join' in condition ? condition.parts.flatMap(listComparisons) : [condition];
};

/** A pattern of LIKE for what contains or begins with a text. */
const escapeLikePattern = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const indexedBeginning = (text: string) =>
  Array.from(text.slice(0, 2 * INDEXED_TEXT_LENGTH))
    .slice(0, INDEXED_TEXT_LENGTH)
    .join('');

const SQL_COMPARISONS = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
/** The same for the beginning of a longer text, which decides unless it is equal. */
const SQL_KEY_COMPARISONS = { eq: '=', lt: '<=', lte: '<=', gt: '>=', gte: '>=' } as const;

type ComparisonOperator = keyof typeof SQL_COMPARISONS;

/** A text shorter than the key compares with it as with the whole value. */
function comparisonSql(
  { type, sql, key }: TableField,
  operator: ComparisonOperator,
  value: string,
  parameters: SqlParameters,
): string {
  const whole = (of: string) => `${of} ${SQL_COMPARISONS[operator]} ${parameters.add(value, COLUMN_SQL_TYPES[type])}`;
  if (sql === key || value.length < INDEXED_TEXT_LENGTH) return whole(key);
  const beginning = parameters.add(indexedBeginning(value));
  return `(${key} ${SQL_KEY_COMPARISONS[operator]} ${beginning} AND ${whole(sql)})`;
}

function startsWithSql({ sql, key }: TableField, value: string, parameters: SqlParameters): string {
  const like = (of: string, text: string) => `${of} LIKE ${parameters.add(`${escapeLikePattern(text)}%`)}`;
  if (sql === key || value.length < INDEXED_TEXT_LENGTH) return like(key, value);
  return `(${like(key, indexedBeginning(value))} AND ${like(sql, value)})`;
}

function inListSql(field: TableField, values: readonly NullableText[], parameters: SqlParameters): string {
  const isLong =
    field.sql !== field.key && values.some((value) => value !== null && value.length >= INDEXED_TEXT_LENGTH);
  const texts = values.filter((value) => value !== null);
  const parts = [
    ...(values.length > texts.length ? [`${field.key} IS NULL`] : []),
    ...(isLong ? texts.map((value) => comparisonSql(field, 'eq', value, parameters)) : []),
    ...(isLong || texts.length === 0
      ? []
      : [`${field.key} IN (${texts.map((value) => parameters.add(value, COLUMN_SQL_TYPES[field.type])).join(', ')})`]),
  ];
  return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
}

function containsSql(
  { field, value, rareParts }: Extract<RowCondition, { operator: 'contains' }>,
  parameters: SqlParameters,
): string {
  const like = (text: string) => `${field.sql} LIKE ${parameters.add(`%${escapeLikePattern(text)}%`)}`;
  if (!rareParts) return like(value);
  // The index does not serve strpos, so it is not searched by the frequent parts.
  return `(${rareParts.map(like).join(' AND ')} AND strpos(${field.sql}, ${parameters.add(value)}) > 0)`;
}

/** SQL of a condition. */
export function rowConditionSql(condition: RowCondition, parameters: SqlParameters): string {
  if ('join' in condition) {
    const parts = condition.parts.map((part) => rowConditionSql(part, parameters));
    return `(${parts.join(condition.join === 'and' ? ' AND ' : ' OR ')})`;
  }
  const { field } = condition;
  switch (condition.operator) {
    case 'is_null':
      return `${field.key} IS ${condition.isNull ? '' : 'NOT '}NULL`;
    case 'in':
      return inListSql(field, condition.values, parameters);
    case 'ne':
      return `${field.sql} IS DISTINCT FROM ${parameters.add(condition.value, COLUMN_SQL_TYPES[field.type])}`;
    case 'contains':
      return containsSql(condition, parameters);
    case 'starts_with':
      return startsWithSql(field, condition.value, parameters);
    default:
      return comparisonSql(field, condition.operator, condition.value, parameters);
  }
}
