import { IGNORE_CASE_OPERATORS } from '@/contract/workflows/rule-operators';
import { isPatternOperator } from './rule-forms';
import { needsOperand, type RuleOperand, type RuleOperator, type ComparisonRule } from './rule-model';

/** The type of what is compared. It decides which operators are offered first, and the control of the value. */
export type ComparedValueType = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'presence';

/** One operator as it is offered. */
export interface RuleOperatorChoice {
  type: ComparedValueType;
  operator: RuleOperator;
  label: string;
  /** The value that belongs to it. */
  fixed?: boolean;
}

const operatorChoices = (
  type: ComparedValueType,
  all: readonly (readonly [RuleOperator, string, boolean?])[],
): RuleOperatorChoice[] => all.map(([operator, label, fixed]) => ({ type, operator, label, fixed }));

const LIST_MEMBERSHIP_CHOICES = [
  ['in', 'is one of'],
  ['not_in', 'is none of'],
] as const;
const EMPTINESS_CHOICES = [
  ['is_empty', 'is empty'],
  ['is_not_empty', 'is not empty'],
] as const;
const CONTAINS_CHOICES = [
  ['contains', 'contains'],
  ['not_contains', 'does not contain'],
] as const;

const BETWEEN_CHOICE = ['between', 'is between'] as const;

const CHOICES_BY_TYPE: Record<ComparedValueType, RuleOperatorChoice[]> = {
  text: operatorChoices('text', [
    ['eq', 'is'],
    ['ne', 'is not'],
    ...CONTAINS_CHOICES,
    ['starts_with', 'begins with'],
    ['ends_with', 'ends with'],
    ['matches', 'matches pattern'],
    ['not_matches', 'does not match pattern'],
    ...LIST_MEMBERSHIP_CHOICES,
    ...EMPTINESS_CHOICES,
  ]),
  number: operatorChoices('number', [
    ['eq', 'equals'],
    ['ne', 'does not equal'],
    ['gt', 'is greater than'],
    ['gte', 'is at least'],
    ['lt', 'is less than'],
    ['lte', 'is at most'],
    BETWEEN_CHOICE,
    ...LIST_MEMBERSHIP_CHOICES,
  ]),
  boolean: operatorChoices('boolean', [
    ['eq', 'is true', true],
    ['eq', 'is false', false],
  ]),
  date: operatorChoices('date', [
    ['lt', 'is before'],
    ['lte', 'is at or before'],
    ['gt', 'is after'],
    ['gte', 'is at or after'],
    BETWEEN_CHOICE,
  ]),
  list: operatorChoices('list', [...CONTAINS_CHOICES, ...EMPTINESS_CHOICES]),
  presence: operatorChoices('presence', [
    ['is_not_null', 'has a value'],
    ['is_null', 'has no value'],
  ]),
};

const COMPARED_TYPE_LABELS: Record<ComparedValueType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  list: 'List',
  presence: 'Any type',
};

export const operatorChoiceKey = ({ type, operator, fixed }: RuleOperatorChoice): string =>
  [type, operator, fixed ?? ''].join(' ');

/** The operators in groups: first those for the type of the field. `only`: those that are offered; absent: all. */
export const groupOperatorChoices = (
  first: ComparedValueType,
  only?: readonly RuleOperator[],
): { group: string; items: { value: string; label: string }[] }[] =>
  (Object.keys(CHOICES_BY_TYPE) as ComparedValueType[])
    .sort((one, other) => Number(other === first) - Number(one === first))
    .map((type) => ({
      group: COMPARED_TYPE_LABELS[type],
      items: CHOICES_BY_TYPE[type]
        .filter(({ operator }) => !only || only.includes(operator))
        .map((choice) => ({ value: operatorChoiceKey(choice), label: choice.label })),
    }))
    .filter(({ items }) => items.length > 0);

export const findChoiceByKey = (key: string): RuleOperatorChoice | undefined =>
  Object.values(CHOICES_BY_TYPE)
    .flat()
    .find((choice) => operatorChoiceKey(choice) === key);

const ISO_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(?:$|T\d{2}:\d{2})/;

