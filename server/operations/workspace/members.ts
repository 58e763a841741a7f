import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  Invited,
  InviteRequest,
  Member,
  MemberPage,
  MemberQuery,
  MemberUpdate,
  PendingWorkspacePage,
} from '@/contract/workspace';
import { memberAccess, operation, signedInAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, notFound } from '@/server/errors/problem';
import { invite as sendInvitation } from '@/server/accounts/invitations';
import {
  acceptMembership,
  activeMember,
  isLastOwner,
  membersOf,
  removeMember,
  replaceRoles,
  requireStronger,
} from '@/server/access/members';
import { grantableRoles, lockRoles } from '@/server/access/roles';
import { systemRoleId } from '@/server/db/system-role-id';
import { requireBelowCap } from '@/server/quotas/caps';

const tag = 'Workspaces';
const OfWorkspace = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), userId: z.string() });

const list = operation({
  id: 'members.list',
  method: 'GET',
  path: '/api/workspaces/{id}/members',
  summary: 'List members and those who are invited',
  tag,
  access: memberAccess('member', 'read', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: OfWorkspace,
  query: MemberQuery,
  reply: jsonReply(MemberPage),
  run: async ({ db }, { params: { id }, query }) => {
    const { data, total } = await membersOf(db, id, query);
    return { data, total, limit: query.limit, offset: query.offset };
  },
});

const invite = operation({
  id: 'members.invite',
  method: 'POST',
  path: '/api/workspaces/{id}/members',
  summary: 'Invite a user',
  description:
    'The response contains the link, once; it is also mailed if mail is configured. Valid for 7 days. Inviting again ' +
    'replaces the link. The tier limits the invitations per day (else 429); they are mailed only once an owner of the ' +
    'workspace has confirmed their own address (else 403).',
  tag,
  access: memberAccess('member', 'create', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: OfWorkspace,
  body: jsonBody(InviteRequest),
  reply: jsonReply(Invited, { status: 201 }),
  async run({ db, caller, note, afterwards }, { params: { id }, body: { email, role: name } }) {
    const [role] = await grantableRoles(db, caller, [name], 'role');
    if (!role) throw notFound('The role');
    const isMember = { workspaceId: id, acceptedAt: { not: null }, user: { email, onlyWorkspaceId: null } };
    if (await db.member.findFirst({ where: isMember })) {
      throw conflict('This user is already a member.');
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

const update = operation({
  id: 'members.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workspaces/{id}/members/{userId}',
  summary: 'Change the roles of a member',
  tag,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(MemberUpdate),
  reply: jsonReply(Member),
  async run({ db, caller, note }, { params: { id, userId }, body }) {
    note({ resourceId: userId, metadata: { roles: body.roles } });
    await lockRoles(db, id);
    await activeMember(db, id, userId);
    await requireStronger(db, caller, userId);
    const roles = await grantableRoles(db, caller, body.roles, 'roles');
    const staysOwner = roles.some((role) => role.id === systemRoleId('owner'));
    if (!staysOwner && (await isLastOwner(db, id, userId))) throw conflict('A workspace needs an owner.');
    await replaceRoles(
      db,
      id,
      userId,
      roles.map((role) => role.id),
    );
    return activeMember(db, id, userId);
  },
});

const remove = operation({
  id: 'members.remove',
  method: 'DELETE',
  path: '/api/workspaces/{id}/members/{userId}',
  summary: 'Remove a member, or withdraw an invitation',
  description: 'Their tokens, keys and sockets stop reaching this workspace at once. The last owner can’t leave.',
  tag,
  access: memberAccess('member', 'delete', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, userId } }) {
    note({ resourceId: userId });
    const { count } = await db.invitation.deleteMany({ where: { id: userId, workspaceId: id } });
    if (count > 0) return;
    await lockRoles(db, id);
    await activeMember(db, id, userId);
    await requireStronger(db, caller, userId);
    if (await isLastOwner(db, id, userId)) throw conflict('The last owner can’t leave.');
    await removeMember(db, id, userId);
  },
});

const leave = operation({
  id: 'members.leave',
  method: 'POST',
  path: '/api/workspaces/{id}/leave',
  summary: 'Leave a workspace, or decline to be a member of it',
  description:
    'Open to every member but the last owner. No rule of the workspace stands in the way: neither a second factor that it ' +
    'requires nor its own sign-in. A membership that waits to be accepted is declined by it.',
  tag,
  access: signedInAccess({ allowsLimited: 'session', isPersonal: true, allowsUnenrolled: true }),
  effect: writeEffect('configuration_change'),
  params: OfWorkspace,
  async run({ db, person: { userId, onlyWorkspaceId }, note }, { params: { id } }) {
    if (onlyWorkspaceId !== null && onlyWorkspaceId !== id) throw notFound('The workspace');
    if (!(await db.member.findFirst({ where: { workspaceId: id, userId } }))) throw notFound('The workspace');
    note({ resourceId: userId, workspaceId: id });
    await lockRoles(db, id);
    await activeMember(db, id, userId);
    if (await isLastOwner(db, id, userId)) throw conflict('The last owner can’t leave.');
    await removeMember(db, id, userId);
  },
});

const accept = operation({
  id: 'members.accept',
  method: 'POST',
  path: '/api/workspaces/{id}/accept',
  summary: 'Accept a membership of a workspace',
  description:
    'For a membership of `GET /api/auth/pending-workspaces`. From then on the workspace is among the user’s own, and its ' +
    'rules on second factors, sessions and passwords apply to the account.',
  tag,
  access: signedInAccess({ isPersonal: true }),
  effect: writeEffect('configuration_change'),
  params: OfWorkspace,
  reply: jsonReply(Member),
  async run({ db, person: { userId }, note }, { params: { id } }) {
    if (!(await acceptMembership(db, id, userId))) throw notFound('The workspace');
    note({ resourceId: userId, workspaceId: id });
    return activeMember(db, id, userId);
  },
});

const pending = operation({
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
  query: PageQuery,
  reply: jsonReply(PendingWorkspacePage),
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

export const members = [list, invite, update, remove, leave, accept, pending];
