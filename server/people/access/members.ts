import { SystemRole } from '@/contract/access/security';
import type { MemberResponse, ListMembersQuery } from '@/contract/workspace';
import { notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import type { WorkspaceCaller } from './caller';
import { peopleBelongingTo } from './membership';
import { findHeldRoles, combineRoleRights, findSystemRole } from './permissions';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { requireGrantablePermissions } from './roles';

/** Shown as the role of members whose permissions are on single objects only. */
export const NO_ROLE_NAME = 'none';

interface MemberRow {
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
const sortedRoleNames = (roles: MemberRow['roles']): string[] =>
  (roles ?? [])
    .flatMap(({ id, name }) => findSystemRole(id)?.name ?? name ?? [])
    .toSorted((a, b) => roleStrengthRank(a) - roleStrengthRank(b) || a.localeCompare(b));

const ROLE_STRENGTH: readonly string[] = SystemRole.options;
const roleStrengthRank = (name: string) =>
  ROLE_STRENGTH.includes(name) ? ROLE_STRENGTH.indexOf(name) : ROLE_STRENGTH.length;

const toMemberResponse = (row: MemberRow): MemberResponse => ({
  userId: row.user_id,
  ...(row.invitation_id ? { invitationId: row.invitation_id } : {}),
  email: row.email,
  name: row.name,
  roles: sortedRoleNames(row.roles),
  status: row.invitation_id ? 'invited' : 'active',
  isAccepted: row.is_accepted,
  joinedAt: row.joined_at?.toISOString() ?? null,
  ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
});

/** Members and open invitations of a workspace, newest first. Expired invitations are left out. */
export async function listMembers(
  db: DatabaseClient,
  workspaceId: string,
  { limit, offset, status }: ListMembersQuery,
): Promise<{ data: MemberResponse[]; total: number }> {
  const rows = await db.$queryRaw<MemberRow[]>`
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
  const total = rows[0] ? Number(rows[0].total) : offset === 0 ? 0 : await countMembers(db, workspaceId, status);
  return { data: rows.map(toMemberResponse), total };
}

async function countMembers(
  db: DatabaseClient,
  workspaceId: string,
  status: ListMembersQuery['status'],
): Promise<number> {
  const active = await db.member.count({ where: { workspaceId } });
  const invited = await db.invitation.count({ where: { workspaceId, expiresAt: { gt: new Date() } } });
  return (status === 'invited' ? 0 : active) + (status === 'active' ? 0 : invited);
}

/** Returns the member. Throws a Problem NOT_FOUND if there is none. */
export async function findActiveMember(
  db: DatabaseClient,
  workspaceId: string,
  userId: string,
): Promise<MemberResponse> {
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    include: { user: true },
  });
  if (!member) throw notFoundProblem('The member');
  const { roles } = combineRoleRights(await findHeldRoles(db, workspaceId, userId));
  const { email, name } = member.user;
  const { joinedAt, acceptedAt } = member;
  const isAccepted = acceptedAt !== null;
  return { userId, email, name, roles, status: 'active', isAccepted, joinedAt: joinedAt.toISOString() };
}

/** The strongest role of a user in each of their workspaces, by workspace id. */
export async function findStrongestRoles(db: DatabaseClient, userId: string): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ workspace_id: string; roles: MemberRow['roles'] }[]>`
    SELECT a.workspace_id, json_agg(json_build_object('id', a.role_id, 'name', r.name)) AS roles
    FROM role_assignment a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = a.workspace_id
    WHERE a.user_id = ${userId} AND a.resource_type IS NULL GROUP BY a.workspace_id`;
  return new Map(rows.map(({ workspace_id: id, roles }) => [id, sortedRoleNames(roles)[0] ?? NO_ROLE_NAME]));
}

/** Throws 403 if the member has more permissions than the caller. */
export async function requireNotStronger(db: DatabaseClient, caller: WorkspaceCaller, userId: string): Promise<void> {
  if (userId === caller.userId) return;
  requireGrantablePermissions(
    caller,
    combineRoleRights(await findHeldRoles(db, caller.workspaceId, userId)).permissions,
  );
}

/**
 * Whether the workspace would have no owner left without this member. People who have not accepted the membership do
 * not count as owners and may leave at any time.
 */
export async function isLastOwner(db: DatabaseClient, workspaceId: string, userId: string): Promise<boolean> {
  const user = peopleBelongingTo(workspaceId);
  const where = { workspaceId, roleId: systemRoleId('owner'), resourceType: null, user };
  const owners = await db.roleAssignment.findMany({ where, select: { userId: true } });
  return owners.some((owner) => owner.userId === userId) && owners.every((owner) => owner.userId === userId);
}

/**
 * Makes a user who agreed to it a member, with a role in the whole workspace. A membership created by a sign-in
 * provider becomes accepted and keeps its roles. Does nothing for existing members.
 */
export async function addMember(
  db: DatabaseClient,
  workspaceId: string,
  userId: string,
  roleId: string,
): Promise<void> {
  const { count } = await db.member.createMany({ data: [{ workspaceId, userId }], skipDuplicates: true });
  if (count === 0 && !(await acceptMembership(db, workspaceId, userId))) return;
  const assignmentKey = { workspaceId, userId, roleId, resourceType: null, resourceId: null };
  const assignment = await db.roleAssignment.findFirst({ where: assignmentKey });
  if (!assignment) await db.roleAssignment.create({ data: { id: generateId('asg'), ...assignmentKey } });
}

/** Accepts a membership that a sign-in provider created. Returns false if none is pending. */
export async function acceptMembership(db: DatabaseClient, workspaceId: string, userId: string): Promise<boolean> {
  const where = { workspaceId, userId, acceptedAt: null };
  const { count } = await db.member.updateMany({ where, data: { acceptedAt: new Date() } });
  return count === 1;
}

/** Replaces the roles held in the whole workspace. */
export async function replaceRoles(
  db: DatabaseClient,
  workspaceId: string,
  userId: string,
  roleIds: string[],
): Promise<void> {
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null } });
  const data = [...new Set(roleIds)].map((roleId) => ({ id: generateId('asg'), workspaceId, userId, roleId }));
  await db.roleAssignment.createMany({ data });
}

/** Removes membership, roles and API keys. The person's sessions stay, but no longer reach this workspace. */
export async function removeMember(db: DatabaseClient, workspaceId: string, userId: string): Promise<void> {
  await db.apiKey.updateMany({ where: { workspaceId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await db.session.updateMany({ where: { workspaceId, userId, endedAt: null }, data: { endedAt: new Date() } });
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId } });
  await db.savedFilter.deleteMany({ where: { workspaceId, userId } });
  await db.member.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
}
