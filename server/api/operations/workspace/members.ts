import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import {
  InvitedMember,
  InviteMemberRequest,
  MemberResponse,
  ListMembersResponse,
  ListMembersQuery,
  UpdateMemberRequest,
  ListPendingWorkspacesResponse,
} from '@/contract/workspace';
import { memberAccess, defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { createInvitation as sendInvitation } from '@/server/people/accounts/invitations';
import {
  acceptMembership,
  findActiveMember,
  isLastOwner,
  listMembers,
  removeMember,
  replaceRoles,
  requireNotStronger,
} from '@/server/people/access/members';
import { requireGrantableRoles, lockWorkspaceRoles } from '@/server/people/access/roles';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { requireBelowCap } from '@/server/platform/quotas/caps';

const MEMBER_TAG = 'Workspaces';
const MemberCollectionParams = z.strictObject({ id: z.string() });
const MemberParams = z.strictObject({ id: z.string(), userId: z.string() });

const listMembersOperation = defineOperation({
  id: 'members.list',
  method: 'GET',
  path: '/api/workspaces/{id}/members',
  summary: 'List members and those who are invited',
  tag: MEMBER_TAG,
  access: memberAccess('member', 'read', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: MemberCollectionParams,
  query: ListMembersQuery,
  reply: jsonReply(ListMembersResponse),
  run: async ({ db }, { params: { id }, query }) => {
    const { data, total } = await listMembers(db, id, query);
    return { data, total, limit: query.limit, offset: query.offset };
  },
});

const inviteMemberOperation = defineOperation({
  id: 'members.invite',
  method: 'POST',
  path: '/api/workspaces/{id}/members',
  summary: 'Invite a user',
  description:
    'The response contains the link, once; it is also mailed if mail is configured. Valid for 7 days. Inviting again ' +
    'replaces the link. The tier limits the invitations per day (else 429); they are mailed only once an owner of the ' +
    'workspace has confirmed their own address (else 403).',
  tag: MEMBER_TAG,
  access: memberAccess('member', 'create', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: MemberCollectionParams,
  body: jsonBody(InviteMemberRequest),
  reply: jsonReply(InvitedMember, { status: 201 }),
  async run({ db, caller, note, afterwards }, { params: { id }, body: { email, role: name } }) {
    const [role] = await requireGrantableRoles(db, caller, [name], 'role');
    if (!role) throw notFoundProblem('The role');
    const isMember = { workspaceId: id, acceptedAt: { not: null }, user: { email, onlyWorkspaceId: null } };
    if (await db.member.findFirst({ where: isMember })) {
      throw conflictProblem('This user is already a member.');
    }
    await requireBelowCap(db, 'members', id);
    const { invitationId, inviteUrl, mail } = await sendInvitation(db, {
      workspaceId: id,
      email,
      roleId: role.id,
      by: caller,
    });
    note({ resourceId: invitationId, metadata: { email, role: role.name } });
    afterwards(mail);
    return {
      userId: null,
      invitationId,
      email,
      name: '',
      roles: [role.name],
      status: 'invited' as const,
      isAccepted: false,
      joinedAt: null,
      inviteUrl,
    };
  },
});

const updateMemberOperation = defineOperation({
  id: 'members.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workspaces/{id}/members/{userId}',
  summary: 'Change the roles of a member',
  tag: MEMBER_TAG,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: MemberParams,
  body: jsonBody(UpdateMemberRequest),
  reply: jsonReply(MemberResponse),
  async run({ db, caller, note }, { params: { id, userId }, body }) {
    note({ resourceId: userId, metadata: { roles: body.roles } });
    await lockWorkspaceRoles(db, id);
    await findActiveMember(db, id, userId);
    await requireNotStronger(db, caller, userId);
    const roles = await requireGrantableRoles(db, caller, body.roles, 'roles');
    const staysOwner = roles.some((role) => role.id === systemRoleId('owner'));
    if (!staysOwner && (await isLastOwner(db, id, userId))) throw conflictProblem('A workspace needs an owner.');
    await replaceRoles(
      db,
      id,
      userId,
      roles.map((role) => role.id),
    );
    return findActiveMember(db, id, userId);
  },
});

const removeMemberOperation = defineOperation({
  id: 'members.remove',
  method: 'DELETE',
  path: '/api/workspaces/{id}/members/{userId}',
  summary: 'Remove a member, or withdraw an invitation',
  description: 'Their tokens, keys and sockets stop reaching this workspace at once. The last owner can’t leave.',
  tag: MEMBER_TAG,
  access: memberAccess('member', 'delete', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: MemberParams,
  async run({ db, caller, note }, { params: { id, userId } }) {
    note({ resourceId: userId });
    const { count } = await db.invitation.deleteMany({ where: { id: userId, workspaceId: id } });
    if (count > 0) return;
    await lockWorkspaceRoles(db, id);
    await findActiveMember(db, id, userId);
    await requireNotStronger(db, caller, userId);
    if (await isLastOwner(db, id, userId)) throw conflictProblem('The last owner can’t leave.');
    await removeMember(db, id, userId);
  },
});

const leaveWorkspaceOperation = defineOperation({
  id: 'members.leave',
  method: 'POST',
  path: '/api/workspaces/{id}/leave',
  summary: 'Leave a workspace, or decline to be a member of it',
  description:
    'Open to every member but the last owner. No rule of the workspace stands in the way: neither a second factor that it ' +
    'requires nor its own sign-in. A membership that waits to be accepted is declined by it.',
  tag: MEMBER_TAG,
  access: signedInAccess({ allowsLimited: 'session', isPersonal: true, allowsUnenrolled: true }),
  effect: writeEffect('configuration_change'),
  params: MemberCollectionParams,
  async run({ db, person: { userId, onlyWorkspaceId }, note }, { params: { id } }) {
    if (onlyWorkspaceId !== null && onlyWorkspaceId !== id) throw notFoundProblem('The workspace');
    if (!(await db.member.findFirst({ where: { workspaceId: id, userId } }))) throw notFoundProblem('The workspace');
    note({ resourceId: userId, workspaceId: id });
    await lockWorkspaceRoles(db, id);
    await findActiveMember(db, id, userId);
    if (await isLastOwner(db, id, userId)) throw conflictProblem('The last owner can’t leave.');
    await removeMember(db, id, userId);
  },
});

const acceptMembershipOperation = defineOperation({
  id: 'members.accept',
  method: 'POST',
  path: '/api/workspaces/{id}/accept',
  summary: 'Accept a membership of a workspace',
  description:
    'For a membership of `GET /api/auth/pending-workspaces`. From then on the workspace is among the user’s own, and its ' +
    'rules on second factors, sessions and passwords apply to the account.',
  tag: MEMBER_TAG,
  access: signedInAccess({ isPersonal: true }),
  effect: writeEffect('configuration_change'),
  params: MemberCollectionParams,
  reply: jsonReply(MemberResponse),
  async run({ db, person: { userId }, note }, { params: { id } }) {
    if (!(await acceptMembership(db, id, userId))) throw notFoundProblem('The workspace');
    note({ resourceId: userId, workspaceId: id });
    return findActiveMember(db, id, userId);
  },
});

const listPendingWorkspacesOperation = defineOperation({
  id: 'members.pending',
  method: 'GET',
  path: '/api/auth/pending-workspaces',
  summary: 'List memberships that wait for my acceptance',
  description:
    'A workspace’s sign-in provider, or its import, makes users members without their consent. Until they accept, the ' +
    'membership counts in sessions of that provider only. `POST /api/workspaces/{id}/accept` accepts, `POST /api/workspaces/{id}/leave` declines.',
  tag: 'Authentication',
  access: signedInAccess({ allowsLimited: 'session', isPersonal: true, allowsUnenrolled: true }),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListPendingWorkspacesResponse),
  async run({ db, person: { userId, onlyWorkspaceId } }, { query: { limit, offset } }) {
    // A provider's session cannot accept memberships, nor see other workspaces.
    if (onlyWorkspaceId !== null) return { data: [], total: 0, limit, offset };
    const where = { userId, acceptedAt: null };
    const [rows, total] = await Promise.all([
      db.member.findMany({
        where,
        include: { workspace: { select: { name: true } } },
        orderBy: [{ joinedAt: 'desc' }, { workspaceId: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.member.count({ where }),
    ]);
    const data = rows.map(({ workspaceId, workspace: { name }, joinedAt }) => ({
      id: workspaceId,
      name,
      addedAt: joinedAt.toISOString(),
    }));
    return { data, total, limit, offset };
  },
});

export const memberOperations = [
  listMembersOperation,
  inviteMemberOperation,
  updateMemberOperation,
  removeMemberOperation,
  leaveWorkspaceOperation,
  acceptMembershipOperation,
  listPendingWorkspacesOperation,
];
