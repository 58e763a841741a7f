import type { AuthenticatedPerson } from '@/server/people/access/caller';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import { forbiddenProblem, invalidFieldProblem, type ApiProblem } from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { prismaClient } from '@/server/platform/db/client';
import { redeemMfaCode } from './mfa';
import { verifyPassword } from './password';
import { countSignInFailure, countSignInSuccess, requireSignInUnblocked, type SignInClaim } from './throttle';

/** The password or code with which a signed-in person confirms their identity. */
export interface IdentityProof {
  password?: string;
  mfaCode?: string;
}

/** What is known of a signed-in person who confirms their identity. */
export interface ProvingPerson {
  person: AuthenticatedPerson;
  ipAddress: string;
  headers: CallHeaders;
}

/**
 * The name under which failures of a signed-in person are counted. A session of a workspace's provider has a separate
 * count: otherwise the operator of the provider could block the account's own sign-in, or reset the failures there.
 */
export const proofSignInClaim = ({ person, ipAddress, headers }: ProvingPerson): SignInClaim => ({
  email: person.onlyWorkspaceId === null ? person.email : person.userId,
  ipAddress,
  headers,
});

/**
 * Required before irreversible actions: checks the password of people who have one, and a code of those with a second
 * factor. Throws a 400 on `password` or `mfaCode` (wrong ones count as failed logins, and are 429 after too many), 403
 * for API keys. It is slow: call it outside of transactions.
 */
export async function requireIdentityProof(call: ProvingPerson, { password, mfaCode }: IdentityProof): Promise<void> {
  const { userId, apiKeyId } = call.person;
  if (apiKeyId) throw forbiddenProblem('This requires a signed-in user, not an API key.');
  const claim = proofSignInClaim(call);
  const refuse = async (problem: ApiProblem): Promise<never> => {
    await countSignInFailure(claim);
    throw problem;
  };
  await requireSignInUnblocked(claim);
  const user = await prismaClient().user.findUniqueOrThrow({ where: { id: userId } });
  if (user.passwordHash && !password) throw invalidFieldProblem('password', 'is required');
  if (user.mfaEnabledAt && !mfaCode) throw invalidFieldProblem('mfaCode', 'is required');
  if (user.passwordHash && !(await verifyPassword(password ?? '', user.passwordHash))) {
    await refuse(invalidFieldProblem('password', 'is wrong'));
  }
  // Parallel guesses may have used up the limit meanwhile.
  await requireSignInUnblocked(claim);
  if (user.mfaEnabledAt && !(await runInDatabaseTransaction(true, (db) => redeemMfaCode(db, userId, mfaCode ?? '')))) {
    await refuse(invalidFieldProblem('mfaCode', 'is wrong or was used before'));
  }
  await countSignInSuccess(claim);
}
