import type { RuleOperand, RuleOperator, ComparisonRule } from './rule-model';

/** `texts`: a list of texts only; `pair`: a list of two numbers or two texts. */
type RuleValueKind = 'number' | 'text' | 'texts' | 'pair of numbers' | 'pair of texts' | 'other' | 'path';

/**
 * How a rule is written in a language: `F` is the field, `V` the value. Of a pair of values `V` is the first, `W` the
 * second. `P` is a regular expression.
 */
export interface LanguageRuleForm {
  operator: RuleOperator;
  /** The kinds of values that the form is for; absent: all. */
  values?: readonly RuleValueKind[];
  form: string;
  /** The form is read, but not written: it fails where the written one is false. */
  isReadOnly?: true;
  /** The form ignores the case of letters. Patterns have a flag for that instead. */
  ignoreCase?: true;
}

const orderingForms = (operator: RuleOperator, sign: string, mirrored: string): LanguageRuleForm[] => [
  { operator, values: ['number'], form: `$type(F) = "number" and F ${sign} V` },
  { operator, values: ['text'], form: `$type(F) = "string" and F ${sign} V` },
  { operator, form: `$type(F) = $type(V) and $type(F) in ["number", "string"] and F ${sign} V` },
  { operator, form: `F ${sign} V`, isReadOnly: true },
  { operator, form: `V ${mirrored} F`, isReadOnly: true },
];

const formAndNegation = (
  operator: RuleOperator,
  negated: RuleOperator,
  values: LanguageRuleForm['values'],
  form: string,
  isReadOnly?: true,
): LanguageRuleForm[] => [
  { operator, values, form, isReadOnly },
  { operator: negated, values, form: `$not(${form})`, isReadOnly },
];

/** Forms for a text and for a field, which may be no text. */
const ignoreCaseForms = (
  operator: RuleOperator,
  negated: RuleOperator | undefined,
  form: string,
): LanguageRuleForm[] => {
  const texts = { values: ['text'], form: `$type(F) = "string" and ${form}` } as const;
  const fields = { values: ['path'], form: `$type(F) = "string" and $type(V) = "string" and ${form}` } as const;
  return [texts, fields].flatMap(({ values, form: whole }): LanguageRuleForm[] => [
    { operator, values, form: whole, ignoreCase: true },
    ...(negated ? [{ operator: negated, values, form: `$not(${whole})`, ignoreCase: true } as const] : []),
  ]);
};

/**
 * The forms of all rules, for writing and reading. They are true, or not, for every value: a missing field, null and a
 * value of another type do not match, and never fail. The results equal those of the `filter` node.
 */
export const JSONATA_RULE_FORMS: readonly LanguageRuleForm[] = [
  ...formAndNegation('eq', 'ne', undefined, 'F = V'),
  ...orderingForms('lt', '<', '>'),
  ...orderingForms('lte', '<=', '>='),
  ...orderingForms('gt', '>', '<'),
  ...orderingForms('gte', '>=', '<='),
  { operator: 'between', values: ['pair of numbers'], form: '$type(F) = "number" and F >= V and F <= W' },
  { operator: 'between', values: ['pair of texts'], form: '$type(F) = "string" and F >= V and F <= W' },
  ...formAndNegation('in', 'not_in', undefined, 'F in V'),
  ...formAndNegation('contains', 'not_contains', ['text'], '$type(F) = "string" ? $contains(F, V) : V in F'),
  ...formAndNegation(
    'contains',
    'not_contains',
    ['path'],
    '$type(F) = "string" and $type(V) = "string" ? $contains(F, V) : V in F',
  ),
  ...formAndNegation('contains', 'not_contains', ['number', 'other'], '$type(F) = "array" and V in F'),
  ...formAndNegation('contains', 'not_contains', undefined, 'V in F', true),
  ...formAndNegation('contains', 'not_contains', ['text', 'path'], '$contains(F, V)', true),
  ...formAndNegation('matches', 'not_matches', undefined, '$type(F) = "string" and $contains(F, P)'),
  ...formAndNegation('matches', 'not_matches', undefined, '$contains(F, P)', true),
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
  ...ignoreCaseForms('eq', 'ne', '$lowercase(F) = $lowercase(V)'),
  ...ignoreCaseForms('contains', 'not_contains', '$contains($lowercase(F), $lowercase(V))'),
  ...ignoreCaseForms('starts_with', undefined, '$lowercase($substring(F, 0, $length(V))) = $lowercase(V)'),
  ...ignoreCaseForms('ends_with', undefined, '$lowercase($substring(F, $length(F) - $length(V))) = $lowercase(V)'),
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
  ...formAndNegation('is_not_null', 'is_null', undefined, '$exists(F) and F != null'),
  ...formAndNegation(
    'is_not_empty',
    'is_empty',
    undefined,
    '$exists(F) and $not(F in [null, ""]) and F != [] and F != {}',
  ),
];

const areAllOfType = (values: readonly unknown[], type: 'string' | 'number') =>
  values.every((one) => typeof one === type);

function operandKinds(operand: RuleOperand): RuleValueKind[] {
  if ('path' in operand) return ['path'];
  const { fixed } = operand;
  if (typeof fixed === 'number') return ['number'];
  if (typeof fixed === 'string') return ['text'];
  const list: unknown[] = Array.isArray(fixed) ? fixed : [];
  return [
    'other',
    ...(list.length > 0 && areAllOfType(list, 'string') ? (['texts'] as const) : []),
    ...(list.length === 2 && areAllOfType(list, 'string') ? (['pair of texts'] as const) : []),
    ...(list.length === 2 && areAllOfType(list, 'number') ? (['pair of numbers'] as const) : []),
  ];
}

/** Whether a form is for a value. */
export const isFormForValue = ({ values }: LanguageRuleForm, value: RuleOperand | undefined): boolean =>
  value === undefined || !values || operandKinds(value).some((kind) => values.includes(kind));

/**
 * The form that a rule is written in; undefined: it can’t be written, such as a list of numbers without regard to case.
 * The forms of both languages are for the same rules.
 */
export const findWritingForm = (
  { operator, value, ignoreCase }: ComparisonRule,
  forms: readonly LanguageRuleForm[] = JSONATA_RULE_FORMS,
): LanguageRuleForm | undefined =>
  forms.find(
    (form) =>
      form.operator === operator &&
      !form.isReadOnly &&
      (form.ignoreCase === ignoreCase || isPatternOperator(operator)) &&
      isFormForValue(form, value),
  );

export const isPatternOperator = (operator: RuleOperator): boolean =>
  operator === 'matches' || operator === 'not_matches';
