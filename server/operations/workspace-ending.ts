import { z } from 'zod';
import { Member, OwnershipTransfer, WorkspaceDelete } from '@/contract/workspace';
import { operation } from '../api/operation';
import { conflict, forbidden, invalidField } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { record } from '../auth/audit';
import { activeMember, replaceRoles } from '../auth/members';
import { heldByMember, systemRoleId } from '../auth/permissions';
import { requireProof } from '../auth/proof';
import { lockRoles } from '../auth/roles';
import type { Db } from '../db/client';
import { removeDeleted } from '../engine/removal';
import { cancel } from '../engine/requests';

const tag = 'Workspaces';
const Id = z.strictObject({ id: z.string() });

/** Any number: of two that delete the last two workspaces at once, one is too late. */
const LOCK = 7_130_403;

const remove = operation({
  id: 'workspaces.delete',
  method: 'DELETE',
  path: '/api/workspaces/{id}',
  summary: 'Delete a workspace for good',
  description:
    'Its owner gives its name and, where they have them, their password and a code of their second factor. Nobody ' +
    'reaches anything of it from that moment on; runs end, credentials are gone, and what remains is removed in the ' +
    'background. Its audit entries are kept as long as any. The only workspace of a service stays.',
  tag,
  access: { resource: 'workspace', action: 'delete' },
  workspaceParam: 'id',
  // Checking a password takes a quarter of a second of CPU: no transaction is kept open for it.
  effect: 'submit',
  params: Id,
  body: WorkspaceDelete,
  audit: 'configuration_change',
  async run(call, { params: { id }, body: { name, ...proof } }) {
    const workspace = await call.db.workspace.findUniqueOrThrow({ where: { id } });
    if (name !== workspace.name) throw invalidField('name', 'is not the name of this workspace');
    await requireProof(call, proof);
    call.note({ metadata: { name, slug: workspace.slug } });
    await transaction(true, async (db) => {
      await requireOther(db);
      await close(db, id);
      await record(db, [call.auditEntry()]);
    });
    call.afterwards(removeDeleted);
  },
});

/** Without any workspace nobody could sign in to anything, and the service would look for its first owner again. */
async function requireOther(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  if ((await db.workspace.count({ where: { deletedAt: null } })) > 1) return;
  throw conflict('It is the only workspace of this service.');
}

/** From the commit on nobody is a member, nothing calls in, and no secret is left. */
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
  summary: 'Hand a workspace over to another member',
  description:
    'That member becomes an owner, and the caller an admin. The caller gives their password and a code of their second ' +
    'factor, where they have them.',
  tag,
  access: { resource: 'workspace', action: 'assign' },
  workspaceParam: 'id',
  effect: 'submit',
  params: Id,
  body: OwnershipTransfer,
  output: Member,
  audit: 'configuration_change',
  async run(call, { params: { id }, body: { userId, ...proof } }) {
    const { caller } = call;
    if (userId === caller.userId) throw invalidField('userId', 'is you');
    if (!(await call.db.member.findFirst({ where: { workspaceId: id, userId } }))) {
      throw invalidField('userId', 'is not a member of this workspace');
    }
    await requireProof(call, proof);
    call.note({ metadata: { from: caller.userId, to: userId } });
    const handOver = async (db: Db) => {
      await lockRoles(db, id);
      // Two things may have happened meanwhile.
      const mine = await rolesIn(db, id, caller.userId);
      if (!mine.has(systemRoleId('owner'))) throw forbidden('Only an owner can hand a workspace over.');
      await activeMember(db, id, userId);
      mine.delete(systemRoleId('owner'));
      await replaceRoles(db, id, caller.userId, [...mine, systemRoleId('admin')]);
      await replaceRoles(db, id, userId, [...(await rolesIn(db, id, userId)), systemRoleId('owner')]);
      await record(db, [call.auditEntry()]);
      return activeMember(db, id, userId);
    };
    return call.inTransaction ? handOver(call.db) : transaction(true, handOver);
  },
});

/** Ids of the roles that a member holds in the whole workspace. */
const rolesIn = async (db: Db, workspaceId: string, userId: string): Promise<Set<string>> =>
  new Set((await heldByMember(db, workspaceId, userId)).flatMap(({ type, roleId }) => (type === null ? roleId : [])));

export const workspaceEnding = [remove, transfer];
