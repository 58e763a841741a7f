import type { PermissionCondition, ConditionAttribute } from '@/contract/access/condition';
import type { PermissionAction, ScopedPermission, PermissionResource } from '@/contract/access/security';
import type { AuthenticatedPerson } from './caller';

export type AttributeValue = string | number | boolean | null;

/** Attributes of the object that a call is about, by the names that conditions use. */
export interface AccessSubject {
  id?: string;
  name?: string;
  status?: string;
  type?: string;
  createdBy?: string | null;
  workflowId?: string;
  connectorId?: string | null;
  trigger?: string;
}

type ConditionUser = Pick<AuthenticatedPerson, 'userId' | 'email'>;

export function conditionAttribute(
  attribute: ConditionAttribute,
  user: ConditionUser,
  subject: AccessSubject,
): AttributeValue | undefined {
  const [root, name = ''] = attribute.split('.');
  if (root === 'caller') return name === 'id' ? user.userId : user.email;
  return subject[name as keyof AccessSubject];
}

/** Whether a condition holds. A missing attribute makes every condition fail, `ne` included. */
export function isConditionMet(condition: PermissionCondition, user: ConditionUser, subject: AccessSubject): boolean {
  const left = conditionAttribute(condition.attribute, user, subject);
  const right = condition.valueFrom ? conditionAttribute(condition.valueFrom, user, subject) : condition.value;
  if (left === undefined || right === undefined) return false;
  if (condition.operator === 'in') return Array.isArray(right) && right.includes(left);
  return condition.operator === 'eq' ? left === right : left !== right;
}

/** Whether an object is, or belongs to, the object that a permission was granted on. */
export const isGrantedOn = (
  on: ScopedPermission['on'],
  resource: PermissionResource,
  subject: AccessSubject,
): boolean =>
  !on || (on.type === resource && on.id === subject.id) || (on.type === 'workflow' && on.id === subject.workflowId);

/** Whether a permission covers the action, conditions not considered. */
export const permissionCovers = (
  permission: ScopedPermission,
  resource: PermissionResource | '*',
  action: PermissionAction | '*',
): boolean =>
  (permission.resource === '*' || permission.resource === resource) &&
  (permission.action === '*' || permission.action === action);

/** Whether a permission allows the action on this object. */
export const permissionAllows = (
  permission: ScopedPermission,
  resource: PermissionResource,
  action: PermissionAction,
  user: ConditionUser,
  subject: AccessSubject,
): boolean =>
  permissionCovers(permission, resource, action) &&
  isGrantedOn(permission.on, resource, subject) &&
  (permission.conditions ?? []).every((condition) => isConditionMet(condition, user, subject));

/**
 * The rule of access to one object: whether any permission of the user allows the action on it. Lists apply the same
 * rule as a filter (`visibleRowsFilter`).
 */
export const isActionAllowed = (
  user: ConditionUser & { permissions: readonly ScopedPermission[] },
  action: PermissionAction,
  resource: PermissionResource,
  subject: AccessSubject,
): boolean => user.permissions.some((permission) => permissionAllows(permission, resource, action, user, subject));

/**
 * The intersection of two permissions: `permission`, restricted to `limit`. Conditions and scope come from
 * `permission`.
 */
export function intersectPermissions(permission: ScopedPermission, limit: ScopedPermission): ScopedPermission | null {
  const resource = narrowerWord(permission.resource, limit.resource);
  const action = narrowerWord(permission.action, limit.action);
  return resource && action ? { ...permission, resource, action } : null;
}

const narrowerWord = <Word extends string>(one: Word | '*', other: Word | '*'): Word | '*' | null => {
  if (one === '*' || one === other) return other;
  return other === '*' ? one : null;
};
