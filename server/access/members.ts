import { SystemRole } from '@/contract/access/security';
import type { Member, MemberQuery } from '@/contract/workspace';
import { notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import type { Caller } from './caller';
import { belongingTo } from './membership';
import { rolesOfMember, rightsOf, systemRole } from './permissions';
import { systemRoleId } from '@/server/db/system-role-id';
import { requireGrantable } from './roles';

/** Shown as the role of members whose permissions are on single objects only. */
export const NO_ROLE = 'none';

interface Row {
  user_id: string | null;
  invitation_id: string | null;
  email: string;
  name: string;
  joined_at: Date | null;
  is_accepted: boolean;
  expires_at: Date | null;
  roles: { id: string; name: string | null }[] | null;
  total: bigint;
}

/** Names of roles: system roles first, strongest first. */
const namesOf = (roles: Row['roles']): string[] =>
  (roles ?? [])
    .flatMap(({ id, name }) => systemRole(id)?.name ?? name ?? [])
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));

const STRENGTH: readonly string[] = SystemRole.options;
const rank = (name: string) => (STRENGTH.includes(name) ? STRENGTH.indexOf(name) : STRENGTH.length);

const presentMember = (row: Row): Member => ({
  userId: row.user_id,
  ...(row.invitation_id ? { invitationId: row.invitation_id } : {}),
  email: row.email,
  name: row.name,
  roles: namesOf(row.roles),
  status: row.invitation_id ? 'invited' : 'active',
  isAccepted: row.is_accepted,
  joinedAt: row.joined_at?.toISOString() ?? null,
  ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
});

/** Members and open invitations of a workspace, newest first. Expired invitations are left out. */
export async function membersOf(
  db: Db,
  workspaceId: string,
  { limit, offset, status }: MemberQuery,
): Promise<{ data: Member[]; total: number }> {
  const rows = await db.$queryRaw<Row[]>`
    WITH all_members AS (
      SELECT m.user_id, NULL AS invitation_id, u.email, u.name, m.joined_at, m.joined_at AS at,
        m.accepted_at IS NOT NULL AS is_accepted, NULL AS expires_at
      FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.workspace_id = ${workspaceId}
        AND ${status !== 'invited'}
      UNION ALL
      SELECT NULL, i.id, i.email, '', NULL, i.created_at, false, i.expires_at FROM invitation i
        WHERE i.workspace_id = ${workspaceId} AND i.expires_at > now() AND ${status !== 'active'}
    ),
    shown AS (
      SELECT *, count(*) OVER () AS total FROM all_members
      ORDER BY at DESC, coalesce(user_id, invitation_id) DESC LIMIT ${limit} OFFSET ${offset}
    )
    SELECT s.*, (
      SELECT json_agg(json_build_object('id', a.role_id, 'name', r.name)) FROM (
        SELECT role_id FROM role_assignment
          WHERE workspace_id = ${workspaceId} AND user_id = s.user_id AND resource_type IS NULL
        UNION ALL SELECT role_id FROM invitation WHERE id = s.invitation_id
      ) a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = ${workspaceId}
    ) AS roles
    FROM shown s ORDER BY at DESC, coalesce(user_id, invitation_id) DESC`;
  // A page beyond the end has no row that could carry the total.
  const total = rows[0] ? Number(rows[0].total) : offset === 0 ? 0 : await countOf(db, workspaceId, status);
  return { data: rows.map(presentMember), total };
}

async function countOf(db: Db, workspaceId: string, status: MemberQuery['status']): Promise<number> {
  const active = await db.member.count({ where: { workspaceId } });
  const invited = await db.invitation.count({ where: { workspaceId, expiresAt: { gt: new Date() } } });
  return (status === 'invited' ? 0 : active) + (status === 'active' ? 0 : invited);
}

/** Returns the member. Throws a Problem NOT_FOUND if there is none. */
export async function activeMember(db: Db, workspaceId: string, userId: string): Promise<Member> {
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    include: { user: true },
  });
  if (!member) throw notFound('The member');
  const { roles } = rightsOf(await rolesOfMember(db, workspaceId, userId));
  const { email, name } = member.user;
  const { joinedAt, acceptedAt } = member;
  const isAccepted = acceptedAt !== null;
  return { userId, email, name, roles, status: 'active', isAccepted, joinedAt: joinedAt.toISOString() };
}

/** The strongest role of a user in each of their workspaces, by workspace id. */
export async function strongestRoles(db: Db, userId: string): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ workspace_id: string; roles: Row['roles'] }[]>`
    SELECT a.workspace_id, json_agg(json_build_object('id', a.role_id, 'name', r.name)) AS roles
    FROM role_assignment a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = a.workspace_id
    WHERE a.user_id = ${userId} AND a.resource_type IS NULL GROUP BY a.workspace_id`;
  return new Map(rows.map(({ workspace_id: id, roles }) => [id, namesOf(roles)[0] ?? NO_ROLE]));
}

/** Throws 403 if the member has more permissions than the caller. */
export async function requireStronger(db: Db, caller: Caller, userId: string): Promise<void> {
  if (userId === caller.userId) return;
  requireGrantable(caller, rightsOf(await rolesOfMember(db, caller.workspaceId, userId)).permissions);
}

/**
 * Whether the workspace would have no owner left without this member. People who have not accepted the membership do
 * not count as owners and may leave at any time.
 */
export async function isLastOwner(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const user = belongingTo(workspaceId);
  const where = { workspaceId, roleId: systemRoleId('owner'), resourceType: null, user };
  const owners = await db.roleAssignment.findMany({ where, select: { userId: true } });
  return owners.some((owner) => owner.userId === userId) && owners.every((owner) => owner.userId === userId);
}

/**
 * Makes a user who agreed to it a member, with a role in the whole workspace. A membership created by a sign-in
 * provider becomes accepted and keeps its roles. Does nothing for existing members.
 */
export async function addMember(db: Db, workspaceId: string, userId: string, roleId: string): Promise<void> {
  const { count } = await db.member.createMany({ data: [{ workspaceId, userId }], skipDuplicates: true });
  if (count === 0 && !(await acceptMembership(db, workspaceId, userId))) return;
  const assignmentKey = { workspaceId, userId, roleId, resourceType: null, resourceId: null };
  const assignment = await db.roleAssignment.findFirst({ where: assignmentKey });
  if (!assignment) await db.roleAssignment.create({ data: { id: newId('asg'), ...assignmentKey } });
}

/** Accepts a membership that a sign-in provider created. Returns false if none is pending. */
export async function acceptMembership(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const where = { workspaceId, userId, acceptedAt: null };
  const { count } = await db.member.updateMany({ where, data: { acceptedAt: new Date() } });
  return count === 1;
}

/** Replaces the roles held in the whole workspace. */
export async function replaceRoles(db: Db, workspaceId: string, userId: string, roleIds: string[]): Promise<void> {
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null } });
  const data = [...new Set(roleIds)].map((roleId) => ({ id: newId('asg'), workspaceId, userId, roleId }));
  await db.roleAssignment.createMany({ data });
}

/** Removes membership, roles and API keys. The person's sessions stay, but no longer reach this workspace. */
export async function removeMember(db: Db, workspaceId: string, userId: string): Promise<void> {
  await db.apiKey.updateMany({ where: { workspaceId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await db.session.updateMany({ where: { workspaceId, userId, endedAt: null }, data: { endedAt: new Date() } });
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId } });
  await db.member.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
}
