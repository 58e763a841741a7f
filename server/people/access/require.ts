import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import { forbiddenProblem, type ApiProblem } from '@/server/platform/errors/problem';
import type { WorkspaceCaller } from './caller';
import { isActionAllowed, permissionCovers, type AccessSubject } from './conditions';
import { isAllowedOnEveryObject } from './permissions';
import { findCallSubject, type AccessTarget } from './subjects';

/** `workflow:execute` */
export type PermissionWord = `${PermissionResource}:${PermissionAction}`;

/** What a refusal says of a missing permission. `on`: the id of the object that it is missing on. */
export const needsPermissionText = (permission: PermissionWord, on?: string): string =>
  `needs the permission ${permission}${on === undefined ? '' : ` on ${on}`}`;

/** The 403 of every caller that lacks a permission. */
export const permissionRefusal = (permission: PermissionWord): ApiProblem =>
  forbiddenProblem(`This ${needsPermissionText(permission)}.`);

/** Throws 403 unless the caller has the permission on every object, or on `subject`. */
export function requirePermission(
  caller: WorkspaceCaller,
  resource: PermissionResource,
  action: PermissionAction,
  subject: AccessSubject | null = null,
): void {
  if (isAllowedOnEveryObject(caller.permissions, resource, action)) return;
  if (!subject || !isActionAllowed(caller, action, resource, subject)) throw permissionRefusal(`${resource}:${action}`);
}

/**
 * Throws 403 unless the caller may call an operation with these parameters. The object is read only if the permission
 * depends on it. `isFiltered`: the operation shows its caller only what they may see. `or`: a permission on any object
 * that is enough, too. `whenMissing`: what counts for an
 * object that the address names and that does not exist; it may throw.
 */
export async function requireOperationAccess(
  caller: WorkspaceCaller,
  { isFiltered = false, or, ...target }: AccessTarget & { isFiltered?: boolean; or?: PermissionWord | undefined },
  params: Record<string, string>,
  whenMissing: () => AccessSubject,
): Promise<void> {
  const { resource, action } = target;
  const { permissions } = caller;
  if (isAllowedOnEveryObject(permissions, resource, action)) return;
  const [otherResource, otherAction] = (or?.split(':') ?? []) as [PermissionResource?, PermissionAction?];
  const isOtherHeld = permissions.some(
    (permission) => otherResource && otherAction && permissionCovers(permission, otherResource, otherAction),
  );
  if (isOtherHeld) return;
  if (!permissions.some((permission) => permissionCovers(permission, resource, action)))
    throw permissionRefusal(`${resource}:${action}`);
  if (isFiltered) return;
  const subject = await findCallSubject(target, params, caller);
  requirePermission(caller, resource, action, subject === 'missing' ? whenMissing() : subject);
}
