import type { Condition, ConditionAttribute } from '@/contract/access/condition';
import type { Action, Permission, Resource } from '@/contract/access/security';
import type { Person } from './caller';

export type Scalar = string | number | boolean | null;

/** Attributes of the object that a call is about, by the names that conditions use. */
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

type User = Pick<Person, 'userId' | 'email'>;

export function attributeOf(attribute: ConditionAttribute, user: User, subject: Subject): Scalar | undefined {
  const [root, name = ''] = attribute.split('.');
  if (root === 'caller') return name === 'id' ? user.userId : user.email;
  return subject[name as keyof Subject];
}

/** Whether a condition holds. A missing attribute makes every condition fail, `ne` included. */
export function holds(condition: Condition, user: User, subject: Subject): boolean {
  const left = attributeOf(condition.attribute, user, subject);
  const right = condition.valueFrom ? attributeOf(condition.valueFrom, user, subject) : condition.value;
  if (left === undefined || right === undefined) return false;
  if (condition.operator === 'in') return Array.isArray(right) && right.includes(left);
  return condition.operator === 'eq' ? left === right : left !== right;
}

/** Whether an object is, or belongs to, the object that a permission was granted on. */
export const isOn = (on: Permission['on'], resource: Resource, subject: Subject): boolean =>
  !on || (on.type === resource && on.id === subject.id) || (on.type === 'workflow' && on.id === subject.workflowId);

/** Whether a permission covers the action, conditions not considered. */
export const covers = (permission: Permission, resource: Resource | '*', action: Action | '*'): boolean =>
  (permission.resource === '*' || permission.resource === resource) &&
  (permission.action === '*' || permission.action === action);

/** Whether a permission allows the action on this object. */
export const permits = (
  permission: Permission,
  resource: Resource,
  action: Action,
  user: User,
  subject: Subject,
): boolean =>
  covers(permission, resource, action) &&
  isOn(permission.on, resource, subject) &&
  (permission.conditions ?? []).every((condition) => holds(condition, user, subject));

/**
 * The rule of access to one object: whether any permission of the user allows the action on it. Lists apply the same
 * rule as a filter (`visibleTo`).
 */
export const can = (
  user: User & { permissions: readonly Permission[] },
  action: Action,
  resource: Resource,
  subject: Subject,
): boolean => user.permissions.some((permission) => permits(permission, resource, action, user, subject));

/**
 * The intersection of two permissions: `permission`, restricted to `limit`. Conditions and scope come from
 * `permission`.
 */
export function meet(permission: Permission, limit: Permission): Permission | null {
  const resource = narrower(permission.resource, limit.resource);
  const action = narrower(permission.action, limit.action);
  return resource && action ? { ...permission, resource, action } : null;
}

const narrower = <Word extends string>(one: Word | '*', other: Word | '*'): Word | '*' | null => {
  if (one === '*' || one === other) return other;
  return other === '*' ? one : null;
};
