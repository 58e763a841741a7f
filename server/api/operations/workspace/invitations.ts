import { z } from 'zod';
import { LoginTokens } from '@/contract/access/session';
import { AcceptInvitationRequest, MemberResponse } from '@/contract/workspace';
import { defineOperation, publicAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation/operation-parts';
import {
  forbiddenProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  unauthorizedProblem,
} from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { appendAuditEntries } from '@/server/people/audit/record';
import { isEmailVerificationNeeded, mailVerificationLink } from '@/server/people/accounts/email-verification';
import { takeInvitation } from '@/server/people/accounts/invitations';
import { issueLoginTokens } from '@/server/people/auth/login';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { findActiveMember, addMember } from '@/server/people/access/members';
import { hashPassword } from '@/server/people/auth/password';
import { requireStrongPassword } from '@/server/people/auth/password-rules';
import { createServiceAccount, emailProvenByInvitation } from '@/server/people/auth/people';
import { findWorkspacePolicy } from '@/server/people/access/policy';
import { openLoginSession } from '@/server/people/auth/session';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { ClientInfo } from '@/server/people/audit/entry';

/**
 * Accepts an invitation in a transaction. Returns the invitation, the user who accepted and the response to the caller.
 */
type InvitationAcceptance = (db: DatabaseClient) => Promise<{
  invitation: { id: string; workspaceId: string; email: string };
  userId: string;
  answer: LoginTokens | MemberResponse;
}>;

/** A signed-in user accepts. The invitation is theirs only if it was sent to their address. */
const joinAsUser =
  (token: string, { userId, email }: AuthenticatedPerson): InvitationAcceptance =>
  async (db) => {
    const invitation = await takeInvitation(db, token);
    if (invitation.email !== email) throw invalidFieldProblem('token', 'is an invitation for another user');
    await addMember(db, invitation.workspaceId, userId, invitation.roleId);
    return { invitation, userId, answer: await findActiveMember(db, invitation.workspaceId, userId) };
  };

/** A new user accepts, gets an account and is signed in. */
async function joinAsNewUser(
  token: string,
  newcomer: Partial<NewUserFields>,
  client: ClientInfo,
): Promise<InvitationAcceptance> {
  const { name, password } = requireNewUserFields(newcomer);
  // Hashing takes a quarter of a second of CPU time, so it happens outside of a transaction.
  const passwordHash = await hashPassword(password);
  return async (db) => {
    const invitation = await takeInvitation(db, token);
    const { email, workspaceId, roleId } = invitation;
    const { passwordMinLength } = await findWorkspacePolicy(db, workspaceId);
    requireStrongPassword(password, 'password', { email, name }, passwordMinLength);
    const person = { email, name, passwordHash, emailProvenAt: emailProvenByInvitation() };
    const userId = await createServiceAccount(db, person);
    if (userId === null) throw unauthorizedProblem('There is an account with this address: sign in, then accept.');
    await addMember(db, workspaceId, userId, roleId);
    return {
      invitation,
      userId,
      answer: await issueLoginTokens(db, await openLoginSession(db, userId, client), userId),
    };
  };
}

interface NewUserFields {
  name: string;
  password: string;
}

function requireNewUserFields({ name, password }: Partial<NewUserFields>): NewUserFields {
  if (name !== undefined && password !== undefined) return { name, password };
  const missing = Object.entries({ name, password }).filter(([, value]) => value === undefined);
  throw invalidRequestProblem(missing.map(([field]) => ({ field, message: 'is required' })));
}

/**
 * Returns the signed-in user who accepts. A session of a workspace's provider is valid for that workspace only, so its
 * user creates an account of their own like an anonymous visitor, or signs in to an existing one.
 */
function requireOwnAccount(
  person: AuthenticatedPerson | null,
  { name, password }: Partial<NewUserFields>,
): AuthenticatedPerson | null {
  if (!person || person.onlyWorkspaceId === null) return person;
  if (name !== undefined || password !== undefined) return null;
  throw forbiddenProblem('This needs a sign-in with your own account, not a workspace’s sign-in provider.');
}

const acceptInvitationOperation = defineOperation({
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
  body: jsonBody(AcceptInvitationRequest),
  reply: jsonReply(z.union([LoginTokens, MemberResponse])),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { token, ...newcomer } }) {
    const { headers } = call;
    const person = requireOwnAccount(call.person, newcomer);
    if (!call.person && (headers.has('authorization') || headers.has('x-api-key'))) throw unauthorizedProblem();
    const join = person ? joinAsUser(token, person) : await joinAsNewUser(token, newcomer, call);
    return runInDatabaseTransaction(true, async (db) => {
      const { invitation, userId, answer } = await join(db);
      call.note({ resourceId: invitation.id, workspaceId: invitation.workspaceId, actorId: userId });
      await appendAuditEntries(db, [call.auditEntry()]);
      if (!person && isEmailVerificationNeeded()) {
        const { email } = invitation;
        call.afterwards(() =>
          mailVerificationLink({ userId, email }, { workspaceId: null, ipAddress: call.ipAddress }),
        );
      }
      return answer;
    });
  },
});

export const invitationOperations = [acceptInvitationOperation];
