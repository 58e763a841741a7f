import type { Reason, RolePermission } from '@/contract/access/role';
import type { Action, Permission, Resource } from '@/contract/access/security';
import type { Condition } from '@/contract/access/condition';
import { covers, holds, isOn, type Subject } from './conditions';
import type { AnyRole } from './roles';

/** A role that a member holds, in the whole workspace or on one object. */
export interface RoleGrant {
  roleId: string;
  on: NonNullable<Permission['on']> | null;
}

export interface Question {
  resource: Resource;
  action: Action;
  /** The object in question; null: any object. */
  subject: Subject | null;
  user: { userId: string; email: string };
}

/**
 * Every permission that covers the action, with the chain of roles that it comes from and the reason why it does not
 * apply, if so. Permissions that apply come first.
 */
export function explain(roles: readonly AnyRole[], assignments: readonly RoleGrant[], question: Question): Reason[] {
  const reasons = assignments.flatMap(({ roleId, on }) =>
    pathsFrom(roles, roleId).flatMap(({ role, path }) =>
      role.permissions
        .filter((permission) => covers(permission, question.resource, question.action))
        .map((permission) => ({ path, permission, on, failed: failures(permission, on, question) })),
    ),
  );
  return reasons.sort((one, other) => one.failed.length - other.failed.length);
}

/** A role and all roles that it inherits from, each with the first path that leads there. */
function pathsFrom(roles: readonly AnyRole[], roleId: string): { role: AnyRole; path: string[] }[] {
  const found = new Map<string, { role: AnyRole; path: string[] }>();
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

function failures(permission: RolePermission, on: RoleGrant['on'], { resource, subject, user }: Question): string[] {
  const failed: string[] = [];
  if (on && (!subject || !isOn(on, resource, subject))) failed.push(`The role is held on ${on.type} ${on.id} only.`);
  for (const condition of permission.conditions ?? []) {
    if (!subject || !holds(condition, user, subject)) failed.push(`Condition not met: ${spoken(condition)}.`);
  }
  return failed;
}

const spoken = ({ attribute, operator, value, valueFrom }: Condition): string =>
  `${attribute} ${operator} ${valueFrom ?? JSON.stringify(value)}`;
