import type { AuditResult } from '@/contract/access/security';
import { LoginTokens, ChangePasswordRequest, SignUpRequest } from '@/contract/access/session';
import { defineOperation, publicAccess, signedInAccess, type PersonCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, forbiddenProblem, invalidFieldProblem, ApiProblem } from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { personAuditEntries, appendAuditEntries } from '@/server/people/audit/record';
import { isEmailVerificationNeeded, mailVerificationLink } from '@/server/people/accounts/email-verification';
import { issueLoginTokens } from '@/server/people/auth/login';
import { hashPassword, verifyPassword } from '@/server/people/auth/password';
import { requireStrongPassword } from '@/server/people/auth/password-rules';
import { createServiceAccount } from '@/server/people/auth/people';
import { minPasswordLength } from '@/server/people/access/policy';
import { recordRefusals } from '@/server/people/audit/refusals';
import { endUserSessions, openLoginSession } from '@/server/people/auth/session';
import { countSignInFailure, countSignInSuccess, requireSignInUnblocked } from '@/server/people/auth/throttle';
import { createWorkspace } from '@/server/people/accounts/workspaces';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';

const ACCOUNT_TAG = 'Authentication';

/** The limit counts characters, so that none is cut in half. */
const MAX_OWNER_NAME_LENGTH = 90;
const defaultWorkspaceName = (name: string) => `${[...name].slice(0, MAX_OWNER_NAME_LENGTH).join('')}’s workspace`;

const signUpOperation = defineOperation({
  id: 'auth.signUp',
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'Create an account and a workspace',
  description:
    'Only where `MULTI_TENANT=true`; elsewhere users are invited. Signs in, and mails a link that confirms the address: ' +
    'until it is opened, the workspace sends no mail through the service’s own server.',
  tag: ACCOUNT_TAG,
  access: publicAccess(),
  // Hashing a password takes a quarter of a second of CPU time, so it happens outside of a transaction.
  effect: submitEffect('configuration_change'),
  body: jsonBody(SignUpRequest),
  reply: jsonReply(LoginTokens, { status: 201 }),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { name, email, password, workspaceName } }) {
    if (!getRuntime().env.multiTenant) throw forbiddenProblem('Sign-up is disabled: users are invited.');
    // Requests for many addresses reveal which are taken, so they are counted per client address.
    const claim = { email: null, ipAddress: call.ipAddress, headers: call.headers };
    await requireSignInUnblocked(claim);
    requireStrongPassword(password, 'password', { email, name });
    const passwordHash = await hashPassword(password);
    const tokens = await runInDatabaseTransaction(true, async (db) => {
      const userId = await createServiceAccount(db, { email, name, passwordHash, emailProvenAt: null });
      if (userId === null) return null;
      const { id: workspaceId } = await createWorkspace(db, {
        name: workspaceName ?? defaultWorkspaceName(name),
        ownerId: userId,
      });
      call.note({ resourceId: userId, workspaceId, actorId: userId });
      await appendAuditEntries(db, [call.auditEntry()]);
      if (isEmailVerificationNeeded()) {
        call.afterwards(() => mailVerificationLink({ userId, email }, { workspaceId, ipAddress: call.ipAddress }));
      }
      return issueLoginTokens(db, await openLoginSession(db, userId, call), userId);
    });
    if (tokens) return tokens;
    await countSignInFailure(claim);
    throw conflictProblem('There is an account with this address already. Sign in instead.');
  },
});

const changePasswordOperation = defineOperation({
  id: 'auth.changePassword',
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Change my password',
  description:
    'Ends all other sessions. A wrong current password is a 400 on `currentPassword` and counts as a failed login.',
  tag: ACCOUNT_TAG,
  access: signedInAccess(),
  // Hashing is slow, so it happens outside of the transaction, as it does at login.
  effect: submitEffect('authentication'),
  body: jsonBody(ChangePasswordRequest),
  async run(call, { body: { currentPassword, newPassword } }) {
    const { userId, email, sessionId } = call.person;
    const claim = { email, ipAddress: call.ipAddress, headers: call.headers };
    const refuseIfBlocked = () =>
      requireSignInUnblocked(claim).catch((error: unknown) =>
        failPasswordChange(call, error, 'denied', 'too many failed attempts'),
      );
    await refuseIfBlocked();
    const user = await prismaClient().user.findUniqueOrThrow({ where: { id: userId } });
    if (!(await verifyPassword(currentPassword, user.passwordHash))) {
      await countSignInFailure(claim);
      return failPasswordChange(
        call,
        invalidFieldProblem('currentPassword', 'is wrong'),
        'failure',
        'wrong current password',
      );
    }
    // Parallel guesses may have used up the limit meanwhile: then the right password is refused as well.
    await refuseIfBlocked();
    requireStrongPassword(newPassword, 'newPassword', user, await minPasswordLength(prismaClient(), userId));
    const passwordHash = await hashPassword(newPassword);
    const change = async (db: DatabaseClient) => {
      // Of two concurrent changes with the same current password, the later one fails.
      const { count } = await db.user.updateMany({
        where: { id: userId, passwordHash: user.passwordHash },
        data: { passwordHash },
      });
      if (count === 0) throw conflictProblem('The password was changed by another request.');
      await endUserSessions(db, userId, sessionId);
      await appendAuditEntries(db, await passwordChangeEntries(db, call, 'success'));
    };
    await (call.inTransaction ? change(call.db) : runInDatabaseTransaction(true, change));
    await countSignInSuccess(claim);
  },
});

const passwordChangeEntries = (db: DatabaseClient, call: PersonCall, result: AuditResult, reason?: string) =>
  personAuditEntries(
    db,
    call.person,
    { category: 'authentication', action: 'auth.changePassword', result, reason },
    call,
  );

async function failPasswordChange(
  call: PersonCall,
  error: unknown,
  result: 'failure' | 'denied',
  reason: string,
): Promise<never> {
  if (error instanceof ApiProblem)
    await recordRefusals(await passwordChangeEntries(prismaClient(), call, result, reason));
  throw error;
}

export const accountOperations = [signUpOperation, changePasswordOperation];
