import { ConditionAttribute, type PermissionCondition } from '@/contract/access/condition';

/** A comparison in the form, with its value as text. */
export interface ConditionDraft {
  attribute: ConditionAttribute;
  operator: PermissionCondition['operator'];
  value: string;
}

export const INITIAL_CONDITION: ConditionDraft = {
  attribute: 'resource.createdBy',
  operator: 'eq',
  value: 'caller.id',
};

export const OPERATOR_OPTIONS: { value: PermissionCondition['operator']; label: string }[] = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'in', label: 'is one of' },
];

const ATTRIBUTE_LABELS: Record<ConditionAttribute, string> = {
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

export const ATTRIBUTE_OPTIONS = ConditionAttribute.options.map((value) => ({ value, label: ATTRIBUTE_LABELS[value] }));

/** The value is another attribute, a list for `in`, or a literal. */
export function toCondition({ attribute, operator, value }: ConditionDraft): PermissionCondition {
  const text = value.trim();
  if (operator === 'in') return { attribute, operator, value: text.split(',').map((entry) => entry.trim()) };
  const other = ConditionAttribute.safeParse(text);
  return other.success ? { attribute, operator, valueFrom: other.data } : { attribute, operator, value: text };
}

/** "its creator is the caller’s id", "its status is one of draft, paused". */
export function writeCondition({ attribute, operator, value, valueFrom }: PermissionCondition): string {
  const verb = OPERATOR_OPTIONS.find((each) => each.value === operator)?.label ?? operator;
  const right = valueFrom ? ATTRIBUTE_LABELS[valueFrom] : Array.isArray(value) ? value.join(', ') : `“${value}”`;
  return `${ATTRIBUTE_LABELS[attribute]} ${verb} ${right}`;
}
