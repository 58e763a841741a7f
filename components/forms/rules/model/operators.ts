import { CASE_OPERATORS } from '@/contract/workflows/rule-operators';
import { isPattern } from './forms';
import { takesValue, type Operand, type Operator, type Rule } from './rules';

/** The type of what is compared. It decides which operators are offered first, and the control of the value. */
export type ValueType = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'presence';

/** One operator as it is offered. */
export interface OperatorChoice {
  type: ValueType;
  operator: Operator;
  label: string;
  /** The value that belongs to it. */
  fixed?: boolean;
}

const choices = (type: ValueType, all: readonly (readonly [Operator, string, boolean?])[]): OperatorChoice[] =>
  all.map(([operator, label, fixed]) => ({ type, operator, label, fixed }));

const LISTED = [
  ['in', 'is one of'],
  ['not_in', 'is none of'],
] as const;
const EMPTY = [
  ['is_empty', 'is empty'],
  ['is_not_empty', 'is not empty'],
] as const;
const CONTAINS = [
  ['contains', 'contains'],
  ['not_contains', 'does not contain'],
] as const;

const BETWEEN = ['between', 'is between'] as const;

const CHOICES: Record<ValueType, OperatorChoice[]> = {
  text: choices('text', [
    ['eq', 'is'],
    ['ne', 'is not'],
    ...CONTAINS,
    ['starts_with', 'begins with'],
    ['ends_with', 'ends with'],
    ['matches', 'matches pattern'],
    ['not_matches', 'does not match pattern'],
    ...LISTED,
    ...EMPTY,
  ]),
  number: choices('number', [
    ['eq', 'equals'],
    ['ne', 'does not equal'],
    ['gt', 'is greater than'],
    ['gte', 'is at least'],
    ['lt', 'is less than'],
    ['lte', 'is at most'],
    BETWEEN,
    ...LISTED,
  ]),
  boolean: choices('boolean', [
    ['eq', 'is true', true],
    ['eq', 'is false', false],
  ]),
  date: choices('date', [
    ['lt', 'is before'],
    ['lte', 'is at or before'],
    ['gt', 'is after'],
    ['gte', 'is at or after'],
    BETWEEN,
  ]),
  list: choices('list', [...CONTAINS, ...EMPTY]),
  presence: choices('presence', [
    ['is_not_null', 'has a value'],
    ['is_null', 'has no value'],
  ]),
};

const LABELS: Record<ValueType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  list: 'List',
  presence: 'Any type',
};

export const keyOf = ({ type, operator, fixed }: OperatorChoice): string => [type, operator, fixed ?? ''].join(' ');

/** The operators in groups: first those for the type of the field. `only`: those that are offered; absent: all. */
export const operatorGroups = (
  first: ValueType,
  only?: readonly Operator[],
): { group: string; items: { value: string; label: string }[] }[] =>
  (Object.keys(CHOICES) as ValueType[])
    .sort((one, other) => Number(other === first) - Number(one === first))
    .map((type) => ({
      group: LABELS[type],
      items: CHOICES[type]
        .filter(({ operator }) => !only || only.includes(operator))
        .map((choice) => ({ value: keyOf(choice), label: choice.label })),
    }))
    .filter(({ items }) => items.length > 0);

export const choiceOf = (key: string): OperatorChoice | undefined =>
  Object.values(CHOICES)
    .flat()
    .find((choice) => keyOf(choice) === key);

const DATE = /^\d{4}-\d{2}-\d{2}(?:$|T\d{2}:\d{2})/;

/** The type of an example value; undefined: it says nothing. */
export function typeOf(example: unknown): ValueType | undefined {
  if (Array.isArray(example)) return 'list';
  if (typeof example === 'number' || typeof example === 'boolean') return typeof example as 'number' | 'boolean';
  if (typeof example !== 'string') return undefined;
  return DATE.test(example) ? 'date' : 'text';
}

/** A rule that may lack its field or value. `type` is set when an operator was chosen. */
export type RuleDraft = Omit<Rule, 'field'> & { field?: string; type?: ValueType };

const ORDER: readonly Operator[] = ['lt', 'lte', 'gt', 'gte', 'between'];

/** The choice that a rule shows. */
export function shownChoice({ operator, value, type }: RuleDraft, example: unknown): OperatorChoice | undefined {
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  const one: unknown = Array.isArray(fixed) ? fixed[0] : fixed;
  const known = typeOf(one);
  const wanted: (ValueType | undefined)[] = [
    ORDER.includes(operator) && typeof one === 'string' ? 'date' : undefined,
    known === 'text' || known === 'date' ? undefined : known,
    type,
    typeOf(example),
    'text',
    'number',
    'list',
    'presence',
  ];
  return wanted
    .flatMap((each) => (each ? CHOICES[each] : []))
    .find((choice) => choice.operator === operator && (choice.fixed === undefined || choice.fixed === fixed));
}

/** The operator for a field that was just picked. */
export const firstChoice = (example: unknown): OperatorChoice | undefined => CHOICES[typeOf(example) ?? 'text'][0];

const asNumber = (value: unknown): number | undefined =>
  value === undefined || value === '' || value === null || !Number.isFinite(Number(value)) ? undefined : Number(value);

function asType(value: unknown, type: ValueType): unknown {
  if (value === undefined) return undefined;
  if (type === 'number') return asNumber(value);
  if (type === 'list') return value;
  if (type === 'date') return typeof value === 'string' && DATE.test(value) ? value : undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fixedFor(value: unknown, { type, operator }: OperatorChoice): unknown {
  const all = (Array.isArray(value) ? value : [value]).map((each: unknown) => asType(each, type));
  const known = all.filter((each) => each !== undefined);
  if (operator === 'between') return known.length > 0 ? [known[0], known[1]] : undefined;
  if (operator !== 'in' && operator !== 'not_in') return known[0];
  return known.length > 0 ? known : undefined;
}

/** A rule with another operator. Its value is kept as far as it has the type. */
export function withChoice({ field, value, ignoreCase }: RuleDraft, choice: OperatorChoice): RuleDraft {
  const { type, operator, fixed } = choice;
  const rule = { field, operator, type, ...(ignoreCase && canIgnoreCase(choice) && { ignoreCase }) };
  if (!takesValue(operator)) return rule;
  if (fixed !== undefined) return { ...rule, value: { fixed } };
  if (value && 'path' in value) return takesField(operator) ? { ...rule, value } : rule;
  const next = fixedFor(value?.fixed, choice);
  return next === undefined ? rule : { ...rule, value: { fixed: next } };
}

/** Whether the case of letters can be ignored. */
export const canIgnoreCase = ({ type, operator }: Pick<OperatorChoice, 'type' | 'operator'>): boolean =>
  type === 'text' && CASE_OPERATORS.includes(operator);

/** Whether the value can be another field. */
export const takesField = (operator: Operator): boolean => operator !== 'between' && !isPattern(operator);

/** A value that a control holds; undefined: the field is empty. */
export const operandOf = (fixed: unknown): Operand | undefined =>
  fixed === undefined || fixed === '' || (Array.isArray(fixed) && fixed.length === 0) ? undefined : { fixed };
