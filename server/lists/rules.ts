import { z } from 'zod';
import { OPERATORS } from '@/contract/workflows/rule-operators';
import { fieldOf, isMissing, keyOf, type Step } from './values';

const Rule = z.strictObject({
  field: z
    .string()
    .max(500)
    .meta({ title: 'Field', description: 'A path such as customer.name. Empty: the item itself.' }),
  operator: z.enum(OPERATORS).meta({ title: 'Operator' }),
  value: z.unknown().optional().meta({ title: 'Value' }),
});
type Rule = z.infer<typeof Rule>;

const MAX_RULES = 100;

// Two levels of groups: a schema without recursion becomes a form.
const group = <Member extends z.ZodType>(member: Member) => {
  const members = z.array(member).max(MAX_RULES);
  return [z.strictObject({ and: members }), z.strictObject({ or: members })] as const;
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
    : (one ?? null) === (other ?? null);

const isListed = (value: unknown, list: unknown, step: Step): boolean =>
  Array.isArray(list) &&
  list.some((one) => {
    step();
    return isEqual(value, one, step);
  });

const contains = (value: unknown, part: unknown, step: Step): boolean =>
  typeof value === 'string' ? typeof part === 'string' && value.includes(part) : isListed(part, value, step);

/** The order of two numbers or of two texts (by code units, as dates in ISO 8601 need it); undefined: not comparable. */
function orderOf(one: unknown, other: unknown): number | undefined {
  const isComparable = typeof one === typeof other && (typeof one === 'number' || typeof one === 'string');
  if (!isComparable) return undefined;
  const [low, high] = [one as number, other as number];
  return low < high ? -1 : low > high ? 1 : 0;
}

function matchesRule(item: unknown, { field, operator, value: wanted }: Rule, step: Step): boolean {
  step();
  const value = field === '' ? item : fieldOf(item, field);
  const order = orderOf(value, wanted);
  switch (operator) {
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
