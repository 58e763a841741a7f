import { z } from 'zod';
import { MemberResponse, TransferOwnershipRequest, DeleteWorkspaceRequest } from '@/contract/workspace';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, forbiddenProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { retryCollision } from '@/server/platform/db/failures/retry-collision';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { appendAuditEntries } from '@/server/people/audit/record';
import { findActiveMember, replaceRoles } from '@/server/people/access/members';
import { peopleBelongingTo } from '@/server/people/access/membership';
import { findHeldRoles } from '@/server/people/access/permissions';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { requireIdentityProof } from '@/server/people/auth/proof';
import { lockWorkspaceRoles } from '@/server/people/access/roles';
import type { DatabaseClient } from '@/server/platform/db/client';
import { removeDeletedWorkspaces } from '@/server/engine/store/workspace-removal';
import { requestCancellation } from '@/server/engine/queue/requests';

const WORKSPACE_OWNERSHIP_TAG = 'Workspaces';
const WorkspaceOwnershipParams = z.strictObject({ id: z.string() });

/** Key of the advisory lock that makes one of two concurrent deletions of the last two workspaces fail. */
const DELETION_LOCK_KEY = 7_130_403;

const deleteWorkspaceOperation = defineOperation({
  id: 'workspaces.delete',
  method: 'DELETE',
  path: '/api/workspaces/{id}',
  summary: 'Delete a workspace for good',
  description:
    'Its owner gives its name and, where they have them, their password and a code of their second factor. It can ' +
    'not be opened from that moment on; runs end, credentials are gone, and what remains is removed in the ' +
    'background. Its audit entries are kept as long as any. The only workspace of a service stays.',
  tag: WORKSPACE_OWNERSHIP_TAG,
  access: memberAccess('workspace', 'delete', { workspaceParam: 'id' }),
  // Checking a password takes a quarter of a second of CPU time, so it happens outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: WorkspaceOwnershipParams,
  body: jsonBody(DeleteWorkspaceRequest),
  async run(call, { params: { id }, body: { name, ...proof } }) {
    const workspace = await call.db.workspace.findUniqueOrThrow({ where: { id } });
    if (name !== workspace.name) throw invalidFieldProblem('name', 'is not the name of this workspace');
    await requireIdentityProof(call, proof);
    call.note({ metadata: { name, slug: workspace.slug } });
    // Workers write the workspace's runs meanwhile and lock rows in another order, so a deadlock is retried.
    await retryCollision(() =>
      runInDatabaseTransaction(true, async (db) => {
        await requireOtherWorkspace(db);
        await closeWorkspace(db, id);
        await appendAuditEntries(db, [call.auditEntry()]);
      }),
    );
    call.afterwards(removeDeletedWorkspaces);
  },
});

/** Without any workspace no user could sign in, and the service would create a first owner again. */
async function requireOtherWorkspace(db: DatabaseClient): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${DELETION_LOCK_KEY})`;
  if ((await db.workspace.count({ where: { deletedAt: null } })) > 1) return;
  throw conflictProblem('It is the only workspace of this service.');
}

/** Removes members, triggers and secrets, so that the workspace is closed from the commit on. */
async function closeWorkspace(db: DatabaseClient, workspaceId: string): Promise<void> {
  const where = { workspaceId };
  await lockWorkspaceRoles(db, workspaceId);
  const providers = await db.ssoProvider.findMany({ where, select: { id: true } });
  await db.ssoIdentity.deleteMany({ where: { providerId: { in: providers.map(({ id }) => id) } } });
  await db.session.updateMany({ where: { ...where, endedAt: null }, data: { endedAt: new Date() } });
  await db.ssoProvider.deleteMany({ where });
  await db.apiKey.deleteMany({ where });
  await db.invitation.deleteMany({ where });
  await db.roleAssignment.deleteMany({ where });
  await db.role.deleteMany({ where });
  await db.savedFilter.deleteMany({ where });
  await db.member.deleteMany({ where });
  await db.schedule.deleteMany({ where: { workflow: where } });
  await db.poll.deleteMany({ where: { workflow: where } });
  await db.oauthAttempt.deleteMany({ where });
  await db.connectorRegistration.deleteMany({ where });
  await db.credential.deleteMany({ where });
  const status = { notIn: ['completed', 'failed'] };
  const running = await db.execution.findMany({ where: { ...where, status }, select: { id: true } });
  const ids = running.map(({ id }) => id);
  if (ids.length > 0) await requestCancellation(db, ids);
  await db.workspace.update({ where: { id: workspaceId }, data: { deletedAt: new Date(), slug: workspaceId } });
}

const transferWorkspaceOperation = defineOperation({
  id: 'workspaces.transfer',
  method: 'POST',
  path: '/api/workspaces/{id}/transfer',
  summary: 'Transfer a workspace to another member',
  description:
    'That member becomes an owner, and the caller an admin. The caller gives their password and a code of their second ' +
    'factor, where they have them.',
  tag: WORKSPACE_OWNERSHIP_TAG,
  access: memberAccess('workspace', 'assign', { workspaceParam: 'id' }),
  effect: submitEffect('configuration_change'),
  params: WorkspaceOwnershipParams,
  body: jsonBody(TransferOwnershipRequest),
  reply: jsonReply(MemberResponse),
  async run(call, { params: { id }, body: { userId, ...proof } }) {
    const { caller } = call;
    if (userId === caller.userId) throw invalidFieldProblem('userId', 'is you');
    await requireAcceptedMember(call.db, id, userId);
    await requireIdentityProof(call, proof);
    call.note({ metadata: { from: caller.userId, to: userId } });
    const handOver = async (db: DatabaseClient) => {
      await lockWorkspaceRoles(db, id);
      // Both may have changed meanwhile.
      const mine = await readWorkspaceRoleIds(db, id, caller.userId);
      if (!mine.has(systemRoleId('owner'))) throw forbiddenProblem('Only an owner can transfer a workspace.');
      await requireAcceptedMember(db, id, userId);
      mine.delete(systemRoleId('owner'));
      await replaceRoles(db, id, caller.userId, [...mine, systemRoleId('admin')]);
      await replaceRoles(db, id, userId, [...(await readWorkspaceRoleIds(db, id, userId)), systemRoleId('owner')]);
      await appendAuditEntries(db, [call.auditEntry()]);
      return findActiveMember(db, id, userId);
    };
    return call.inTransaction ? handOver(call.db) : runInDatabaseTransaction(true, handOver);
  },
});

/** A user becomes owner only of a workspace whose membership they accepted. */
async function requireAcceptedMember(db: DatabaseClient, workspaceId: string, userId: string): Promise<void> {
  const user = peopleBelongingTo(workspaceId);
  if (await db.member.findFirst({ where: { workspaceId, userId, user } })) return;
  const isMember = (await db.member.count({ where: { workspaceId, userId } })) > 0;
  throw invalidFieldProblem(
    'userId',
    isMember ? 'has not accepted to be a member of this workspace yet' : 'is not a member of this workspace',
  );
}

/** Ids of the roles that a member holds in the whole workspace. */
const readWorkspaceRoleIds = async (db: DatabaseClient, workspaceId: string, userId: string): Promise<Set<string>> =>
  new Set((await findHeldRoles(db, workspaceId, userId)).flatMap(({ type, roleId }) => (type === null ? roleId : [])));

export const workspaceOwnershipOperations = [deleteWorkspaceOperation, transferWorkspaceOperation];
