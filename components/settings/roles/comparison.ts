import { ConditionAttribute, type Condition } from '@/contract/access/condition';

/** A comparison in the form, with its value as text. */
export interface Comparison {
  attribute: ConditionAttribute;
  operator: Condition['operator'];
  value: string;
}

export const FIRST: Comparison = { attribute: 'resource.createdBy', operator: 'eq', value: 'caller.id' };

export const OPERATORS: { value: Condition['operator']; label: string }[] = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'in', label: 'is one of' },
];

const ATTRIBUTE_WORDS: Record<ConditionAttribute, string> = {
  'caller.id': 'the caller’s id',
  'caller.email': 'the caller’s email',
  'resource.id': 'its id',
  'resource.name': 'its name',
  'resource.status': 'its status',
  'resource.type': 'its type',
  'resource.createdBy': 'its creator',
  'resource.workflowId': 'its workflow',
  'resource.connectorId': 'its connector',
  'resource.trigger': 'its trigger',
};

export const ATTRIBUTES = ConditionAttribute.options.map((value) => ({ value, label: ATTRIBUTE_WORDS[value] }));

/** The value is another attribute, a list for `in`, or a literal. */
export function conditionOf({ attribute, operator, value }: Comparison): Condition {
  const text = value.trim();
  if (operator === 'in') return { attribute, operator, value: text.split(',').map((entry) => entry.trim()) };
  const other = ConditionAttribute.safeParse(text);
  return other.success ? { attribute, operator, valueFrom: other.data } : { attribute, operator, value: text };
}

/** "its creator is the caller’s id", "its status is one of draft, paused". */
export function conditionText({ attribute, operator, value, valueFrom }: Condition): string {
  const verb = OPERATORS.find((each) => each.value === operator)?.label ?? operator;
  const right = valueFrom ? ATTRIBUTE_WORDS[valueFrom] : Array.isArray(value) ? value.join(', ') : `“${value}”`;
  return `${ATTRIBUTE_WORDS[attribute]} ${verb} ${right}`;
}
