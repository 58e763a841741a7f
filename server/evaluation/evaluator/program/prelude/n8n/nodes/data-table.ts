import type { ItemData, N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { readParameterRows, readTypedParameter } from './typed-parameters';

/** Columns that every data table of n8n has, and that no node writes. */
const OWN_COLUMNS = new Set(['id', 'createdAt', 'updatedAt']);

const isDateLike = (value: object): value is { toISOString(): string } =>
  'toISOString' in value && typeof value.toISOString === 'function';

/** A luxon date is one by its method. */
const isLuxonDate = (value: object): value is { toJSDate(): Date } =>
  'toJSDate' in value && typeof value.toJSDate === 'function';

function readCell(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') return value;
  const date = isLuxonDate(value) ? value.toJSDate() : value;
  if (isDateLike(date)) return date.toISOString();
  throw new Error(`The column ${name} has a list or an object: make it a text`);
}

/** The values by column of a row that a data table gets. */
export function readTableRow(parameters: N8nParameters, { json }: N8nItem): ItemData {
  const isMapped = readTypedParameter(parameters, 'columns.mappingMode', 'defineBelow') !== 'autoMapInputData';
  const given = isMapped
    ? readTypedParameter<ItemData | null>(parameters, 'columns.value', {})
    : Object.fromEntries(Object.entries(json).filter(([name]) => !OWN_COLUMNS.has(name)));
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, readCell(name, value)]));
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'eq',
  neq: 'ne',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  like: 'contains',
};

interface TableCondition {
  keyName: string;
  condition: string;
  keyValue: unknown;
}

/** `texts`: the columns that are known to be texts, whose empty values count as none. */
function readCondition({ keyName: column, condition, keyValue }: TableCondition, texts: readonly string[]): ItemData {
  const isText = texts.includes(column);
  switch (condition) {
    case 'isEmpty': {
      const none = { column, operator: 'is_null', value: true };
      return isText ? { or: [none, { column, operator: 'eq', value: '' }] } : none;
    }
    case 'isNotEmpty': {
      const some = { column, operator: 'is_null', value: false };
      return isText ? { and: [some, { column, operator: 'ne', value: '' }] } : some;
    }
    case 'isTrue':
    case 'isFalse':
      return { column, operator: 'eq', value: condition === 'isTrue' };
    default: {
      const operator = Object.hasOwn(OPERATORS, condition) ? OPERATORS[condition] : undefined;
      const value = readCell(column, keyValue);
      // SQL compares nothing with what n8n does not find.
      if (keyValue === undefined && operator === 'eq') return { column, operator: 'in', value: [] };
      if (operator === undefined) throw new Error(`The condition ${condition} has no counterpart here`);
      if (value === null && operator !== 'eq' && operator !== 'ne')
        throw new Error(`The condition ${condition} of ${column} has no value`);
      if (operator === 'contains' && String(value).includes('%'))
        throw new Error('A condition that contains % has no counterpart here');
      return { column, operator, value };
    }
  }
}

/** The filter of a table by the conditions of a data table; null: there are none. */
export function readTableFilter(parameters: N8nParameters): ItemData | null {
  const defaults: TableCondition = { keyName: 'id', condition: 'eq', keyValue: '' };
  const rows = readParameterRows(parameters, 'filters.conditions', defaults);
  if (rows.length === 0 && readTypedParameter(parameters, 'isRequired', false))
    throw new Error('At least one condition is required');
  const texts = readTypedParameter<string[]>(parameters, 'texts', []);
  const parts = rows.map((row) => readCondition(row, texts));
  const join = readTypedParameter(parameters, 'matchType', 'anyCondition') === 'allConditions' ? 'and' : 'or';
  return parts.length === 0 ? null : { [join]: parts };
}
