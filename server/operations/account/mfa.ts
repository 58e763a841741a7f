import { z } from 'zod';
import { BackupCodes, MfaSetup, MfaState, MfaVerified, SecondFactor } from '@/contract/access/mfa';
import { memberAccess, operation, signedInAccess, type PersonCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, forbidden, unauthorized } from '@/server/errors/problem';
import { hasWholeAuthority, requireAuthority } from '@/server/access/authority';
import type { Person } from '@/server/access/caller';
import {
  beginEnrolment,
  isFactorOffered,
  isFactorRequired,
  lockFactor,
  removeFactor,
  renewBackupCodes,
  requireWholeAccount,
  useCode,
  type Verified,
} from '@/server/auth/mfa';
import { claimOf } from '@/server/auth/proof';
import { callerFromSession, endSessionsOf } from '@/server/auth/session';
import { countFailure, countSuccess, requireUnblocked, unblock } from '@/server/auth/throttle';

const tag = 'Second factor';
const path = '/auth/mfa';

const get = operation({
  id: 'mfa.get',
  method: 'GET',
  path,
  summary: 'Whether a second factor is set up, and whether one is required',
  tag,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: readEffect(),
  reply: jsonReply(MfaState),
  async run({ db, person }) {
    const { userId, onlyWorkspaceId } = person;
    const standing = await callerFromSession(requireSession(person));
    const user = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const enabled = user.mfaEnabledAt !== null;
    const backupCodesRemaining = enabled ? await db.backupCode.count({ where: { userId, usedAt: null } }) : 0;
    return {
      enabled,
      required: await isFactorRequired(db, userId, onlyWorkspaceId),
      offered: await isFactorOffered(db, userId, onlyWorkspaceId),
      pending: standing?.pendingFactor ?? null,
      backupCodesRemaining,
    };
  },
});

const setUp = operation({
  id: 'mfa.create',
  method: 'POST',
  path,
  summary: 'Set up an authenticator app',
  description: 'Takes effect after `PUT /auth/mfa` has confirmed it with a first code.',
  tag,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  reply: jsonReply(MfaSetup, { status: 201 }),
  async run({ db, person }) {
    requireSession(person);
    await requireWholeAccount(db, person);
    return beginEnrolment(db, person);
  },
});

const verify = operation({
  id: 'mfa.verify',
  method: 'PUT',
  path,
  summary: 'Verify a code; the first one turns the second factor on',
  description:
    'Each code works once. Turning it on ends the user’s other sessions, which have not verified one. After a sign-in through a ' +
    'provider that is not trusted with it, this verifies the second factor.',
  tag,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactor),
  reply: jsonReply(MfaVerified),
  async run(call, { body: { code } }) {
    const { db, person } = call;
    const sessionId = requireSession(person);
    const before = await db.user.findUniqueOrThrow({ where: { id: person.userId } });
    if (!before.mfaEnabledAt) await requireWholeAccount(db, person);
    const verified = await spend(call, code);
    if (!before.mfaEnabledAt) await endSessionsOf(db, person.userId, sessionId);
    await db.session.update({ where: { id: sessionId }, data: { factorAt: new Date() } });
    call.note({ metadata: { method: verified.method, turnedOn: before.mfaEnabledAt === null } });
    return { verified: true as const, ...verified };
  },
});

const turnOff = operation({
  id: 'mfa.delete',
  method: 'DELETE',
  path,
  summary: 'Turn the second factor off',
  tag,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactor),
  async run(call, { body: { code } }) {
    await requireEnabled(call);
    await spend(call, code);
    await removeFactor(call.db, call.person.userId);
  },
});

const renew = operation({
  id: 'mfa.renew',
  method: 'POST',
  path: '/auth/mfa/backup_codes',
  summary: 'Create ten new backup codes; the old ones stop working',
  tag,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactor),
  reply: jsonReply(BackupCodes, { status: 201 }),
  async run(call, { body: { code } }) {
    await requireEnabled(call);
    await spend(call, code);
    return { backupCodes: await renewBackupCodes(call.db, call.person.userId) };
  },
});

const Member = z.strictObject({ id: z.string(), userId: z.string() });

const reset = operation({
  id: 'members.resetMfa',
  method: 'DELETE',
  path: '/api/workspaces/{id}/members/{userId}/mfa',
  summary: 'Remove a member’s second factor, so that they can set up a new one',
  description:
    'Ends their sessions. Only of members who may no more than the caller, and who belong to no workspace that the caller ' +
    'doesn’t administer: the second factor guards those, too.',
  tag: 'Members',
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: Member,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    await requireAuthority(db, caller, userId);
    if (!(await hasWholeAuthority(db, caller, userId))) {
      throw forbidden('This member belongs to other workspaces, which their second factor guards, too.');
    }
    await removeFactor(db, userId);
    await endSessionsOf(db, userId, caller.userId === userId ? caller.sessionId : null);
  },
});

const unlock = operation({
  id: 'members.unlock',
  method: 'DELETE',
  path: '/api/workspaces/{id}/members/{userId}/lock',
  summary: 'Lift a member’s block after failed sign-ins',
  tag: 'Members',
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: Member,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    const email = await requireAuthority(db, caller, userId);
    // Failures in sessions of the workspace's provider.
    await unblock(userId);
    // Failures of the account's own sign-in are visible only to workspaces whose membership the user accepted.
    const accepted = { workspaceId: caller.workspaceId, userId, acceptedAt: { not: null } };
    if (await db.member.findFirst({ where: accepted })) await unblock(email);
  },
});

/** Consumes a code of the caller. Throws 401, and 429 after too many wrong ones. */
async function spend(call: PersonCall, code: string): Promise<Verified> {
  const { db, person } = call;
  const claim = claimOf(call);
  // Concurrent guesses are serialized, so that each sees the failures before it.
  await lockFactor(db, person.userId);
  await requireUnblocked(claim);
  const verified = await useCode(db, person.userId, code);
  if (!verified) {
    await countFailure(claim);
    throw unauthorized('The code is wrong or was used before.', [{ field: 'code', message: 'is not valid' }]);
  }
  await countSuccess(claim);
  return verified;
}

function requireSession({ sessionId }: Person): string {
  if (!sessionId) throw forbidden('An API key has no second factor.');
  return sessionId;
}

async function requireEnabled({ db, person }: PersonCall): Promise<void> {
  const { mfaEnabledAt } = await db.user.findUniqueOrThrow({ where: { id: person.userId } });
  if (!mfaEnabledAt) throw conflict('No second factor is turned on.');
}

export const mfa = [get, setUp, verify, turnOff, renew, reset, unlock];
