import { z } from 'zod';
import { Invited, InviteRequest, Member, MemberPage, MemberQuery, MemberUpdate } from '@/contract/workspace';
import { operation } from '../api/operation';
import { conflict, notFound } from '../api/problem';
import { invite as sendInvitation } from '../auth/invitations';
import { activeMember, isLastOwner, membersOf, removeMember, replaceRoles, requireStronger } from '../auth/members';
import { grantableRoles, lockRoles } from '../auth/roles';
import { systemRoleId } from '../auth/permissions';

const tag = 'Workspaces';
const OfWorkspace = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), userId: z.string() });

const list = operation({
  id: 'members.list',
  method: 'GET',
  path: '/api/workspaces/{id}/members',
  summary: 'List members and those who are invited',
  tag,
  access: { resource: 'member', action: 'read' },
  workspaceParam: 'id',
  effect: 'read',
  params: OfWorkspace,
  query: MemberQuery,
  output: MemberPage,
  run: async ({ db }, { params: { id }, query }) => {
    const { data, total } = await membersOf(db, id, query);
    return { data, total, limit: query.limit, offset: query.offset };
  },
});

const invite = operation({
  id: 'members.invite',
  method: 'POST',
  path: '/api/workspaces/{id}/members',
  summary: 'Invite somebody',
  description:
    'The answer shows the link, once; it is mailed, too, where mail is set up. Valid for 7 days. Inviting again ' +
    'replaces the link.',
  tag,
  access: { resource: 'member', action: 'create' },
  workspaceParam: 'id',
  effect: 'write',
  params: OfWorkspace,
  body: InviteRequest,
  output: Invited,
  status: 201,
  audit: 'configuration_change',
  async run({ db, caller, note, afterwards }, { params: { id }, body: { email, role: name } }) {
    const [role] = await grantableRoles(db, caller, [name], 'role');
    if (!role) throw notFound('The role');
    if (await db.member.findFirst({ where: { workspaceId: id, user: { email } } })) {
      throw conflict('This person is a member already.');
    }
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
      joinedAt: null,
      inviteUrl,
    };
  },
});

const update = operation({
  id: 'members.update',
  method: 'PUT',
  path: '/api/workspaces/{id}/members/{userId}',
  summary: 'Change the roles of a member',
  tag,
  access: { resource: 'member', action: 'update' },
  workspaceParam: 'id',
  effect: 'write',
  params: One,
  body: MemberUpdate,
  output: Member,
  audit: 'configuration_change',
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
  summary: 'Remove a member, or take an invitation back',
  description: 'Their tokens, keys and sockets stop reaching this workspace at once. The last owner can’t leave.',
  tag,
  access: { resource: 'member', action: 'delete' },
  workspaceParam: 'id',
  effect: 'write',
  params: One,
  audit: 'configuration_change',
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
  summary: 'Leave a workspace',
  description: 'Open to every member but the last owner.',
  tag,
  access: 'signed-in',
  workspaceParam: 'id',
  effect: 'write',
  params: OfWorkspace,
  audit: 'configuration_change',
  async run({ db, person: { userId }, note }, { params: { id } }) {
    note({ resourceId: userId });
    await lockRoles(db, id);
    await activeMember(db, id, userId);
    if (await isLastOwner(db, id, userId)) throw conflict('The last owner can’t leave.');
    await removeMember(db, id, userId);
  },
});

export const members = [list, invite, update, remove, leave];
