import { SystemRole } from '@/contract/security';
import type { Member, MemberQuery } from '@/contract/workspace';
import { notFound } from '../api/problem';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import type { Caller } from './caller';
import { heldByMember, rightsOf, systemRole, systemRoleId } from './permissions';
import { requireGrantable } from './roles';

/** Shown as the role of members whose rights are on single objects only. */
export const NO_ROLE = 'none';

interface Row {
  user_id: string | null;
  invitation_id: string | null;
  email: string;
  name: string;
  joined_at: Date | null;
  expires_at: Date | null;
  roles: { id: string; name: string | null }[] | null;
  total: bigint;
}

/** Names of roles, the system's first and the strongest ahead. */
const namesOf = (roles: Row['roles']): string[] =>
  (roles ?? [])
    .flatMap(({ id, name }) => systemRole(id)?.name ?? name ?? [])
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));

const STRENGTH: readonly string[] = SystemRole.options;
const rank = (name: string) => (STRENGTH.includes(name) ? STRENGTH.indexOf(name) : STRENGTH.length);

const shown = (row: Row): Member => ({
  userId: row.user_id,
  ...(row.invitation_id ? { invitationId: row.invitation_id } : {}),
  email: row.email,
  name: row.name,
  roles: namesOf(row.roles),
  status: row.invitation_id ? 'invited' : 'active',
  joinedAt: row.joined_at?.toISOString() ?? null,
  ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
});

/** Members and open invitations of a workspace, newest first; an invitation too old is none. */
export async function membersOf(
  db: Db,
  workspaceId: string,
  { limit, offset, status }: MemberQuery,
): Promise<{ data: Member[]; total: number }> {
  const rows = await db.$queryRaw<Row[]>`
    WITH everybody AS (
      SELECT m.user_id, NULL AS invitation_id, u.email, u.name, m.joined_at, m.joined_at AS at, NULL AS expires_at
      FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.workspace_id = ${workspaceId}
        AND ${status !== 'invited'}
      UNION ALL
      SELECT NULL, i.id, i.email, '', NULL, i.created_at, i.expires_at FROM invitation i
        WHERE i.workspace_id = ${workspaceId} AND i.expires_at > now() AND ${status !== 'active'}
    ),
    shown AS (
      SELECT *, count(*) OVER () AS total FROM everybody
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
  return { data: rows.map(shown), total };
}

async function countOf(db: Db, workspaceId: string, status: MemberQuery['status']): Promise<number> {
  const active = await db.member.count({ where: { workspaceId } });
  const invited = await db.invitation.count({ where: { workspaceId, expiresAt: { gt: new Date() } } });
  return (status === 'invited' ? 0 : active) + (status === 'active' ? 0 : invited);
}

/** The member; a Problem NOT_FOUND if there is none. */
export async function activeMember(db: Db, workspaceId: string, userId: string): Promise<Member> {
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    include: { user: true },
  });
  if (!member) throw notFound('The member');
  const { roles } = rightsOf(await heldByMember(db, workspaceId, userId));
  const { email, name } = member.user;
  return { userId, email, name, roles, status: 'active', joinedAt: member.joinedAt.toISOString() };
}

/** The strongest role that a person holds in each of their workspaces, by workspace. */
export async function strongestRoles(db: Db, userId: string): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ workspace_id: string; roles: Row['roles'] }[]>`
    SELECT a.workspace_id, json_agg(json_build_object('id', a.role_id, 'name', r.name)) AS roles
    FROM role_assignment a LEFT JOIN role r ON r.id = a.role_id AND r.workspace_id = a.workspace_id
    WHERE a.user_id = ${userId} AND a.resource_type IS NULL GROUP BY a.workspace_id`;
  return new Map(rows.map(({ workspace_id: id, roles }) => [id, namesOf(roles)[0] ?? NO_ROLE]));
}

/** Nobody changes or removes those who may do more than they do. */
export async function requireStronger(db: Db, caller: Caller, userId: string): Promise<void> {
  if (userId === caller.userId) return;
  requireGrantable(caller, rightsOf(await heldByMember(db, caller.workspaceId, userId)).permissions);
}

export async function isLastOwner(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const where = { workspaceId, roleId: systemRoleId('owner'), resourceType: null };
  const owners = await db.roleAssignment.findMany({ where, select: { userId: true } });
  return owners.some((owner) => owner.userId === userId) && owners.every((owner) => owner.userId === userId);
}

/** Makes somebody a member, with a role in the whole workspace. Does nothing to those who are one. */
export async function addMember(db: Db, workspaceId: string, userId: string, roleId: string): Promise<void> {
  const { count } = await db.member.createMany({ data: [{ workspaceId, userId }], skipDuplicates: true });
  if (count > 0) await db.roleAssignment.create({ data: { id: newId('asg'), workspaceId, userId, roleId } });
}

/** The roles held in the whole workspace become exactly these. */
export async function replaceRoles(db: Db, workspaceId: string, userId: string, roleIds: string[]): Promise<void> {
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null } });
  const data = [...new Set(roleIds)].map((roleId) => ({ id: newId('asg'), workspaceId, userId, roleId }));
  await db.roleAssignment.createMany({ data });
}

/** Takes membership, roles and keys. Sessions stay the person's, but reach this workspace no more. */
export async function removeMember(db: Db, workspaceId: string, userId: string): Promise<void> {
  await db.apiKey.updateMany({ where: { workspaceId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await db.session.updateMany({ where: { workspaceId, userId, endedAt: null }, data: { endedAt: new Date() } });
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId } });
  await db.member.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
}
