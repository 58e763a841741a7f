import { z } from 'zod';
import { CASE_OPERATORS, OPERATORS } from '@/contract/workflows/rule-operators';
import { LinearRegExp } from '@/server/expressions/regex';
import { RegexError, regexProblem } from '@/server/expressions/regex/check';
import { NodeFailure } from '@/server/errors/node-failure';
import { fieldOf, isMissing, keyOf, numericOrder, type Step } from './values';

const PATTERN = ['matches', 'not_matches'];

/** What is wrong with the value or an option of a rule. A value with `{{ }}` is known only when a node runs. */
function problemIn({ operator, value, ignoreCase }: Rule): { field: keyof Rule; message: string } | undefined {
  if (ignoreCase && !CASE_OPERATORS.includes(operator))
    return { field: 'ignoreCase', message: `has no meaning for ${operator}` };
  const isKnown = typeof value !== 'string' || !value.includes('{{');
  if (operator === 'between' && isKnown && !(Array.isArray(value) && value.length === 2))
    return { field: 'value', message: 'must be a list of two values, the lower one first' };
  if (!PATTERN.includes(operator) || !isKnown) return undefined;
  if (typeof value !== 'string') return { field: 'value', message: 'must be a regular expression, as a text' };
  const problem = regexProblem(value, ignoreCase ? 'i' : '');
  return problem ? { field: 'value', message: problem.message } : undefined;
}

interface Rule {
  field: string;
  operator: (typeof OPERATORS)[number];
  value?: unknown;
  ignoreCase?: boolean | undefined;
}

const Rule = z
  .strictObject({
    field: z
      .string()
      .max(500)
      .meta({ title: 'Field', description: 'A path such as customer.name. Empty: the item itself.' }),
    operator: z.enum(OPERATORS).meta({ title: 'Operator', apiDescription: 'How both sides are compared' }),
    value: z.unknown().optional().meta({ title: 'Value', apiDescription: 'What the field is compared with' }),
    ignoreCase: z.boolean().optional().meta({
      title: 'Ignore case',
      description: 'Capital and small letters are the same. For texts.',
      default: false,
    }),
  })
  .superRefine((rule, context) => {
    const problem = problemIn(rule);
    if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
  });

const MAX_RULES = 100;

// Two levels of groups: a schema without recursion becomes a form.
const group = <Member extends z.ZodType>(member: Member) => {
  const members = z.array(member).max(MAX_RULES);
  return [
    z.strictObject({ and: members.meta({ apiDescription: 'All must match' }) }),
    z.strictObject({ or: members.meta({ apiDescription: 'One must match' }) }),
  ] as const;
};
const Inner = z.union([Rule, ...group(Rule)]);

/** Rules for the items of a list: a list of rules that must all match, or a group of rules by `and` or `or`. */
export const Rules = z.union([z.array(Inner).max(MAX_RULES), ...group(Inner)]);
export type Rules = z.infer<typeof Rules>;

const isEmpty = (value: unknown): boolean =>
  isMissing(value) ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const isEqual = (one: unknown, other: unknown, step: Step): boolean =>
  typeof one === 'object' && one !== null
    ? typeof other === 'object' && other !== null && keyOf(one, step) === keyOf(other, step)
    : (one ?? null) === (other ?? null) || numericOrder(one, other) === 0;

const isListed = (value: unknown, list: unknown, step: Step): boolean =>
  Array.isArray(list) &&
  list.some((one) => {
    step();
    return isEqual(value, one, step);
  });

/** Two texts in small letters for a comparison that ignores their case; false: one of them is no text. */
const inSmall = (one: unknown, other: unknown, compare: (one: string, other: string) => boolean): boolean =>
  typeof one === 'string' && typeof other === 'string' && compare(one.toLowerCase(), other.toLowerCase());

