import { z } from 'zod';
import { LoginTokens } from '@/contract/access/session';
import { AcceptInviteRequest, Member } from '@/contract/workspace';
import { operation, publicAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation-parts';
import { forbidden, invalid, invalidField, unauthorized } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { record } from '@/server/audit/record';
import { isVerificationNeeded, mailVerification } from '@/server/accounts/email-verification';
import { takeInvitation } from '@/server/accounts/invitations';
import { issueTokens } from '@/server/auth/login';
import type { Person } from '@/server/access/caller';
import { activeMember, addMember } from '@/server/access/members';
import { hashPassword } from '@/server/auth/password';
import { requireStrong } from '@/server/auth/password-rules';
import { createPerson, provenByInvitation } from '@/server/auth/people';
import { policyIn } from '@/server/access/policy';
import { openSession } from '@/server/auth/session';
import type { Db } from '@/server/db/client';
import type { ClientFacts } from '@/server/audit/entry';

/** How an invitation is accepted: in the transaction, whose invitation it was, and the answer to the caller. */
type Join = (db: Db) => Promise<{
  invitation: { id: string; workspaceId: string; email: string };
  userId: string;
  answer: LoginTokens | Member;
}>;

/** By a signed-in user. The invitation is theirs only if it was sent to their address. */
const asPerson =
  (token: string, { userId, email }: Person): Join =>
  async (db) => {
    const invitation = await takeInvitation(db, token);
    if (invitation.email !== email) throw invalidField('token', 'is an invitation for another user');
    await addMember(db, invitation.workspaceId, userId, invitation.roleId);
    return { invitation, userId, answer: await activeMember(db, invitation.workspaceId, userId) };
  };

/** By a new user, who is signed in. */
async function asNewcomer(token: string, newcomer: Partial<Newcomer>, client: ClientFacts): Promise<Join> {
  const { name, password } = requireNewcomer(newcomer);
  // Hashing takes a quarter of a second of CPU time, so it happens outside of a transaction.
  const passwordHash = await hashPassword(password);
  return async (db) => {
    const invitation = await takeInvitation(db, token);
    const { email, workspaceId, roleId } = invitation;
    const { passwordMinLength } = await policyIn(db, workspaceId);
    requireStrong(password, 'password', { email, name }, passwordMinLength);
    const person = { email, name, passwordHash, emailProvenAt: provenByInvitation() };
    const userId = await createPerson(db, person);
    if (userId === null) throw unauthorized('There is an account with this address: sign in, then accept.');
    await addMember(db, workspaceId, userId, roleId);
    return { invitation, userId, answer: await issueTokens(db, await openSession(db, userId, client), userId) };
  };
}

interface Newcomer {
  name: string;
  password: string;
}

function requireNewcomer({ name, password }: Partial<Newcomer>): Newcomer {
  if (name !== undefined && password !== undefined) return { name, password };
  const missing = Object.entries({ name, password }).filter(([, value]) => value === undefined);
  throw invalid(missing.map(([field]) => ({ field, message: 'is required' })));
}

/**
 * The signed-in user who accepts. A session of a workspace's provider is valid for that workspace only: its user creates their own
 * account like an anonymous visitor, or signs in to an existing one.
 */
function ownAccount(person: Person | null, { name, password }: Partial<Newcomer>): Person | null {
  if (!person || person.onlyWorkspaceId === null) return person;
  if (name !== undefined || password !== undefined) return null;
  throw forbidden('This needs a sign-in with your own account, not a workspace’s sign-in provider.');
}

const accept = operation({
  id: 'invitations.accept',
  method: 'POST',
  path: '/api/auth/accept-invite',
  summary: 'Accept an invitation',
  description:
    'A new user sends name and password and is signed in. A user with an account calls it with their own token ' +
    'and only the invitation’s token, and gets their membership.',
  tag: 'Authentication',
  access: publicAccess({ callsAs: 'person' }),
  effect: submitEffect('configuration_change'),
  body: jsonBody(AcceptInviteRequest),
  reply: jsonReply(z.union([LoginTokens, Member])),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { token, ...newcomer } }) {
    const { headers } = call;
    const person = ownAccount(call.person, newcomer);
    if (!call.person && (headers.has('authorization') || headers.has('x-api-key'))) throw unauthorized();
    const join = person ? asPerson(token, person) : await asNewcomer(token, newcomer, call);
    return transaction(true, async (db) => {
      const { invitation, userId, answer } = await join(db);
      call.note({ resourceId: invitation.id, workspaceId: invitation.workspaceId, actorId: userId });
      await record(db, [call.auditEntry()]);
      if (!person && isVerificationNeeded()) {
        const { email } = invitation;
        call.afterwards(() => mailVerification({ userId, email }, { workspaceId: null, ipAddress: call.ipAddress }));
      }
      return answer;
    });
  },
});

export const invitations = [accept];
