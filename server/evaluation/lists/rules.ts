import { z } from 'zod';
import { IGNORE_CASE_OPERATORS, RULE_OPERATORS } from '@/contract/workflows/rule-operators';
import { LinearRegExp } from '@/server/evaluation/expressions/linear-regexp';
import { LinearRegexError, findRegexProblem } from '@/server/evaluation/expressions/regex/check';
import { createConfigFailure } from '@/server/platform/errors/node-failure';
import { itemFieldValue, isMissingValue, serializeEqualityKey, numericOrder, type CountWork } from './values';

const PATTERN_OPERATORS = ['matches', 'not_matches'];

/** Finds what is wrong with the value or an option of a rule. A value with `{{ }}` is known only when a node runs. */
function findRuleProblem({
  operator,
  value,
  ignoreCase,
}: ListRule): { field: keyof ListRule; message: string } | undefined {
  if (ignoreCase && !IGNORE_CASE_OPERATORS.includes(operator))
    return { field: 'ignoreCase', message: `has no meaning for ${operator}` };
  const isKnown = typeof value !== 'string' || !value.includes('{{');
  if (operator === 'between' && isKnown && !(Array.isArray(value) && value.length === 2))
    return { field: 'value', message: 'must be a list of two values, the lower one first' };
  if (!PATTERN_OPERATORS.includes(operator) || !isKnown) return undefined;
  if (typeof value !== 'string') return { field: 'value', message: 'must be a regular expression, as a text' };
  const problem = findRegexProblem(value, ignoreCase ? 'i' : '');
  return problem ? { field: 'value', message: problem.message } : undefined;
}

interface ListRule {
  field: string;
  operator: (typeof RULE_OPERATORS)[number];
  value?: unknown;
  ignoreCase?: boolean | undefined;
}

const ListRule = z
  .strictObject({
    field: z
      .string()
      .max(500)
      .meta({ title: 'Field', description: 'A path such as customer.name. Empty: the item itself.' }),
    operator: z.enum(RULE_OPERATORS).meta({ title: 'Operator', apiDescription: 'How both sides are compared' }),
    value: z.unknown().optional().meta({ title: 'Value', apiDescription: 'What the field is compared with' }),
    ignoreCase: z.boolean().optional().meta({
      title: 'Ignore case',
      description: 'Capital and small letters are the same. For texts.',
      default: false,
    }),
  })
  .superRefine((rule, context) => {
    const problem = findRuleProblem(rule);
    if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
  });

const MAX_RULES_PER_GROUP = 100;

// Two levels of groups: a schema without recursion becomes a form.
const createRuleGroups = <Member extends z.ZodType>(member: Member) => {
  const members = z.array(member).max(MAX_RULES_PER_GROUP);
  return [
    z.strictObject({ and: members.meta({ apiDescription: 'All must match' }) }),
    z.strictObject({ or: members.meta({ apiDescription: 'One must match' }) }),
  ] as const;
};
const ListRuleOrGroup = z.union([ListRule, ...createRuleGroups(ListRule)]);

/** Rules for the items of a list: a list of rules that must all match, or a group of rules by `and` or `or`. */
export const ListRules = z.union([
  z.array(ListRuleOrGroup).max(MAX_RULES_PER_GROUP),
  ...createRuleGroups(ListRuleOrGroup),
]);
export type ListRules = z.infer<typeof ListRules>;

const isEmptyValue = (value: unknown): boolean =>
  isMissingValue(value) ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const areValuesEqual = (one: unknown, other: unknown, step: CountWork): boolean =>
  typeof one === 'object' && one !== null
    ? typeof other === 'object' &&
      other !== null &&
      serializeEqualityKey(one, step) === serializeEqualityKey(other, step)
    : (one ?? null) === (other ?? null) || numericOrder(one, other) === 0;

const isInList = (value: unknown, list: unknown, step: CountWork): boolean =>
  Array.isArray(list) &&
  list.some((one) => {
    step();
    return areValuesEqual(value, one, step);
  });

/** Two texts in small letters for a comparison that ignores their case; false: one of them is no text. */
const compareIgnoringCase = (one: unknown, other: unknown, compare: (one: string, other: string) => boolean): boolean =>
  typeof one === 'string' && typeof other === 'string' && compare(one.toLowerCase(), other.toLowerCase());

