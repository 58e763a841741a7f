import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { User } from '@/generated/prisma/client';
import { underAnyKey } from '@/server/db/signing';
import { networkOf } from '@/server/client-address';
import { prisma } from '@/server/db/client';
import { isMailPossible, sendMail } from '@/server/mail/mail';
import { takeDaily } from '@/server/quotas/daily';
import { runtime } from '@/server/runtime';

const LIFE_DAYS = 3;
/** Links mailed per day: to one person, and for one network, because a network can sign up with any address. */
const PER_PERSON = 5;
const PER_NETWORK = 100;

const ISSUER = 'weft';
/** Separates these tokens from access tokens, which use the same signing key. */
const AUDIENCE = 'weft-email-verification';

const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));

/** Whether people have to confirm their address: only where sign-up is open and the service can send mail. */
export const isVerificationNeeded = (): boolean => runtime().env.multiTenant && isMailPossible();

/** Whether a user has confirmed their address, or does not need to. */
export const isEmailVerified = ({ emailProvenAt, isMailTrusted }: Pick<User, 'emailProvenAt' | 'isMailTrusted'>) =>
  emailProvenAt !== null || isMailTrusted || !isVerificationNeeded();

interface Account {
  userId: string;
  email: string;
}

const tokenFor = ({ userId, email }: Account): Promise<string> =>
  new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime(`${LIFE_DAYS} days`)
    .sign(keyOf(runtime().env.jwtSecret));

/** The account that a link was mailed for; null if the token is invalid or expired. */
export const readVerification = (token: string): Promise<Account | null> =>
  underAnyKey((secret) => readUnder(secret, token));

async function readUnder(secret: string, token: string): Promise<Account | null> {
  try {
    const { payload } = await jwtVerify<{ email: string }>(token, keyOf(secret), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'email'],
    });
    return { userId: payload.sub ?? '', email: payload.email };
  } catch {
    return null;
  }
}

/**
 * Mails a user the link that confirms their address. The mail contains no text chosen by the recipient, so that
 * signing up with a foreign address cannot be used to send messages. Returns false if the daily limit is reached.
 */
export async function mailVerification(
  account: Account,
  { workspaceId, ipAddress }: { workspaceId: string | null; ipAddress: string },
): Promise<boolean> {
  const { userId, email } = account;
  const isTaken =
    (await takeDaily(prisma(), `verification:${userId}`, 1, PER_PERSON)) &&
    (await takeDaily(prisma(), `verification:${networkOf(ipAddress)}`, 1, PER_NETWORK));
  if (!isTaken) return false;
  const { apiBaseUrl } = runtime().env;
  const text = [
    `An account was created at ${apiBaseUrl} with this address. If that was you, confirm it:`,
    `${apiBaseUrl}/verify-email?token=${await tokenFor(account)}`,
    `The link works for ${LIFE_DAYS} days. If it was not you, ignore this mail: without your confirmation the account can send no mail.`,
  ];
  const subject = 'Confirm your email address';
  await sendMail({ workspaceId, isOfService: true, to: [email], subject, text: text.join('\n\n') });
  return true;
}
