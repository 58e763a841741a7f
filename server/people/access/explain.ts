import type { PermissionReason, RolePermission } from '@/contract/access/role';
import type { PermissionAction, ScopedPermission, PermissionResource } from '@/contract/access/security';
import type { PermissionCondition } from '@/contract/access/condition';
import { permissionCovers, isConditionMet, isGrantedOn, type AccessSubject } from './conditions';
import type { WorkspaceRole } from './roles';

/** A role that a member holds, in the whole workspace or on one object. */
export interface RoleGrant {
  roleId: string;
  on: NonNullable<ScopedPermission['on']> | null;
}

export interface AccessQuestion {
  resource: PermissionResource;
  action: PermissionAction;
  /** The object in question; null: any object. */
  subject: AccessSubject | null;
  user: { userId: string; email: string };
}

/**
 * Every permission that covers the action, with the chain of roles that it comes from and the reason why it does not
 * apply, if so. Permissions that apply come first.
 */
export function explainAccess(
  roles: readonly WorkspaceRole[],
  assignments: readonly RoleGrant[],
  question: AccessQuestion,
): PermissionReason[] {
  const reasons = assignments.flatMap(({ roleId, on }) =>
    inheritancePaths(roles, roleId).flatMap(({ role, path }) =>
      role.permissions
        .filter((permission) => permissionCovers(permission, question.resource, question.action))
        .map((permission) => ({ path, permission, on, failed: unmetRequirements(permission, on, question) })),
    ),
  );
  return reasons.sort((one, other) => one.failed.length - other.failed.length);
}

/** A role and all roles that it inherits from, each with the first path that leads there. */
function inheritancePaths(roles: readonly WorkspaceRole[], roleId: string): { role: WorkspaceRole; path: string[] }[] {
  const found = new Map<string, { role: WorkspaceRole; path: string[] }>();
  const visit = (id: string, before: string[]): void => {
    const role = roles.find((one) => one.id === id);
    if (!role || found.has(id)) return;
    const path = [...before, role.name];
    found.set(id, { role, path });
    role.inherits.forEach((parent) => visit(parent, path));
  };
  visit(roleId, []);
  return [...found.values()];
}

function unmetRequirements(
  permission: RolePermission,
  on: RoleGrant['on'],
  { resource, subject, user }: AccessQuestion,
): string[] {
  const failed: string[] = [];
  if (on && (!subject || !isGrantedOn(on, resource, subject)))
    failed.push(`The role is held on ${on.type} ${on.id} only.`);
  for (const condition of permission.conditions ?? []) {
    if (!subject || !isConditionMet(condition, user, subject))
      failed.push(`Condition not met: ${conditionSentence(condition)}.`);
  }
  return failed;
}

const conditionSentence = ({ attribute, operator, value, valueFrom }: PermissionCondition): string =>
  `${attribute} ${operator} ${valueFrom ?? JSON.stringify(value)}`;
