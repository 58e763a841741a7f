import type { PersonCall } from '../api/operation';
import { forbidden, invalidField, type Problem } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { prisma } from '../db/client';
import { useCode } from './mfa';
import { isPassword } from './password';
import { countFailure, countSuccess, requireUnblocked } from './throttle';

/** What somebody shows to prove that they are still the one who signed in. */
export interface Proof {
  password?: string;
  mfaCode?: string;
}

/**
 * Before what can't be undone: asks for the password of those who have one, and a code of those with a second factor.
 * Throws a 400 on `password` or `mfaCode` (wrong ones count as failed logins, and are 429 after too many), 403 for API
 * keys. Takes a while: no transaction should wait for it.
 */
export async function requireProof(call: PersonCall, { password, mfaCode }: Proof): Promise<void> {
  const { userId, email, apiKeyId } = call.person;
  if (apiKeyId) throw forbidden('This needs a person who is signed in, not an API key.');
  const claim = { email, ipAddress: call.ipAddress, headers: call.headers };
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
  // Others may have guessed meanwhile, side by side.
  await requireUnblocked(claim);
  if (user.mfaEnabledAt && !(await transaction(true, (db) => useCode(db, userId, mfaCode ?? '')))) {
    await refuse(invalidField('mfaCode', 'is wrong or was used before'));
  }
  await countSuccess(claim);
}
