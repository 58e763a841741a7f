import { notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller } from './caller';
import { requireNotStronger } from './members';
import { peopleBelongingTo } from './membership';
import { canGrantPermissions, findHeldRoles, combineRoleRights } from './permissions';

/**
 * Returns the email of a member whose permissions do not exceed the caller's. Throws 404 if the user is no member, 403
 * if they have more permissions.
 */
export async function requireMemberAuthority(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  userId: string,
): Promise<string> {
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId: caller.workspaceId, userId } },
    include: { user: true },
  });
  if (!member) throw notFoundProblem('The member');
  await requireNotStronger(db, caller, userId);
  return member.user.email;
}

/**
 * Whether the caller has authority over a member in every workspace that the member belongs to. Changes to the whole
 * account affect all of these workspaces, so authority in one of them is not enough. No workspace has authority over
 * people who have not accepted the membership.
 */
export async function hasAccountAuthority(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  userId: string,
): Promise<boolean> {
  if (!(await db.user.findFirst({ where: { id: userId, ...peopleBelongingTo(caller.workspaceId) } }))) return false;
  const elsewhere = { workspaceId: { not: caller.workspaceId }, acceptedAt: { not: null } };
  const others = await db.member.findMany({ where: { userId, ...elsewhere } });
  if (others.length > 0 && caller.onlyWorkspaceId) return false;
  for (const { workspaceId } of others) {
    const mine = combineRoleRights(await findHeldRoles(db, workspaceId, caller.userId)).permissions;
    const theirs = combineRoleRights(await findHeldRoles(db, workspaceId, userId)).permissions;
    if (!canGrantPermissions(mine, [...theirs, { resource: 'member', action: 'update' }])) return false;
  }
  return true;
}
