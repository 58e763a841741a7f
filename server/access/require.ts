import type { Action, Resource } from '@/contract/access/security';
import { forbidden, type Problem } from '@/server/errors/problem';
import type { Caller } from './caller';
import { can, covers, type Subject } from './conditions';
import { isAllowed } from './permissions';
import { subjectAt, type Target } from './subjects';

/** `workflow:execute` */
export type PermissionWord = `${Resource}:${Action}`;

/** What a refusal says of a missing permission. `on`: the id of the object that it is missing on. */
export const needsPermission = (permission: PermissionWord, on?: string): string =>
  `needs the permission ${permission}${on === undefined ? '' : ` on ${on}`}`;

/** The 403 of every caller that lacks a permission. */
export const permissionRefusal = (permission: PermissionWord): Problem =>
  forbidden(`This ${needsPermission(permission)}.`);

/** Throws 403 unless the caller has the permission on every object, or on `subject`. */
export function requirePermission(
  caller: Caller,
  resource: Resource,
  action: Action,
  subject: Subject | null = null,
): void {
  if (isAllowed(caller.permissions, resource, action)) return;
  if (!subject || !can(caller, action, resource, subject)) throw permissionRefusal(`${resource}:${action}`);
}

/**
 * Throws 403 unless the caller may call an operation with these parameters. The object is read only if the permission depends on it.
 * `isFiltered`: the operation shows its caller only what they may see. `whenMissing`: what counts for an object that the address names and
 * that does not exist; it may throw.
 */
export async function requireAccess(
  caller: Caller,
  { isFiltered = false, ...target }: Target & { isFiltered?: boolean },
  params: Record<string, string>,
  whenMissing: () => Subject,
): Promise<void> {
  const { resource, action } = target;
  const { permissions } = caller;
  if (isAllowed(permissions, resource, action)) return;
  if (!permissions.some((permission) => covers(permission, resource, action)))
    throw permissionRefusal(`${resource}:${action}`);
  if (isFiltered) return;
  const subject = await subjectAt(target, params, caller);
  requirePermission(caller, resource, action, subject === 'missing' ? whenMissing() : subject);
}
