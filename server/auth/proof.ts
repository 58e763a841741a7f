import type { Person } from '@/server/access/caller';
import type { CallHeaders } from '@/server/client-address';
import { forbidden, invalidField, type Problem } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { prisma } from '@/server/db/client';
import { useCode } from './mfa';
import { isPassword } from './password';
import { countFailure, countSuccess, requireUnblocked, type Claim } from './throttle';

/** The password or code with which a signed-in person confirms their identity. */
export interface Proof {
  password?: string;
  mfaCode?: string;
}

/** What is known of a signed-in person who confirms their identity. */
export interface ProvingPerson {
  person: Person;
  ipAddress: string;
  headers: CallHeaders;
}

/**
 * The name under which failures of a signed-in person are counted. A session of a workspace's provider has a separate
 * count: otherwise the operator of the provider could block the account's own sign-in, or reset the failures there.
 */
export const claimOf = ({ person, ipAddress, headers }: ProvingPerson): Claim => ({
  email: person.onlyWorkspaceId === null ? person.email : person.userId,
  ipAddress,
  headers,
});

/**
 * Required before irreversible actions: checks the password of people who have one, and a code of those with a second
 * factor. Throws a 400 on `password` or `mfaCode` (wrong ones count as failed logins, and are 429 after too many), 403
 * for API keys. It is slow: call it outside of transactions.
 */
export async function requireProof(call: ProvingPerson, { password, mfaCode }: Proof): Promise<void> {
  const { userId, apiKeyId } = call.person;
  if (apiKeyId) throw forbidden('This requires a signed-in user, not an API key.');
  const claim = claimOf(call);
  const refuse = async (problem: Problem): Promise<never> => {
    await countFailure(claim);
    throw problem;
  };
  await requireUnblocked(claim);
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  if (user.passwordHash && !password) throw invalidField('password', 'is required');
  if (user.mfaEnabledAt && !mfaCode) throw invalidField('mfaCode', 'is required');
  if (user.passwordHash && !(await isPassword(password ?? '', user.passwordHash))) {
    await refuse(invalidField('password', 'is wrong'));
  }
  // Parallel guesses may have used up the limit meanwhile.
  await requireUnblocked(claim);
  if (user.mfaEnabledAt && !(await transaction(true, (db) => useCode(db, userId, mfaCode ?? '')))) {
    await refuse(invalidField('mfaCode', 'is wrong or was used before'));
  }
  await countSuccess(claim);
}