/** The type of an example value; undefined: it says nothing. */
export function comparedTypeName(example: unknown): ComparedValueType | undefined {
  if (Array.isArray(example)) return 'list';
  if (typeof example === 'number' || typeof example === 'boolean') return typeof example as 'number' | 'boolean';
  if (typeof example !== 'string') return undefined;
  return ISO_DATE_PATTERN.test(example) ? 'date' : 'text';
}

/** A rule that may lack its field or value. `type` is set when an operator was chosen. */
export type ComparisonRuleDraft = Omit<ComparisonRule, 'field'> & { field?: string; type?: ComparedValueType };

const ORDERING_OPERATORS: readonly RuleOperator[] = ['lt', 'lte', 'gt', 'gte', 'between'];

/** The choice that a rule shows. */
export function displayedChoice(
  { operator, value, type }: ComparisonRuleDraft,
  example: unknown,
): RuleOperatorChoice | undefined {
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  const one: unknown = Array.isArray(fixed) ? fixed[0] : fixed;
  const known = comparedTypeName(one);
  const wanted: (ComparedValueType | undefined)[] = [
    ORDERING_OPERATORS.includes(operator) && typeof one === 'string' ? 'date' : undefined,
    known === 'text' || known === 'date' ? undefined : known,
    type,
    comparedTypeName(example),
    'text',
    'number',
    'list',
    'presence',
  ];
  return wanted
    .flatMap((each) => (each ? CHOICES_BY_TYPE[each] : []))
    .find((choice) => choice.operator === operator && (choice.fixed === undefined || choice.fixed === fixed));
}

/** The operator for a field that was just picked. */
export const defaultChoice = (example: unknown): RuleOperatorChoice | undefined =>
  CHOICES_BY_TYPE[comparedTypeName(example) ?? 'text'][0];

const finiteNumberOrNone = (value: unknown): number | undefined =>
  value === undefined || value === '' || value === null || !Number.isFinite(Number(value)) ? undefined : Number(value);

function convertToType(value: unknown, type: ComparedValueType): unknown {
  if (value === undefined) return undefined;
  if (type === 'number') return finiteNumberOrNone(value);
  if (type === 'list') return value;
  if (type === 'date') return typeof value === 'string' && ISO_DATE_PATTERN.test(value) ? value : undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function convertFixedValue(value: unknown, { type, operator }: RuleOperatorChoice): unknown {
  const all = (Array.isArray(value) ? value : [value]).map((each: unknown) => convertToType(each, type));
  const known = all.filter((each) => each !== undefined);
  if (operator === 'between') return known.length > 0 ? [known[0], known[1]] : undefined;
  if (operator !== 'in' && operator !== 'not_in') return known[0];
  return known.length > 0 ? known : undefined;
}

/** A rule with another operator. Its value is kept as far as it has the type. */
export function applyOperatorChoice(
  { field, value, ignoreCase }: ComparisonRuleDraft,
  choice: RuleOperatorChoice,
): ComparisonRuleDraft {
  const { type, operator, fixed } = choice;
  const rule = { field, operator, type, ...(ignoreCase && supportsIgnoreCase(choice) && { ignoreCase }) };
  if (!needsOperand(operator)) return rule;
  if (fixed !== undefined) return { ...rule, value: { fixed } };
  if (value && 'path' in value) return acceptsFieldOperand(operator) ? { ...rule, value } : rule;
  const next = convertFixedValue(value?.fixed, choice);
  return next === undefined ? rule : { ...rule, value: { fixed: next } };
}

/** Whether the case of letters can be ignored. */
export const supportsIgnoreCase = ({ type, operator }: Pick<RuleOperatorChoice, 'type' | 'operator'>): boolean =>
  type === 'text' && IGNORE_CASE_OPERATORS.includes(operator);

/** Whether the value can be another field. */
export const acceptsFieldOperand = (operator: RuleOperator): boolean =>
  operator !== 'between' && !isPatternOperator(operator);

/** A value that a control holds; undefined: the field is empty. */
export const operandFromInput = (fixed: unknown): RuleOperand | undefined =>
  fixed === undefined || fixed === '' || (Array.isArray(fixed) && fixed.length === 0) ? undefined : { fixed };
