import type { Operand, Operator } from './rules';

type ValueKind = 'number' | 'text' | 'other' | 'path';

/** How a rule is written in JSONata: `F` is the field, `V` the value. */
export interface RuleForm {
  operator: Operator;
  /** The kinds of values that the form is for; absent: all. */
  values?: readonly ValueKind[];
  form: string;
  /** The form is read, but not written: it fails where the written one is false. */
  isReadOnly?: true;
}

const order = (operator: Operator, sign: string, mirrored: string): RuleForm[] => [
  { operator, values: ['number'], form: `$type(F) = "number" and F ${sign} V` },
  { operator, values: ['text'], form: `$type(F) = "string" and F ${sign} V` },
  { operator, form: `$type(F) = $type(V) and $type(F) in ["number", "string"] and F ${sign} V` },
  { operator, form: `F ${sign} V`, isReadOnly: true },
  { operator, form: `V ${mirrored} F`, isReadOnly: true },
];

const both = (
  operator: Operator,
  negated: Operator,
  values: RuleForm['values'],
  form: string,
  isReadOnly?: true,
): RuleForm[] => [
  { operator, values, form, isReadOnly },
  { operator: negated, values, form: `$not(${form})`, isReadOnly },
];

/**
 * The forms of all rules, for writing and reading. They are true, or not, for every value: a missing field, null and a value of another
 * type do not match, and never fail. The results equal those of the `filter` node.
 */
export const FORMS: readonly RuleForm[] = [
  ...both('eq', 'ne', undefined, 'F = V'),
  ...order('lt', '<', '>'),
  ...order('lte', '<=', '>='),
  ...order('gt', '>', '<'),
  ...order('gte', '>=', '<='),
  ...both('in', 'not_in', undefined, 'F in V'),
  ...both('contains', 'not_contains', ['text'], '$type(F) = "string" ? $contains(F, V) : V in F'),
  ...both(
    'contains',
    'not_contains',
    ['path'],
    '$type(F) = "string" and $type(V) = "string" ? $contains(F, V) : V in F',
  ),
  ...both('contains', 'not_contains', ['number', 'other'], '$type(F) = "array" and V in F'),
  ...both('contains', 'not_contains', undefined, 'V in F', true),
  ...both('contains', 'not_contains', ['text', 'path'], '$contains(F, V)', true),
  { operator: 'starts_with', values: ['text'], form: '$type(F) = "string" and $substring(F, 0, $length(V)) = V' },
  {
    operator: 'starts_with',
    form: '$type(F) = "string" and $type(V) = "string" and $substring(F, 0, $length(V)) = V',
  },
  {
    operator: 'ends_with',
    values: ['text'],
    form: '$type(F) = "string" and $substring(F, $length(F) - $length(V)) = V',
  },
  {
    operator: 'ends_with',
    form: '$type(F) = "string" and $type(V) = "string" and $substring(F, $length(F) - $length(V)) = V',
  },
  ...both('is_not_null', 'is_null', undefined, '$exists(F) and F != null'),
  ...both('is_not_empty', 'is_empty', undefined, '$exists(F) and $not(F in [null, ""]) and F != [] and F != {}'),
];

const kindOf = (operand: Operand): ValueKind => {
  if ('path' in operand) return 'path';
  if (typeof operand.fixed === 'number') return 'number';
  return typeof operand.fixed === 'string' ? 'text' : 'other';
};

/** Whether a form is for a value. */
export const isFor = ({ values }: RuleForm, value: Operand | undefined): boolean =>
  value === undefined || !values || values.includes(kindOf(value));
