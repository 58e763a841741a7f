import { FILTER_OPERATORS, SYSTEM_COLUMNS, type TableColumnType } from '@/contract/tables/table-columns';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath, printExpressionPath } from '@/components/ui/values/expression-path';
import { operandFromStored, operandToStored } from './filter-rules';
import type { NotRulesReason } from './parse-rules';
import { needsOperand, type RuleOperator, type ComparisonRule, type RuleGroup } from './rule-model';

/** A row of the table, as rules name it. */
const ROW_VARIABLE = 'row';

/** The operators of rules on rows. */
export const TABLE_ROW_OPERATORS: readonly RuleOperator[] = [
  ...FILTER_OPERATORS.filter((operator) => operator !== 'is_null'),
  'is_null',
  'is_not_null',
];

const COLUMN_EXAMPLES: Partial<Record<TableColumnType, unknown>> = {
  text: 'text',
  number: 0,
  boolean: true,
  timestamp: '2026-01-31T08:15:30.000Z',
};

const SYSTEM_COLUMN_TYPES: Record<(typeof SYSTEM_COLUMNS)[number], TableColumnType> = {
  id: 'text',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** A row with a value of each type, to pick columns from. JSON is not compared. */
export function exampleRowScope(
  columns: readonly { name: string; type: TableColumnType }[],
): Readonly<Record<string, unknown>> {
  const own = SYSTEM_COLUMNS.map((name) => ({ name, type: SYSTEM_COLUMN_TYPES[name] }));
  const row = [...columns, ...own]
    .filter(({ type }) => type !== 'json')
    .map(({ name, type }) => [name, COLUMN_EXAMPLES[type]]);
  return { [ROW_VARIABLE]: Object.fromEntries(row) as unknown };
}

const isStoredObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOnlyKeys = (value: Record<string, unknown>, names: string[]) =>
  Object.keys(value).every((name) => names.includes(name));

function ruleFromColumn(stored: Record<string, unknown>, language: ExpressionLanguage): ComparisonRule | undefined {
  const { column, operator, value } = stored;
  const field =
    typeof column === 'string' && column !== '' ? printExpressionPath([ROW_VARIABLE, column], language) : undefined;
  const known = TABLE_ROW_OPERATORS.find((one) => one === operator);
  if (!field || !known || known === 'is_not_null' || !hasOnlyKeys(stored, ['column', 'operator', 'value']))
    return undefined;
  if (known === 'is_null') {
    if (value !== undefined && typeof value !== 'boolean') return undefined;
    return { field, operator: value === false ? 'is_not_null' : 'is_null' };
  }
  const operand = value === undefined || value === null ? undefined : operandFromStored(value, language);
  return operand && { field, operator: known, value: operand };
}

function memberFromTableFilter(stored: unknown, language: ExpressionLanguage): ComparisonRule | RuleGroup | undefined {
  if (!isStoredObject(stored)) return undefined;
  const join = 'and' in stored ? 'and' : 'or' in stored ? 'or' : undefined;
  if (!join) return ruleFromColumn(stored, language);
  const parts = stored[join];
  if (!Array.isArray(parts) || !hasOnlyKeys(stored, [join])) return undefined;
  const members = parts.map((part) => memberFromTableFilter(part, language));
  return members.every((member) => member !== undefined) ? { join, members } : undefined;
}

/** A filter of rows as rules on `row`, or why it can't be shown as such. */
export function parseTableFilter(
  stored: unknown,
  language: ExpressionLanguage = 'jsonata',
): RuleGroup | NotRulesReason {
  if (stored === undefined) return { join: 'and', members: [] };
  const member = memberFromTableFilter(stored, language);
  if (!member) return { reason: 'Rules can’t show one of its columns or values.' };
  return 'join' in member ? member : { join: 'and', members: [member] };
}

function memberToTableFilter(member: ComparisonRule | RuleGroup, language: ExpressionLanguage): unknown {
  if ('join' in member) return { [member.join]: member.members.map((inner) => memberToTableFilter(inner, language)) };
  const { operator, value } = member;
  const [, column] = parseExpressionPath(member.field, language) ?? [];
  if (operator === 'is_not_null') return { column, operator: 'is_null', value: false };
  return value && needsOperand(operator) ? { column, operator, value: operandToStored(value) } : { column, operator };
}

const concernsRowColumn = (member: ComparisonRule | RuleGroup, language: ExpressionLanguage): boolean => {
  if ('join' in member) return member.members.every((inner) => concernsRowColumn(inner, language));
  const steps = parseExpressionPath(member.field, language) ?? [];
  return steps.length === 2 && steps[0] === ROW_VARIABLE && typeof steps[1] === 'string';
};

/** Rules on `row` as a filter of rows; undefined: there are none. Rules on anything else are left out. */
export function printTableFilter({ join, members }: RuleGroup, language: ExpressionLanguage = 'jsonata'): unknown {
  const fitting = members.filter((member) => concernsRowColumn(member, language));
  const [first] = fitting;
  if (!first) return undefined;
  return fitting.length === 1
    ? memberToTableFilter(first, language)
    : { [join]: fitting.map((member) => memberToTableFilter(member, language)) };
}
