import type { Operand, Operator, Rule } from './rules';

/** `texts`: a list of texts only; `pair`: a list of two numbers or two texts. */
type ValueKind = 'number' | 'text' | 'texts' | 'pair of numbers' | 'pair of texts' | 'other' | 'path';

/**
 * How a rule is written in JSONata: `F` is the field, `V` the value. Of a pair of values `V` is the first, `W` the second. `P` is a regular
 * expression.
 */
export interface RuleForm {
  operator: Operator;
  /** The kinds of values that the form is for; absent: all. */
  values?: readonly ValueKind[];
  form: string;
  /** The form is read, but not written: it fails where the written one is false. */
  isReadOnly?: true;
  /** The form ignores the case of letters. Patterns have a flag for that instead. */
  ignoreCase?: true;
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

/** Forms for a text and for a field, which may be no text. */
const inSmall = (operator: Operator, negated: Operator | undefined, form: string): RuleForm[] => {
  const texts = { values: ['text'], form: `$type(F) = "string" and ${form}` } as const;
  const fields = { values: ['path'], form: `$type(F) = "string" and $type(V) = "string" and ${form}` } as const;
  return [texts, fields].flatMap(({ values, form: whole }): RuleForm[] => [
    { operator, values, form: whole, ignoreCase: true },
    ...(negated ? [{ operator: negated, values, form: `$not(${whole})`, ignoreCase: true } as const] : []),
  ]);
};

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
  { operator: 'between', values: ['pair of numbers'], form: '$type(F) = "number" and F >= V and F <= W' },
  { operator: 'between', values: ['pair of texts'], form: '$type(F) = "string" and F >= V and F <= W' },
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
  ...both('matches', 'not_matches', undefined, '$type(F) = "string" and $contains(F, P)'),
  ...both('matches', 'not_matches', undefined, '$contains(F, P)', true),
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
  ...inSmall('eq', 'ne', '$lowercase(F) = $lowercase(V)'),
  ...inSmall('contains', 'not_contains', '$contains($lowercase(F), $lowercase(V))'),
  ...inSmall('starts_with', undefined, '$lowercase($substring(F, 0, $length(V))) = $lowercase(V)'),
  ...inSmall('ends_with', undefined, '$lowercase($substring(F, $length(F) - $length(V))) = $lowercase(V)'),
  {
    operator: 'in',
    values: ['texts'],
    form: '$type(F) = "string" and $lowercase(F) in $map(V, $lowercase)',
    ignoreCase: true,
  },
  {
    operator: 'not_in',
    values: ['texts'],
    form: '$not($type(F) = "string" and $lowercase(F) in $map(V, $lowercase))',
    ignoreCase: true,
  },
  ...both('is_not_null', 'is_null', undefined, '$exists(F) and F != null'),
  ...both('is_not_empty', 'is_empty', undefined, '$exists(F) and $not(F in [null, ""]) and F != [] and F != {}'),
];

const areAll = (values: readonly unknown[], type: 'string' | 'number') => values.every((one) => typeof one === type);

function kindsOf(operand: Operand): ValueKind[] {
  if ('path' in operand) return ['path'];
  const { fixed } = operand;
  if (typeof fixed === 'number') return ['number'];
  if (typeof fixed === 'string') return ['text'];
  const list: unknown[] = Array.isArray(fixed) ? fixed : [];
  return [
    'other',
    ...(list.length > 0 && areAll(list, 'string') ? (['texts'] as const) : []),
    ...(list.length === 2 && areAll(list, 'string') ? (['pair of texts'] as const) : []),
    ...(list.length === 2 && areAll(list, 'number') ? (['pair of numbers'] as const) : []),
  ];
}

/** Whether a form is for a value. */
export const isFor = ({ values }: RuleForm, value: Operand | undefined): boolean =>
  value === undefined || !values || kindsOf(value).some((kind) => values.includes(kind));

/** The form that a rule is written in; undefined: it can’t be written, such as a list of numbers without regard to case. */
export const formOf = ({ operator, value, ignoreCase }: Rule): RuleForm | undefined =>
  FORMS.find(
    (form) =>
      form.operator === operator &&
      !form.isReadOnly &&
      (form.ignoreCase === ignoreCase || isPattern(operator)) &&
      isFor(form, value),
  );

export const isPattern = (operator: Operator): boolean => operator === 'matches' || operator === 'not_matches';
