import { notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import type { Caller } from './caller';
import { requireStronger } from './members';
import { belongingTo } from './membership';
import { canGrant, rolesOfMember, rightsOf } from './permissions';

/**
 * Returns the email of a member whose permissions do not exceed the caller's. Throws 404 if the user is no member, 403
 * if they have more permissions.
 */
export async function requireAuthority(db: Db, caller: Caller, userId: string): Promise<string> {
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId: caller.workspaceId, userId } },
    include: { user: true },
  });
  if (!member) throw notFound('The member');
  await requireStronger(db, caller, userId);
  return member.user.email;
}

/**
 * Whether the caller has authority over a member in every workspace that the member belongs to. Changes to the whole
 * account affect all of these workspaces, so authority in one of them is not enough. No workspace has authority over
 * people who have not accepted the membership.
 */
export async function hasWholeAuthority(db: Db, caller: Caller, userId: string): Promise<boolean> {
  if (!(await db.user.findFirst({ where: { id: userId, ...belongingTo(caller.workspaceId) } }))) return false;
  const elsewhere = { workspaceId: { not: caller.workspaceId }, acceptedAt: { not: null } };
  const others = await db.member.findMany({ where: { userId, ...elsewhere } });
  if (others.length > 0 && caller.onlyWorkspaceId) return false;
  for (const { workspaceId } of others) {
    const mine = rightsOf(await rolesOfMember(db, workspaceId, caller.userId)).permissions;
    const theirs = rightsOf(await rolesOfMember(db, workspaceId, userId)).permissions;
    if (!canGrant(mine, [...theirs, { resource: 'member', action: 'update' }])) return false;
  }
  return true;
}
