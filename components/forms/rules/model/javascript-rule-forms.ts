import type { LanguageRuleForm } from './rule-forms';
import type { RuleOperator } from './rule-model';

const orderingForms = (operator: RuleOperator, sign: string, mirrored: string): LanguageRuleForm[] => [
  { operator, values: ['number'], form: `typeof F === "number" && F ${sign} V` },
  { operator, values: ['text'], form: `typeof F === "string" && F ${sign} V` },
  { operator, form: `typeof F === typeof V && ["number", "string"].includes(typeof F) && F ${sign} V` },
  { operator, form: `F ${sign} V`, isReadOnly: true },
  { operator, form: `V ${mirrored} F`, isReadOnly: true },
];

const formAndNegation = (
  operator: RuleOperator,
  negated: RuleOperator | undefined,
  values: LanguageRuleForm['values'],
  form: string,
  marks: Pick<LanguageRuleForm, 'isReadOnly' | 'ignoreCase'> = {},
): LanguageRuleForm[] => [
  { operator, values, form, ...marks },
  ...(negated ? [{ operator: negated, values, form: `!(${form})`, ...marks }] : []),
];

/** Forms of a method of texts: with a text, with a field that may be no text, and without checks for reading. */
const textMethodForms = (operator: RuleOperator, method: string): LanguageRuleForm[] => [
  { operator, values: ['text'], form: `typeof F === "string" && F.${method}(V)` },
  { operator, form: `typeof F === "string" && typeof V === "string" && F.${method}(V)` },
  { operator, values: ['text', 'path'], form: `F.${method}(V)`, isReadOnly: true },
];

const ignoreCaseForms = (
  operator: RuleOperator,
  negated: RuleOperator | undefined,
  form: string,
): LanguageRuleForm[] => [
  ...formAndNegation(operator, negated, ['text'], `typeof F === "string" && ${form}`, { ignoreCase: true }),
  ...formAndNegation(operator, negated, ['path'], `typeof F === "string" && typeof V === "string" && ${form}`, {
    ignoreCase: true,
  }),
];

/**
 * The forms of all rules in JavaScript, for writing and reading. As in JSONata they are true, or not, for every value:
 * a missing field, null and a value of another type do not match, and never fail.
 */
export const JAVASCRIPT_RULE_FORMS: readonly LanguageRuleForm[] = [
  { operator: 'eq', form: 'F === V' },
  { operator: 'ne', form: 'F !== V' },
  ...orderingForms('lt', '<', '>'),
  ...orderingForms('lte', '<=', '>='),
  ...orderingForms('gt', '>', '<'),
  ...orderingForms('gte', '>=', '<='),
  { operator: 'between', values: ['pair of numbers'], form: 'typeof F === "number" && F >= V && F <= W' },
  { operator: 'between', values: ['pair of texts'], form: 'typeof F === "string" && F >= V && F <= W' },
  ...formAndNegation('in', 'not_in', ['other'], 'V.includes(F)'),
  ...formAndNegation('in', 'not_in', ['path'], 'Array.isArray(V) && V.includes(F)'),
  ...formAndNegation(
    'contains',
    'not_contains',
    ['text'],
    '(typeof F === "string" || Array.isArray(F)) && F.includes(V)',
  ),
  ...formAndNegation('contains', 'not_contains', ['number', 'other'], 'Array.isArray(F) && F.includes(V)'),
  ...formAndNegation(
    'contains',
    'not_contains',
    ['path'],
    '(typeof F === "string" ? typeof V === "string" : Array.isArray(F)) && F.includes(V)',
  ),
  ...formAndNegation('contains', 'not_contains', ['text', 'number'], 'F.includes(V)', { isReadOnly: true }),
  ...formAndNegation('matches', 'not_matches', undefined, 'typeof F === "string" && P.test(F)'),
  ...formAndNegation('matches', 'not_matches', undefined, 'P.test(F)', { isReadOnly: true }),
  ...textMethodForms('starts_with', 'startsWith'),
  ...textMethodForms('ends_with', 'endsWith'),
  ...ignoreCaseForms('eq', 'ne', 'F.toLowerCase() === V.toLowerCase()'),
  ...ignoreCaseForms('contains', 'not_contains', 'F.toLowerCase().includes(V.toLowerCase())'),
  ...ignoreCaseForms('starts_with', undefined, 'F.toLowerCase().startsWith(V.toLowerCase())'),
  ...ignoreCaseForms('ends_with', undefined, 'F.toLowerCase().endsWith(V.toLowerCase())'),
  ...formAndNegation(
    'in',
    'not_in',
    ['texts'],
    'typeof F === "string" && V.map((text) => text.toLowerCase()).includes(F.toLowerCase())',
    { ignoreCase: true },
  ),
  { operator: 'is_null', form: 'F == null' },
  { operator: 'is_not_null', form: 'F != null' },
  ...formAndNegation(
    'is_empty',
    'is_not_empty',
    undefined,
    'F == null || F === "" || (typeof F === "object" && Object.keys(F).length === 0)',
  ),
];