/** The rules that ignore the case of letters: of texts only. */
function matchesInSmall(value: unknown, operator: Rule['operator'], wanted: unknown, step: Step): boolean {
  switch (operator) {
    case 'ne':
      return !matchesInSmall(value, 'eq', wanted, step);
    case 'not_in':
      return !matchesInSmall(value, 'in', wanted, step);
    case 'not_contains':
      return !matchesInSmall(value, 'contains', wanted, step);
    case 'in':
      return (
        Array.isArray(wanted) &&
        wanted.some((one) => {
          step();
          return inSmall(value, one, (a, b) => a === b);
        })
      );
    case 'contains':
      return inSmall(value, wanted, (text, part) => text.includes(part));
    case 'starts_with':
      return inSmall(value, wanted, (text, part) => text.startsWith(part));
    case 'ends_with':
      return inSmall(value, wanted, (text, part) => text.endsWith(part));
    default:
      return inSmall(value, wanted, (a, b) => a === b);
  }
}

function hasMatch(value: unknown, pattern: unknown, ignoreCase: boolean): boolean {
  if (typeof value !== 'string' || typeof pattern !== 'string') return false;
  try {
    return new LinearRegExp(pattern, ignoreCase ? 'i' : '').test(value);
  } catch (error) {
    // An expression computed the pattern: others are checked when they are saved.
    if (error instanceof RegexError) throw new NodeFailure('CONFIG', `config.rules: ${error.message}`, false);
    throw error;
  }
}

const contains = (value: unknown, part: unknown, step: Step): boolean =>
  typeof value === 'string' ? typeof part === 'string' && value.includes(part) : isListed(part, value, step);

/** The order of two numbers or of two texts (by code units, as dates in ISO 8601 need it); undefined: not comparable. */
function orderOf(one: unknown, other: unknown): number | undefined {
  const order = numericOrder(one, other);
  if (order !== undefined || typeof one !== 'string' || typeof other !== 'string') return order;
  return one < other ? -1 : one > other ? 1 : 0;
}

const isBetween = (value: unknown, ends: unknown): boolean => {
  const [low, high] = Array.isArray(ends) ? [orderOf(value, ends[0]), orderOf(value, ends[1])] : [];
  return low !== undefined && high !== undefined && low >= 0 && high <= 0;
};

function matchesRule(item: unknown, { field, operator, value: wanted, ignoreCase = false }: Rule, step: Step): boolean {
  step();
  const value = field === '' ? item : fieldOf(item, field);
  if (ignoreCase && !PATTERN.includes(operator)) return matchesInSmall(value, operator, wanted, step);
  const order = orderOf(value, wanted);
  switch (operator) {
    case 'matches':
      return hasMatch(value, wanted, ignoreCase);
    case 'not_matches':
      return !hasMatch(value, wanted, ignoreCase);
    case 'between':
      return isBetween(value, wanted);
    case 'eq':
      return isEqual(value, wanted, step);
    case 'ne':
      return !isEqual(value, wanted, step);
    case 'lt':
      return order !== undefined && order < 0;
    case 'lte':
      return order !== undefined && order <= 0;
    case 'gt':
      return order !== undefined && order > 0;
    case 'gte':
      return order !== undefined && order >= 0;
    case 'in':
      return isListed(value, wanted, step);
    case 'not_in':
      return !isListed(value, wanted, step);
    case 'contains':
      return contains(value, wanted, step);
    case 'not_contains':
      return !contains(value, wanted, step);
    case 'starts_with':
      return typeof value === 'string' && typeof wanted === 'string' && value.startsWith(wanted);
    case 'ends_with':
      return typeof value === 'string' && typeof wanted === 'string' && value.endsWith(wanted);
    case 'is_null':
      return isMissing(value);
    case 'is_not_null':
      return !isMissing(value);
    case 'is_empty':
      return isEmpty(value);
    case 'is_not_empty':
      return !isEmpty(value);
  }
}

/** Whether an item matches the rules. An empty group matches. */
export function matches(item: unknown, rules: Rules | z.infer<typeof Inner>, step: Step): boolean {
  if (Array.isArray(rules)) return rules.every((rule) => matches(item, rule, step));
  if ('and' in rules) return rules.and.every((rule) => matches(item, rule, step));
  if ('or' in rules) return rules.or.length === 0 || rules.or.some((rule) => matches(item, rule, step));
  return matchesRule(item, rules, step);
}
