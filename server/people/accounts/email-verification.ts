import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { User } from '@/generated/prisma/client';
import { firstUnderAnySecret } from '@/server/platform/db/signing';
import { networkOfAddress } from '@/server/platform/messages/client-address';
import { prismaClient } from '@/server/platform/db/client';
import { canServiceSendMail, sendOutgoingMail } from '@/server/network/mail/mail';
import { takeDailyCount } from '@/server/platform/quotas/daily';
import { getRuntime } from '@/server/platform/runtime';

const VERIFICATION_LIFETIME_DAYS = 3;
/** Links mailed per day: to one person, and for one network, because a network can sign up with any address. */
const MAX_DAILY_LINKS_PER_PERSON = 5;
const MAX_DAILY_LINKS_PER_NETWORK = 100;

const VERIFICATION_ISSUER = 'weft';
/** Separates these tokens from access tokens, which use the same signing key. */
const VERIFICATION_AUDIENCE = 'weft-email-verification';

const verificationKeyObject = (secret: string) => createSecretKey(Buffer.from(secret));

/** Whether people have to confirm their address: only where sign-up is open and the service can send mail. */
export const isEmailVerificationNeeded = (): boolean => getRuntime().env.multiTenant && canServiceSendMail();

/** Whether a user has confirmed their address, or does not need to. */
export const isEmailVerified = ({ emailProvenAt, isMailTrusted }: Pick<User, 'emailProvenAt' | 'isMailTrusted'>) =>
  emailProvenAt !== null || isMailTrusted || !isEmailVerificationNeeded();

interface UnverifiedAccount {
  userId: string;
  email: string;
}

const createVerificationToken = ({ userId, email }: UnverifiedAccount): Promise<string> =>
  new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuer(VERIFICATION_ISSUER)
    .setAudience(VERIFICATION_AUDIENCE)
    .setExpirationTime(`${VERIFICATION_LIFETIME_DAYS} days`)
    .sign(verificationKeyObject(getRuntime().env.jwtSecret));

/** The account that a link was mailed for; null if the token is invalid or expired. */
export const readVerificationToken = (token: string): Promise<UnverifiedAccount | null> =>
  firstUnderAnySecret((secret) => verifyVerificationToken(secret, token));

async function verifyVerificationToken(secret: string, token: string): Promise<UnverifiedAccount | null> {
  try {
    const { payload } = await jwtVerify<{ email: string }>(token, verificationKeyObject(secret), {
      algorithms: ['HS256'],
      issuer: VERIFICATION_ISSUER,
      audience: VERIFICATION_AUDIENCE,
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
export async function mailVerificationLink(
  account: UnverifiedAccount,
  { workspaceId, ipAddress }: { workspaceId: string | null; ipAddress: string },
): Promise<boolean> {
  const { userId, email } = account;
  const isTaken =
    (await takeDailyCount(prismaClient(), `verification:${userId}`, 1, MAX_DAILY_LINKS_PER_PERSON)) &&
    (await takeDailyCount(
      prismaClient(),
      `verification:${networkOfAddress(ipAddress)}`,
      1,
      MAX_DAILY_LINKS_PER_NETWORK,
    ));
  if (!isTaken) return false;
  const { apiBaseUrl } = getRuntime().env;
  const text = [
    `An account was created at ${apiBaseUrl} with this address. If that was you, confirm it:`,
    `${apiBaseUrl}/verify-email?token=${await createVerificationToken(account)}`,
    `The link works for ${VERIFICATION_LIFETIME_DAYS} days. If it was not you, ignore this mail: without your confirmation the account can send no mail.`,
  ];
  const subject = 'Confirm your email address';
  await sendOutgoingMail({ workspaceId, isOfService: true, to: [email], subject, text: text.join('\n\n') });
  return true;
}
