import { z } from 'zod';
import { Member, OwnershipTransfer, WorkspaceDelete } from '@/contract/workspace';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation-parts';
import { conflict, forbidden, invalidField } from '@/server/errors/problem';
import { retryCollision } from '@/server/db/failures/retry-collision';
import { transaction } from '@/server/db/transaction';
import { record } from '@/server/audit/record';
import { activeMember, replaceRoles } from '@/server/access/members';
import { belongingTo } from '@/server/access/membership';
import { rolesOfMember } from '@/server/access/permissions';
import { systemRoleId } from '@/server/db/system-role-id';
import { requireProof } from '@/server/auth/proof';
import { lockRoles } from '@/server/access/roles';
import type { Db } from '@/server/db/client';
import { removeDeleted } from '@/server/engine/store/removal';
import { cancel } from '@/server/engine/queue/requests';

const tag = 'Workspaces';
const Id = z.strictObject({ id: z.string() });

/** Key of an advisory lock: of two concurrent deletions of the last two workspaces, one fails. */
const LOCK = 7_130_403;

const remove = operation({
  id: 'workspaces.delete',
  method: 'DELETE',
  path: '/api/workspaces/{id}',
  summary: 'Delete a workspace for good',
  description:
    'Its owner gives its name and, where they have them, their password and a code of their second factor. It can ' +
    'not be opened from that moment on; runs end, credentials are gone, and what remains is removed in the ' +
    'background. Its audit entries are kept as long as any. The only workspace of a service stays.',
  tag,
  access: memberAccess('workspace', 'delete', { workspaceParam: 'id' }),
  // Checking a password takes a quarter of a second of CPU time, so it happens outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: Id,
  body: jsonBody(WorkspaceDelete),
  async run(call, { params: { id }, body: { name, ...proof } }) {
    const workspace = await call.db.workspace.findUniqueOrThrow({ where: { id } });
    if (name !== workspace.name) throw invalidField('name', 'is not the name of this workspace');
    await requireProof(call, proof);
    call.note({ metadata: { name, slug: workspace.slug } });
    // Its runs are written meanwhile, in another order.
    await retryCollision(() =>
      transaction(true, async (db) => {
        await requireOther(db);
        await close(db, id);
        await record(db, [call.auditEntry()]);
      }),
    );
    call.afterwards(removeDeleted);
  },
});

/** Without any workspace no user could sign in, and the service would create a first owner again. */
async function requireOther(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  if ((await db.workspace.count({ where: { deletedAt: null } })) > 1) return;
  throw conflict('It is the only workspace of this service.');
}

/** From the commit on there are no members, no triggers and no secrets. */
async function close(db: Db, workspaceId: string): Promise<void> {
  const where = { workspaceId };
  await lockRoles(db, workspaceId);
  const providers = await db.ssoProvider.findMany({ where, select: { id: true } });
  await db.ssoIdentity.deleteMany({ where: { providerId: { in: providers.map(({ id }) => id) } } });
  await db.session.updateMany({ where: { ...where, endedAt: null }, data: { endedAt: new Date() } });
  await db.ssoProvider.deleteMany({ where });
  await db.apiKey.deleteMany({ where });
  await db.invitation.deleteMany({ where });
  await db.roleAssignment.deleteMany({ where });
  await db.role.deleteMany({ where });
  await db.member.deleteMany({ where });
  await db.schedule.deleteMany({ where: { workflow: where } });
  await db.poll.deleteMany({ where: { workflow: where } });
  await db.oauthAttempt.deleteMany({ where });
  await db.connectorRegistration.deleteMany({ where });
  await db.credential.deleteMany({ where });
  const status = { notIn: ['completed', 'failed'] };
  const running = await db.execution.findMany({ where: { ...where, status }, select: { id: true } });
  const ids = running.map(({ id }) => id);
  if (ids.length > 0) await cancel(db, ids);
  await db.workspace.update({ where: { id: workspaceId }, data: { deletedAt: new Date(), slug: workspaceId } });
}

const transfer = operation({
  id: 'workspaces.transfer',
  method: 'POST',
  path: '/api/workspaces/{id}/transfer',
  summary: 'Transfer a workspace to another member',
  description:
    'That member becomes an owner, and the caller an admin. The caller gives their password and a code of their second ' +
    'factor, where they have them.',
  tag,
  access: memberAccess('workspace', 'assign', { workspaceParam: 'id' }),
  effect: submitEffect('configuration_change'),
  params: Id,
  body: jsonBody(OwnershipTransfer),
  reply: jsonReply(Member),
  async run(call, { params: { id }, body: { userId, ...proof } }) {
    const { caller } = call;
    if (userId === caller.userId) throw invalidField('userId', 'is you');
    await requireHeir(call.db, id, userId);
    await requireProof(call, proof);
    call.note({ metadata: { from: caller.userId, to: userId } });
    const handOver = async (db: Db) => {
      await lockRoles(db, id);
      // Both may have changed meanwhile.
      const mine = await rolesIn(db, id, caller.userId);
      if (!mine.has(systemRoleId('owner'))) throw forbidden('Only an owner can transfer a workspace.');
      await requireHeir(db, id, userId);
      mine.delete(systemRoleId('owner'));
      await replaceRoles(db, id, caller.userId, [...mine, systemRoleId('admin')]);
      await replaceRoles(db, id, userId, [...(await rolesIn(db, id, userId)), systemRoleId('owner')]);
      await record(db, [call.auditEntry()]);
      return activeMember(db, id, userId);
    };
    return call.inTransaction ? handOver(call.db) : transaction(true, handOver);
  },
});

/** A user becomes owner only of a workspace whose membership they accepted. */
async function requireHeir(db: Db, workspaceId: string, userId: string): Promise<void> {
  const user = belongingTo(workspaceId);
  if (await db.member.findFirst({ where: { workspaceId, userId, user } })) return;
  const isMember = (await db.member.count({ where: { workspaceId, userId } })) > 0;
  throw invalidField(
    'userId',
    isMember ? 'has not accepted to be a member of this workspace yet' : 'is not a member of this workspace',
  );
}

/** Ids of the roles that a member holds in the whole workspace. */
const rolesIn = async (db: Db, workspaceId: string, userId: string): Promise<Set<string>> =>
  new Set((await rolesOfMember(db, workspaceId, userId)).flatMap(({ type, roleId }) => (type === null ? roleId : [])));

export const workspaceEnding = [remove, transfer];
