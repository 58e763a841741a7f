import type { AuditResult } from '@/contract/security';
import { LoginTokens, PasswordChange, SignUpRequest } from '@/contract/session';
import { operation, type PersonCall } from '../api/operation';
import { conflict, forbidden, invalidField, Problem } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { personEntries, record } from '../auth/audit';
import { issueTokens } from '../auth/login';
import { hashPassword, isPassword } from '../auth/password';
import { requireStrong } from '../auth/password-rules';
import { createPerson } from '../auth/people';
import { shortestPasswordOf } from '../auth/policy';
import { recordRefusals } from '../auth/refusals';
import { endSessionsOf, openSession } from '../auth/session';
import { countFailure, countSuccess, requireUnblocked } from '../auth/throttle';
import { createWorkspace } from '../auth/workspaces';
import { prisma, type Db } from '../db/client';
import { runtime } from '../runtime';

const tag = 'Authentication';

/** Whole characters, so that none is cut in half. */
const MAX_NAME = 90;
const workspaceOf = (name: string) => `${[...name].slice(0, MAX_NAME).join('')}’s workspace`;

const signUp = operation({
  id: 'auth.signUp',
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'Make an account, and a workspace of one’s own',
  description: 'Only where `MULTI_TENANT=true`; elsewhere people are invited. Signs in.',
  tag,
  access: 'public',
  // Hashing a password takes a quarter of a second of CPU: no transaction is kept open for it.
  effect: 'submit',
  body: SignUpRequest,
  output: LoginTokens,
  status: 201,
  audit: 'configuration_change',
  async run(call, { body: { name, email, password, workspaceName } }) {
    if (!runtime().env.multiTenant) throw forbidden('There is no sign-up here: people are invited.');
    // Whoever asks for many addresses learns which are taken; the address they ask from is counted.
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
  access: 'signed-in',
  // As with login: what takes long happens outside of the transaction.
  effect: 'submit',
  body: PasswordChange,
  audit: 'authentication',
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
    // Others may have guessed meanwhile, side by side: the right one among too many guesses is refused as well.
    await refuseIfBlocked();
    requireStrong(newPassword, 'newPassword', user, await shortestPasswordOf(prisma(), userId));
    const passwordHash = await hashPassword(newPassword);
    const change = async (db: Db) => {
      // Of two changes at once, both with the same current password, one is too late.
      const { count } = await db.user.updateMany({
        where: { id: userId, passwordHash: user.passwordHash },
        data: { passwordHash },
      });
      if (count === 0) throw conflict('The password was changed meanwhile.');
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
