import { FILTER_OPERATORS, OWN_COLUMNS, type ColumnType } from '@/contract/tables/table-columns';
import { readPath, writePath } from '@/components/ui/values/path';
import { operandOf, storedValue } from './filter-rules';
import type { NoRules } from './parse';
import { takesValue, type Operator, type Rule, type RuleGroup } from './rules';

/** A row of the table, as rules name it. */
const ROW = 'row';

/** The operators of rules on rows. */
export const ROW_OPERATORS: readonly Operator[] = [
  ...FILTER_OPERATORS.filter((operator) => operator !== 'is_null'),
  'is_null',
  'is_not_null',
];

const EXAMPLES: Partial<Record<ColumnType, unknown>> = {
  text: 'text',
  number: 0,
  boolean: true,
  timestamp: '2026-01-31T08:15:30.000Z',
};

const OWN_TYPES: Record<(typeof OWN_COLUMNS)[number], ColumnType> = {
  id: 'text',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** A row with a value of each type, to pick columns from. JSON is not compared. */
export function rowScope(columns: readonly { name: string; type: ColumnType }[]): Readonly<Record<string, unknown>> {
  const own = OWN_COLUMNS.map((name) => ({ name, type: OWN_TYPES[name] }));
  const row = [...columns, ...own]
    .filter(({ type }) => type !== 'json')
    .map(({ name, type }) => [name, EXAMPLES[type]]);
  return { [ROW]: Object.fromEntries(row) as unknown };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const has = (value: Record<string, unknown>, names: string[]) =>
  Object.keys(value).every((name) => names.includes(name));

function ruleOf(stored: Record<string, unknown>): Rule | undefined {
  const { column, operator, value } = stored;
  const field = typeof column === 'string' && column !== '' ? writePath([ROW, column]) : undefined;
  const known = ROW_OPERATORS.find((one) => one === operator);
  if (!field || !known || known === 'is_not_null' || !has(stored, ['column', 'operator', 'value'])) return undefined;
  if (known === 'is_null') {
    if (value !== undefined && typeof value !== 'boolean') return undefined;
    return { field, operator: value === false ? 'is_not_null' : 'is_null' };
  }
  const operand = value === undefined || value === null ? undefined : operandOf(value);
  return operand && { field, operator: known, value: operand };
}

function memberOf(stored: unknown): Rule | RuleGroup | undefined {
  if (!isRecord(stored)) return undefined;
  const join = 'and' in stored ? 'and' : 'or' in stored ? 'or' : undefined;
  if (!join) return ruleOf(stored);
  const parts = stored[join];
  if (!Array.isArray(parts) || !has(stored, [join])) return undefined;
  const members = parts.map(memberOf);
  return members.every((member) => member !== undefined) ? { join, members } : undefined;
}

/** A filter of rows as rules on `row`, or why it can't be shown as such. */
export function readTableFilter(stored: unknown): RuleGroup | NoRules {
  if (stored === undefined) return { join: 'and', members: [] };
  const member = memberOf(stored);
  if (!member) return { reason: 'Rules can’t show one of its columns or values.' };
  return 'join' in member ? member : { join: 'and', members: [member] };
}

function storedMember(member: Rule | RuleGroup): unknown {
  if ('join' in member) return { [member.join]: member.members.map(storedMember) };
  const { operator, value } = member;
  const [, column] = readPath(member.field) ?? [];
  if (operator === 'is_not_null') return { column, operator: 'is_null', value: false };
  return value && takesValue(operator) ? { column, operator, value: storedValue(value) } : { column, operator };
}

const isOnRow = (member: Rule | RuleGroup): boolean => {
  if ('join' in member) return member.members.every(isOnRow);
  const steps = readPath(member.field) ?? [];
  return steps.length === 2 && steps[0] === ROW && typeof steps[1] === 'string';
};

/** Rules on `row` as a filter of rows; undefined: there are none. Rules on anything else are left out. */
export function writeTableFilter({ join, members }: RuleGroup): unknown {
  const fitting = members.filter(isOnRow);
  const [first] = fitting;
  if (!first) return undefined;
  return fitting.length === 1 ? storedMember(first) : { [join]: fitting.map(storedMember) };
}
