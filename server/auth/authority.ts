import { notFound } from '../api/problem';
import type { Db } from '../db/client';
import type { Caller } from './caller';
import { requireStronger } from './members';
import { canGrant, heldByMember, rightsOf } from './permissions';

/** The email of a member who may do no more than the caller. Throws 404 for others than members, 403 for stronger ones. */
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
 * Whether the caller has authority over a member in every workspace that the member belongs to: what concerns the whole
 * account would else reach into workspaces that are not the caller's to administer.
 */
export async function hasWholeAuthority(db: Db, caller: Caller, userId: string): Promise<boolean> {
  const others = await db.member.findMany({ where: { userId, workspaceId: { not: caller.workspaceId } } });
  if (others.length > 0 && caller.onlyWorkspaceId) return false;
  for (const { workspaceId } of others) {
    const mine = rightsOf(await heldByMember(db, workspaceId, caller.userId)).permissions;
    const theirs = rightsOf(await heldByMember(db, workspaceId, userId)).permissions;
    if (!canGrant(mine, [...theirs, { resource: 'member', action: 'update' }])) return false;
  }
  return true;
}