/** Matches a rule that ignores the case of letters. Only texts can match it. */
function matchesIgnoringCase(
  value: unknown,
  operator: ListRule['operator'],
  wanted: unknown,
  step: CountWork,
): boolean {
  switch (operator) {
    case 'ne':
      return !matchesIgnoringCase(value, 'eq', wanted, step);
    case 'not_in':
      return !matchesIgnoringCase(value, 'in', wanted, step);
    case 'not_contains':
      return !matchesIgnoringCase(value, 'contains', wanted, step);
    case 'in':
      return (
        Array.isArray(wanted) &&
        wanted.some((one) => {
          step();
          return compareIgnoringCase(value, one, (a, b) => a === b);
        })
      );
    case 'contains':
      return compareIgnoringCase(value, wanted, (text, part) => text.includes(part));
    case 'starts_with':
      return compareIgnoringCase(value, wanted, (text, part) => text.startsWith(part));
    case 'ends_with':
      return compareIgnoringCase(value, wanted, (text, part) => text.endsWith(part));
    default:
      return compareIgnoringCase(value, wanted, (a, b) => a === b);
  }
}

function matchesPattern(value: unknown, pattern: unknown, ignoreCase: boolean): boolean {
  if (typeof value !== 'string' || typeof pattern !== 'string') return false;
  try {
    return new LinearRegExp(pattern, ignoreCase ? 'i' : '').test(value);
  } catch (error) {
    // An expression computed the pattern: others are checked when they are saved.
    if (error instanceof LinearRegexError) throw createConfigFailure('rules', error.message);
    throw error;
  }
}

const containsValue = (value: unknown, part: unknown, step: CountWork): boolean =>
  typeof value === 'string' ? typeof part === 'string' && value.includes(part) : isInList(part, value, step);

/**
 * The order of two numbers or of two texts (by code units, as dates in ISO 8601 need it); undefined: not comparable.
 */
function compareOperands(one: unknown, other: unknown): number | undefined {
  const order = numericOrder(one, other);
  if (order !== undefined || typeof one !== 'string' || typeof other !== 'string') return order;
  return one < other ? -1 : one > other ? 1 : 0;
}

const isBetweenValues = (value: unknown, ends: unknown): boolean => {
  const [low, high] = Array.isArray(ends) ? [compareOperands(value, ends[0]), compareOperands(value, ends[1])] : [];
  return low !== undefined && high !== undefined && low >= 0 && high <= 0;
};

function matchesListRule(
  item: unknown,
  { field, operator, value: wanted, ignoreCase = false }: ListRule,
  step: CountWork,
): boolean {
  step();
  const value = field === '' ? item : itemFieldValue(item, field);
  if (ignoreCase && !PATTERN_OPERATORS.includes(operator)) return matchesIgnoringCase(value, operator, wanted, step);
  const order = compareOperands(value, wanted);
  switch (operator) {
    case 'matches':
      return matchesPattern(value, wanted, ignoreCase);
    case 'not_matches':
      return !matchesPattern(value, wanted, ignoreCase);
    case 'between':
      return isBetweenValues(value, wanted);
    case 'eq':
      return areValuesEqual(value, wanted, step);
    case 'ne':
      return !areValuesEqual(value, wanted, step);
    case 'lt':
      return order !== undefined && order < 0;
    case 'lte':
      return order !== undefined && order <= 0;
    case 'gt':
      return order !== undefined && order > 0;
    case 'gte':
      return order !== undefined && order >= 0;
    case 'in':
      return isInList(value, wanted, step);
    case 'not_in':
      return !isInList(value, wanted, step);
    case 'contains':
      return containsValue(value, wanted, step);
    case 'not_contains':
      return !containsValue(value, wanted, step);
    case 'starts_with':
      return typeof value === 'string' && typeof wanted === 'string' && value.startsWith(wanted);
    case 'ends_with':
      return typeof value === 'string' && typeof wanted === 'string' && value.endsWith(wanted);
    case 'is_null':
      return isMissingValue(value);
    case 'is_not_null':
      return !isMissingValue(value);
    case 'is_empty':
      return isEmptyValue(value);
    case 'is_not_empty':
      return !isEmptyValue(value);
  }
}

/** Whether an item matches the rules. An empty group matches. */
export function matchesListRules(
  item: unknown,
  rules: ListRules | z.infer<typeof ListRuleOrGroup>,
  step: CountWork,
): boolean {
  if (Array.isArray(rules)) return rules.every((rule) => matchesListRules(item, rule, step));
  if ('and' in rules) return rules.and.every((rule) => matchesListRules(item, rule, step));
  if ('or' in rules) return rules.or.length === 0 || rules.or.some((rule) => matchesListRules(item, rule, step));
  return matchesListRule(item, rules, step);
}
