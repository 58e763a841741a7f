import { z } from 'zod';
import {
  BackupCodesResponse,
  MfaSetupResponse,
  MfaStateResponse,
  VerifyMfaResponse,
  SecondFactorCode,
} from '@/contract/access/mfa';
import { memberAccess, defineOperation, signedInAccess, type PersonCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, forbiddenProblem, unauthorizedProblem } from '@/server/platform/errors/problem';
import { hasAccountAuthority, requireMemberAuthority } from '@/server/people/access/authority';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import {
  beginMfaEnrolment,
  isSecondFactorOffered,
  isSecondFactorRequired,
  lockSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  requireWholeAccountSession,
  redeemMfaCode,
  type FactorVerification,
} from '@/server/people/auth/mfa';
import { proofSignInClaim } from '@/server/people/auth/proof';
import { findSessionCaller, endUserSessions } from '@/server/people/auth/session';
import {
  countSignInFailure,
  countSignInSuccess,
  requireSignInUnblocked,
  unblockAccount,
} from '@/server/people/auth/throttle';

const MFA_TAG = 'Second factor';
const MFA_PATH = '/auth/mfa';

const getMfaOperation = defineOperation({
  id: 'mfa.get',
  method: 'GET',
  path: MFA_PATH,
  summary: 'Whether a second factor is set up, and whether one is required',
  tag: MFA_TAG,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: readEffect(),
  reply: jsonReply(MfaStateResponse),
  async run({ db, person }) {
    const { userId, onlyWorkspaceId } = person;
    const standing = await findSessionCaller(requireOwnSession(person));
    const user = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const enabled = user.mfaEnabledAt !== null;
    const backupCodesRemaining = enabled ? await db.backupCode.count({ where: { userId, usedAt: null } }) : 0;
    return {
      enabled,
      required: await isSecondFactorRequired(db, userId, onlyWorkspaceId),
      offered: await isSecondFactorOffered(db, userId, onlyWorkspaceId),
      pending: standing?.pendingFactor ?? null,
      backupCodesRemaining,
    };
  },
});

const setUpMfaOperation = defineOperation({
  id: 'mfa.create',
  method: 'POST',
  path: MFA_PATH,
  summary: 'Set up an authenticator app',
  description: 'Takes effect after `PUT /auth/mfa` has confirmed it with a first code.',
  tag: MFA_TAG,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  reply: jsonReply(MfaSetupResponse, { status: 201 }),
  async run({ db, person }) {
    requireOwnSession(person);
    await requireWholeAccountSession(db, person);
    return beginMfaEnrolment(db, person);
  },
});

const verifyMfaOperation = defineOperation({
  id: 'mfa.verify',
  method: 'PUT',
  path: MFA_PATH,
  summary: 'Verify a code; the first one turns the second factor on',
  description:
    'Each code works once. Turning it on ends the user’s other sessions, which have not verified one. After a sign-in through a ' +
    'provider that is not trusted with it, this verifies the second factor.',
  tag: MFA_TAG,
  access: signedInAccess({ allowsLimited: 'session', allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactorCode),
  reply: jsonReply(VerifyMfaResponse),
  async run(call, { body: { code } }) {
    const { db, person } = call;
    const sessionId = requireOwnSession(person);
    const before = await db.user.findUniqueOrThrow({ where: { id: person.userId } });
    if (!before.mfaEnabledAt) await requireWholeAccountSession(db, person);
    const verified = await consumeMfaCode(call, code);
    if (!before.mfaEnabledAt) await endUserSessions(db, person.userId, sessionId);
    await db.session.update({ where: { id: sessionId }, data: { factorAt: new Date() } });
    call.note({ metadata: { method: verified.method, turnedOn: before.mfaEnabledAt === null } });
    return { verified: true as const, ...verified };
  },
});

const turnOffMfaOperation = defineOperation({
  id: 'mfa.delete',
  method: 'DELETE',
  path: MFA_PATH,
  summary: 'Turn the second factor off',
  tag: MFA_TAG,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactorCode),
  async run(call, { body: { code } }) {
    await requireEnabledMfa(call);
    await consumeMfaCode(call, code);
    await removeSecondFactor(call.db, call.person.userId);
  },
});

const renewBackupCodesOperation = defineOperation({
  id: 'mfa.renew',
  method: 'POST',
  path: '/auth/mfa/backup_codes',
  summary: 'Create ten new backup codes; the old ones stop working',
  tag: MFA_TAG,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(SecondFactorCode),
  reply: jsonReply(BackupCodesResponse, { status: 201 }),
  async run(call, { body: { code } }) {
    await requireEnabledMfa(call);
    await consumeMfaCode(call, code);
    return { backupCodes: await renewBackupCodes(call.db, call.person.userId) };
  },
});

const MfaMemberParams = z.strictObject({ id: z.string(), userId: z.string() });

const resetMemberMfaOperation = defineOperation({
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
  params: MfaMemberParams,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    await requireMemberAuthority(db, caller, userId);
    if (!(await hasAccountAuthority(db, caller, userId))) {
      throw forbiddenProblem('This member belongs to other workspaces, which their second factor guards, too.');
    }
    await removeSecondFactor(db, userId);
    await endUserSessions(db, userId, caller.userId === userId ? caller.sessionId : null);
  },
});

const unlockMemberOperation = defineOperation({
  id: 'members.unlock',
  method: 'DELETE',
  path: '/api/workspaces/{id}/members/{userId}/lock',
  summary: 'Lift a member’s block after failed sign-ins',
  tag: 'Members',
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: MfaMemberParams,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    const email = await requireMemberAuthority(db, caller, userId);
    // This lifts the block from failures in sessions of the workspace's provider.
    await unblockAccount(userId);
    // Failures of the account's own sign-in are visible only to workspaces whose membership the user accepted.
    const accepted = { workspaceId: caller.workspaceId, userId, acceptedAt: { not: null } };
    if (await db.member.findFirst({ where: accepted })) await unblockAccount(email);
  },
});

/** Consumes a code of the caller. Throws 401, and 429 after too many wrong ones. */
async function consumeMfaCode(call: PersonCall, code: string): Promise<FactorVerification> {
  const { db, person } = call;
  const claim = proofSignInClaim(call);
  // Concurrent guesses are serialized, so that each sees the failures before it.
  await lockSecondFactor(db, person.userId);
  await requireSignInUnblocked(claim);
  const verified = await redeemMfaCode(db, person.userId, code);
  if (!verified) {
    await countSignInFailure(claim);
    throw unauthorizedProblem('The code is wrong or was used before.', [{ field: 'code', message: 'is not valid' }]);
  }
  await countSignInSuccess(claim);
  return verified;
}

function requireOwnSession({ sessionId }: AuthenticatedPerson): string {
  if (!sessionId) throw forbiddenProblem('An API key has no second factor.');
  return sessionId;
}

async function requireEnabledMfa({ db, person }: PersonCall): Promise<void> {
  const { mfaEnabledAt } = await db.user.findUniqueOrThrow({ where: { id: person.userId } });
  if (!mfaEnabledAt) throw conflictProblem('No second factor is turned on.');
}

export const mfaOperations = [
  getMfaOperation,
  setUpMfaOperation,
  verifyMfaOperation,
  turnOffMfaOperation,
  renewBackupCodesOperation,
  resetMemberMfaOperation,
  unlockMemberOperation,
];
