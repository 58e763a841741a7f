import { toPattern } from './filter-conditions';
import type { N8nParameters } from '../parameters';
import { readParameterRows } from './typed-parameters';

type Comparison = (left: string, right: string) => boolean;

const text = (value: unknown): string => String(value || '');

const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  Number.isNaN(value) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const COMPARISONS: Record<string, Comparison> = {
  after: (left, right) => (left || 0) > (right || 0),
  before: (left, right) => (left || 0) < (right || 0),
  larger: (left, right) => (left || 0) > (right || 0),
  largerEqual: (left, right) => (left || 0) >= (right || 0),
  smaller: (left, right) => (left || 0) < (right || 0),
  smallerEqual: (left, right) => (left || 0) <= (right || 0),
  equal: (left, right) => left === right,
  notEqual: (left, right) => left !== right,
  contains: (left, right) => text(left).includes(text(right)),
  notContains: (left, right) => !text(left).includes(text(right)),
  startsWith: (left, right) => left.startsWith(right),
  notStartsWith: (left, right) => !left.startsWith(right),
  endsWith: (left, right) => left.endsWith(right),
  notEndsWith: (left, right) => !left.endsWith(right),
  regex: (left, right) => toPattern(text(right)).test(text(left)),
  notRegex: (left, right) => !toPattern(text(right)).test(text(left)),
  isEmpty: (left) => isEmptyValue(left),
  isNotEmpty: (left) => !isEmptyValue(left),
};

function toMoment(value: unknown): number {
  const moment = typeof value === 'number' ? value : new Date(value as string).getTime();
  const isDate = typeof value === 'string' || typeof value === 'number' || value instanceof Date;
  if (!isDate || Number.isNaN(moment)) throw new Error(`The value "${String(value)}" is not a valid DateTime.`);
  return moment;
}

/** A comparison of the first versions of the nodes if, filter and switch. */
export function isFormerConditionMet(type: string, operation: string, left: unknown, right: unknown): boolean {
  const compare = COMPARISONS[operation];
  if (!compare) throw new Error(`The comparison ${operation} is not known.`);
  const [one, other] = type === 'dateTime' ? [toMoment(left), toMoment(right)] : [left, right];
  return compare(one as string, other as string);
}

interface FormerCondition {
  value1: unknown;
  value2: unknown;
  operation: string;
}

/** The types of conditions in the order in which n8n looks at them, with the defaults of their fields. */
const CONDITION_DEFAULTS: readonly [type: string, defaults: FormerCondition][] = [
  ['boolean', { value1: false, value2: false, operation: 'equal' }],
  ['dateTime', { value1: '', value2: '', operation: 'after' }],
  ['number', { value1: 0, value2: 0, operation: 'smaller' }],
  ['string', { value1: '', value2: '', operation: 'equal' }],
];

/** Whether an item meets all conditions of a node in its first version, or any of them. */
export function areFormerConditionsMet(parameters: N8nParameters, isAny: boolean): boolean {
  for (const [type, defaults] of CONDITION_DEFAULTS)
    for (const { value1, value2, operation } of readParameterRows(parameters, `conditions.${type}`, defaults))
      if (isFormerConditionMet(type, operation, value1, value2) === isAny) return isAny;
  return !isAny;
}
