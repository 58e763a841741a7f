import { isInvalid, toFieldType } from './field-types';
import type { LuxonDate } from './luxon-date';

/** A condition of the nodes if, filter and switch since their present form. */
interface FilterCondition {
  leftValue?: unknown;
  rightValue?: unknown;
  operator?: { type?: string; operation?: string; rightType?: string; singleValue?: boolean };
}

/** What the nodes store as `conditions`. */
export interface FilterConditions {
  options?: { caseSensitive?: boolean; typeValidation?: string; version?: number };
  combinator?: string;
  conditions?: FilterCondition[];
}

interface FilterRules {
  ignoresCase: boolean;
  isStrict: boolean;
  version: number;
}

const STRICT_TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object',
  array: Array.isArray,
};

const isBlank = (value: unknown) =>
  (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** One side of a condition as the type that is compared. Throws where n8n does. */
function toCompared(value: unknown, type: string, { isStrict, version }: FilterRules): unknown {
  if (type === 'any' || value === null || value === undefined) return value;
  if (type === 'boolean' && !isStrict) {
    const found = version >= 2 ? toFieldType('boolean', value) : Boolean(value);
    return isInvalid(found) ? Boolean(value) : found;
  }
  if (type === 'number' && (Number.isNaN(value) || (version >= 3 && isBlank(value))))
    return Number.isNaN(value) ? value : null;
  const isOfType = STRICT_TYPES[type];
  const found =
    isStrict && isOfType && !isOfType(value) ? undefined : type === 'string' ? toText(value) : toFieldType(type, value);
  if (found !== undefined && !isInvalid(found)) return found;
  const article = (noun: string) => `${'aeiou'.includes(noun[0] ?? '') ? 'an' : 'a'} ${noun}`;
  throw new Error(
    isStrict
      ? `Wrong type: '${String(value)}' is ${article(typeof value)} but was expecting ${article(type)}`
      : `Conversion error: the ${typeof value} '${String(value)}' can't be converted to ${article(type)}`,
  );
}

/** The expression of a pattern, which may be written between slashes with flags. */
export function toPattern(text: string): RegExp {
  const literal = /^\/(.*?)\/([gimusy]*)$/.exec(text);
  return literal ? new RegExp(literal[1] ?? '', literal[2]?.replace('g', '')) : new RegExp(text);
}

type Comparison = (left: string, right: string) => boolean;

const TEXT_COMPARISONS: Record<string, Comparison> = {
  equals: (left, right) => left === right,
  contains: (left, right) => left.includes(right),
  startsWith: (left, right) => left.startsWith(right),
  endsWith: (left, right) => left.endsWith(right),
  regex: (left, right) => toPattern(right).test(left),
};

/** Comparisons of n8n and those that are true where the given one is false. */
const OPPOSITES: Record<string, string> = {
  notEquals: 'equals',
  notContains: 'contains',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notRegex: 'regex',
};

function compareTexts(operation: string, left: unknown, right: unknown, ignoresCase: boolean): boolean {
  const isPattern = operation === 'regex' || operation === 'notRegex';
  const lower = (text: unknown) => (ignoresCase && typeof text === 'string' ? text.toLocaleLowerCase() : text);
  const one = (lower(left) ?? '') as string;
  const other = ((isPattern ? right : lower(right)) ?? '') as string;
  if (operation === 'empty') return one.length === 0;
  if (operation === 'notEmpty') return one.length !== 0;
  const opposite = OPPOSITES[operation];
  const compare = TEXT_COMPARISONS[opposite ?? operation];
  return compare !== undefined && compare(one, other) !== (opposite !== undefined);
}

const ORDERS: Record<string, (left: number, right: number) => boolean> = {
  equals: (left, right) => left === right,
  notEquals: (left, right) => left !== right,
  gt: (left, right) => left > right,
  lt: (left, right) => left < right,
  gte: (left, right) => left >= right,
  lte: (left, right) => left <= right,
  after: (left, right) => left > right,
  before: (left, right) => left < right,
  afterOrEquals: (left, right) => left >= right,
  beforeOrEquals: (left, right) => left <= right,
};

const isOrdered = (operation: string, left: unknown, right: unknown): boolean =>
  ORDERS[operation]?.(left as number, right as number) ?? false;

function compareDates(operation: string, left: unknown, right: unknown): boolean {
  if (!left || !right) return false;
  return isOrdered(operation, (left as LuxonDate).toMillis(), (right as LuxonDate).toMillis());
}

function compareBooleans(operation: string, left: unknown, right: unknown): boolean {
  if (operation === 'true') return Boolean(left);
  return operation === 'false' ? !left : isOrdered(operation, left, right);
}

const listHas = (list: unknown[], value: unknown, ignoresCase: boolean): boolean =>
  ignoresCase && typeof value === 'string'
    ? list.some((one) => typeof one === 'string' && one.toLocaleLowerCase() === value.toLocaleLowerCase())
    : list.includes(value);

function compareLists(operation: string, left: unknown, right: unknown, ignoresCase: boolean): boolean {
  const list = (left ?? []) as unknown[];
  if (operation === 'contains') return listHas(list, right, ignoresCase);
  if (operation === 'notContains') return !listHas(list, right, ignoresCase);
  if (operation === 'empty') return list.length === 0;
  if (operation === 'notEmpty') return list.length !== 0;
  const order = operation.replace('length', '');
  return isOrdered(order.charAt(0).toLowerCase() + order.slice(1), list.length, right);
}

const isEmptyObject = (value: unknown) => !value || Object.keys(value).length === 0;

function isConditionMet({ leftValue, rightValue, operator = {} }: FilterCondition, rules: FilterRules): boolean {
  const { type = 'string', operation = 'equals' } = operator;
  const left = toCompared(leftValue, type, rules);
  const readRight = () => toCompared(rightValue, operator.rightType ?? type, rules);
  let right: unknown;
  try {
    right = readRight();
  } catch (error) {
    if (!operator.singleValue) throw error;
  }
  const exists = left !== undefined && left !== null && !Number.isNaN(left);
  if (operation === 'exists') return exists;
  if (operation === 'notExists') return !exists;
  if (type === 'string') return compareTexts(operation, left, right, rules.ignoresCase);
  if (type === 'array') return compareLists(operation, left, right, rules.ignoresCase);
  if (type === 'object')
    return operation === 'empty' ? isEmptyObject(left) : operation === 'notEmpty' && !isEmptyObject(left);
  if (operation === 'empty') return !exists;
  if (operation === 'notEmpty') return exists;
  if (type === 'dateTime') return compareDates(operation, left, right);
  return type === 'boolean' ? compareBooleans(operation, left, right) : isOrdered(operation, left, right);
}

/** Whether an item meets the conditions of a node. Throws where a value has a wrong type. */
export function areConditionsMet({ options = {}, combinator = 'and', conditions = [] }: FilterConditions): boolean {
  const rules: FilterRules = {
    ignoresCase: options.caseSensitive === false,
    isStrict: options.typeValidation === 'strict',
    version: options.version ?? 1,
  };
  const isMet = (condition: FilterCondition) => isConditionMet(condition, rules);
  if (combinator === 'and') return conditions.every(isMet);
  return combinator === 'or' && conditions.some(isMet);
}
