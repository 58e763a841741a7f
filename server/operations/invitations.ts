import { z } from 'zod';
import { LoginTokens } from '@/contract/session';
import { AcceptInviteRequest, Member } from '@/contract/workspace';
import { operation } from '../api/operation';
import { invalid, invalidField, unauthorized } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { record } from '../auth/audit';
import { takeInvitation } from '../auth/invitations';
import { issueTokens } from '../auth/login';
import type { Person } from '../auth/caller';
import { activeMember, addMember } from '../auth/members';
import { hashPassword } from '../auth/password';
import { requireStrong } from '../auth/password-rules';
import { createPerson, provenByInvitation } from '../auth/people';
import { policyIn } from '../auth/policy';
import { openSession, type ClientFacts } from '../auth/session';
import type { Db } from '../db/client';

/** What joining comes to: within the transaction, whose invitation it was, and what the caller is answered. */
type Join = (
  db: Db,
) => Promise<{ invitation: { id: string; workspaceId: string }; userId: string; answer: LoginTokens | Member }>;

/** As somebody who is signed in. The invitation is theirs only if it went to their address. */
const asPerson =
  (token: string, { userId, email }: Person): Join =>
  async (db) => {
    const invitation = await takeInvitation(db, token);
    if (invitation.email !== email) throw invalidField('token', 'is an invitation for somebody else');
    await addMember(db, invitation.workspaceId, userId, invitation.roleId);
    return { invitation, userId, answer: await activeMember(db, invitation.workspaceId, userId) };
  };

/** As a new person, who is signed in by that. */
async function asNewcomer(token: string, given: Partial<Newcomer>, client: ClientFacts): Promise<Join> {
  const { name, password } = requireNewcomer(given);
  // A quarter of a second of CPU: no transaction is kept open for it.
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

const accept = operation({
  id: 'invitations.accept',
  method: 'POST',
  path: '/api/auth/accept-invite',
  summary: 'Accept an invitation',
  description:
    'A new person gives name and password and is signed in. Somebody with an account calls it with their own token ' +
    'and the invitation’s alone, and gets their membership.',
  tag: 'Authentication',
  access: 'public',
  usesPerson: true,
  effect: 'submit',
  body: AcceptInviteRequest,
  output: z.union([LoginTokens, Member]),
  audit: 'configuration_change',
  async run(call, { body: { token, ...given } }) {
    const { person, headers } = call;
    if (!person && (headers.has('authorization') || headers.has('x-api-key'))) throw unauthorized();
    const join = person ? asPerson(token, person) : await asNewcomer(token, given, call);
    return transaction(true, async (db) => {
      const { invitation, userId, answer } = await join(db);
      call.note({ resourceId: invitation.id, workspaceId: invitation.workspaceId, actorId: userId });
      await record(db, [call.auditEntry()]);
      return answer;
    });
  },
});

export const invitations = [accept];
