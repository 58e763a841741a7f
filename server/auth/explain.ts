import type { Reason, RolePermission } from '@/contract/role';
import type { Action, Permission, Resource } from '@/contract/security';
import type { Condition } from '@/contract/condition';
import { covers, holds, isOn, type Subject } from './conditions';
import type { AnyRole } from './roles';

/** A role that somebody holds, everywhere or on one object. */
export interface Held {
  roleId: string;
  on: NonNullable<Permission['on']> | null;
}

export interface Question {
  resource: Resource;
  action: Action;
  /** The object asked about; null: any object. */
  subject: Subject | null;
  who: { userId: string; email: string };
}

/**
 * Every permission that speaks of the action, with the path of roles it comes by and why it does not hold, if it
 * doesn't. Those that hold come first.
 */
export function explain(roles: readonly AnyRole[], held: readonly Held[], question: Question): Reason[] {
  const reasons = held.flatMap(({ roleId, on }) =>
    pathsFrom(roles, roleId).flatMap(({ role, path }) =>
      role.permissions
        .filter((permission) => covers(permission, question.resource, question.action))
        .map((permission) => ({ path, permission, on, failed: failures(permission, on, question) })),
    ),
  );
  return reasons.sort((one, other) => one.failed.length - other.failed.length);
}

/** A role and all it inherits from, each with the first path that leads there. */
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

function failures(permission: RolePermission, on: Held['on'], { resource, subject, who }: Question): string[] {
  const failed: string[] = [];
  if (on && (!subject || !isOn(on, resource, subject))) failed.push(`The role is held on ${on.type} ${on.id} only.`);
  for (const condition of permission.conditions ?? []) {
    if (!subject || !holds(condition, who, subject)) failed.push(`Not the case: ${spoken(condition)}.`);
  }
  return failed;
}

const spoken = ({ attribute, operator, value, valueFrom }: Condition): string =>
  `${attribute} ${operator} ${valueFrom ?? JSON.stringify(value)}`;
