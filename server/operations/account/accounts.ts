import type { AuditResult } from '@/contract/access/security';
import { LoginTokens, PasswordChange, SignUpRequest } from '@/contract/access/session';
import { operation, publicAccess, signedInAccess, type PersonCall } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation-parts';
import { conflict, forbidden, invalidField, Problem } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { personEntries, record } from '@/server/audit/record';
import { isVerificationNeeded, mailVerification } from '@/server/accounts/email-verification';
import { issueTokens } from '@/server/auth/login';
import { hashPassword, isPassword } from '@/server/auth/password';
import { requireStrong } from '@/server/auth/password-rules';
import { createPerson } from '@/server/auth/people';
import { shortestPasswordOf } from '@/server/access/policy';
import { recordRefusals } from '@/server/audit/refusals';
import { endSessionsOf, openSession } from '@/server/auth/session';
import { countFailure, countSuccess, requireUnblocked } from '@/server/auth/throttle';
import { createWorkspace } from '@/server/accounts/workspaces';
import { prisma, type Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';

const tag = 'Authentication';

/** Cuts whole characters. */
const MAX_NAME = 90;
const workspaceOf = (name: string) => `${[...name].slice(0, MAX_NAME).join('')}’s workspace`;

const signUp = operation({
  id: 'auth.signUp',
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'Create an account and a workspace',
  description:
    'Only where `MULTI_TENANT=true`; elsewhere users are invited. Signs in, and mails a link that confirms the address: ' +
    'until it is opened, the workspace sends no mail through the service’s own server.',
  tag,
  access: publicAccess(),
  // Hashing a password takes a quarter of a second of CPU time, so it happens outside of a transaction.
  effect: submitEffect('configuration_change'),
  body: jsonBody(SignUpRequest),
  reply: jsonReply(LoginTokens, { status: 201 }),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { name, email, password, workspaceName } }) {
    if (!runtime().env.multiTenant) throw forbidden('Sign-up is disabled: users are invited.');
    // Requests for many addresses reveal which are taken, so they are counted per client address.
    const claim = { email: null, ipAddress: call.ipAddress, headers: call.headers };
    await requireUnblocked(claim);
    requireStrong(password, 'password', { email, name });
    const passwordHash = await hashPassword(password);
    const tokens = await transaction(true, async (db) => {
      const userId = await createPerson(db, { email, name, passwordHash, emailProvenAt: null });
      if (userId === null) return null;
      const { id: workspaceId } = await createWorkspace(db, {
        name: workspaceName ?? workspaceOf(name),
        ownerId: userId,
      });
      call.note({ resourceId: userId, workspaceId, actorId: userId });
      await record(db, [call.auditEntry()]);
      if (isVerificationNeeded()) {
        call.afterwards(() => mailVerification({ userId, email }, { workspaceId, ipAddress: call.ipAddress }));
      }
      return issueTokens(db, await openSession(db, userId, call), userId);
    });
    if (tokens) return tokens;
    await countFailure(claim);
    throw conflict('There is an account with this address already. Sign in instead.');
  },
});

const changePassword = operation({
  id: 'auth.changePassword',
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Change my password',
  description:
    'Ends all other sessions. A wrong current password is a 400 on `currentPassword` and counts as a failed login.',
  tag,
  access: signedInAccess(),
  // As with login: slow work happens outside of the transaction.
  effect: submitEffect('authentication'),
  body: jsonBody(PasswordChange),
  async run(call, { body: { currentPassword, newPassword } }) {
    const { userId, email, sessionId } = call.person;
    const claim = { email, ipAddress: call.ipAddress, headers: call.headers };
    const refuseIfBlocked = () =>
      requireUnblocked(claim).catch((error: unknown) => failed(call, error, 'denied', 'too many failed attempts'));
    await refuseIfBlocked();
    const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
    if (!(await isPassword(currentPassword, user.passwordHash))) {
      await countFailure(claim);
      return failed(call, invalidField('currentPassword', 'is wrong'), 'failure', 'wrong current password');
    }
    // Parallel guesses may have used up the limit meanwhile: then the right password is refused as well.
    await refuseIfBlocked();
    requireStrong(newPassword, 'newPassword', user, await shortestPasswordOf(prisma(), userId));
    const passwordHash = await hashPassword(newPassword);
    const change = async (db: Db) => {
      // Of two concurrent changes with the same current password, the later one fails.
      const { count } = await db.user.updateMany({
        where: { id: userId, passwordHash: user.passwordHash },
        data: { passwordHash },
      });
      if (count === 0) throw conflict('The password was changed by another request.');
      await endSessionsOf(db, userId, sessionId);
      await record(db, await entriesOf(db, call, 'success'));
    };
    await (call.inTransaction ? change(call.db) : transaction(true, change));
    await countSuccess(claim);
  },
});

const entriesOf = (db: Db, call: PersonCall, result: AuditResult, reason?: string) =>
  personEntries(db, call.person, { category: 'authentication', action: 'auth.changePassword', result, reason }, call);

async function failed(call: PersonCall, error: unknown, result: 'failure' | 'denied', reason: string): Promise<never> {
  if (error instanceof Problem) await recordRefusals(await entriesOf(prisma(), call, result, reason));
  throw error;
}

export const accounts = [signUp, changePassword];
