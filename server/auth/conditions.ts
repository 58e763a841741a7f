import type { Condition, ConditionAttribute } from '@/contract/condition';
import type { Action, Permission, Resource } from '@/contract/security';
import type { Person } from './caller';

export type Scalar = string | number | boolean | null;

/** What is known of the object that a call is about, by the names that conditions use. */
export interface Subject {
  id?: string;
  name?: string;
  status?: string;
  type?: string;
  createdBy?: string | null;
  workflowId?: string;
  connectorId?: string | null;
  trigger?: string;
}

type Who = Pick<Person, 'userId' | 'email'>;

export function attributeOf(attribute: ConditionAttribute, who: Who, subject: Subject): Scalar | undefined {
  const [root, name = ''] = attribute.split('.');
  if (root === 'caller') return name === 'id' ? who.userId : who.email;
  return subject[name as keyof Subject];
}

/** Whether a condition holds. What the object doesn't have can't be compared: the condition fails, `ne` as well. */
export function holds(condition: Condition, who: Who, subject: Subject): boolean {
  const left = attributeOf(condition.attribute, who, subject);
  const right = condition.valueFrom ? attributeOf(condition.valueFrom, who, subject) : condition.value;
  if (left === undefined || right === undefined) return false;
  if (condition.operator === 'in') return Array.isArray(right) && right.includes(left);
  return condition.operator === 'eq' ? left === right : left !== right;
}

/** Whether an object is, or belongs to, the one that a right was given on. */
export const isOn = (on: Permission['on'], resource: Resource, subject: Subject): boolean =>
  !on || (on.type === resource && on.id === subject.id) || (on.type === 'workflow' && on.id === subject.workflowId);

/** Whether a permission speaks of the action at all, conditions aside. */
export const covers = (held: Permission, resource: Resource | '*', action: Action | '*'): boolean =>
  (held.resource === '*' || held.resource === resource) && (held.action === '*' || held.action === action);

/** Whether a permission allows the action on this very object. */
export const permits = (held: Permission, resource: Resource, action: Action, who: Who, subject: Subject): boolean =>
  covers(held, resource, action) &&
  isOn(held.on, resource, subject) &&
  (held.conditions ?? []).every((condition) => holds(condition, who, subject));

/** What both allow: `held`, cut down to `limit`. Conditions and place stay with what is held. */
export function meet(held: Permission, limit: Permission): Permission | null {
  const resource = narrower(held.resource, limit.resource);
  const action = narrower(held.action, limit.action);
  return resource && action ? { ...held, resource, action } : null;
}

const narrower = <Word extends string>(one: Word | '*', other: Word | '*'): Word | '*' | null => {
  if (one === '*' || one === other) return other;
  return other === '*' ? one : null;
};
