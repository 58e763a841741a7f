import { createHash, randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { conflictProblem, forbiddenProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { countingMemberships } from '@/server/people/access/membership';

const TOTP_ISSUER = 'Weft';
const BACKUP_CODE_COUNT = 10;
/** Codes of one step of 30 seconds to either side are accepted, because clocks differ. */
const TOTP_TOLERANCE_SECONDS = 30;
const USED_TOTP_STEPS_KEPT = 4;

const mfaSecretBinding = (userId: string) => `mfa:${userId}`;

/** 80 random bits in groups of base 32, so that an unsalted hash cannot be searched. */
function generateBackupCode(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const characters = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

const hashBackupCode = (code: string) =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex');

/** Creates ten new backup codes for a user. Earlier ones become invalid. */
export async function renewBackupCodes(db: DatabaseClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODE_COUNT }, generateBackupCode);
  await db.backupCode.deleteMany({ where: { userId } });
  await db.backupCode.createMany({ data: codes.map((code) => ({ userId, hash: hashBackupCode(code) })) });
  return codes;
}

/** Creates a new secret and backup codes. They take effect after a first code has confirmed them. */
export async function beginMfaEnrolment(db: DatabaseClient, user: { userId: string; email: string }) {
  const secret = generateSecret();
  const { count } = await db.user.updateMany({
    where: { id: user.userId, mfaEnabledAt: null },
    data: {
      mfaSecret: sealText(secret, mfaSecretBinding(user.userId), getRuntime().env.mfaSecretKeys),
      mfaUsedSteps: [],
    },
  });
  if (count === 0) throw conflictProblem('A second factor is set up already. Turn it off first.');
  const otpauthUrl = generateURI({ issuer: TOTP_ISSUER, label: user.email, secret });
  const { default: qrCodes } = await import('qrcode');
  return {
    secret,
    otpauthUrl,
    qrCode: await qrCodes.toDataURL(otpauthUrl),
    backupCodes: await renewBackupCodes(db, user.userId),
  };
}

export interface FactorVerification {
  method: 'totp' | 'backup_code';
  backupCodesRemaining: number;
}

interface FactorRow {
  mfa_secret: string | null;
  mfa_enabled_at: Date | null;
  mfa_used_steps: number[];
}

/** Locks the person's row until the end of the transaction, so that no other process uses a code of this person. */
export const lockSecondFactor = (db: DatabaseClient, userId: string) =>
  db.$executeRaw`SELECT FROM app_user WHERE id = ${userId} FOR UPDATE`;

/**
 * Consumes a code inside the transaction `db`. Returns null if it is wrong or was used before. The lock on the person's
 * row gives the code to one of several concurrent requests, in any process. An authenticator code confirms a pending
 * set-up; a backup code does not, because it does not prove an authenticator.
 */
export async function redeemMfaCode(
  db: DatabaseClient,
  userId: string,
  code: string,
): Promise<FactorVerification | null> {
  const [row] = await db.$queryRaw<FactorRow[]>`
    SELECT mfa_secret, mfa_enabled_at, mfa_used_steps FROM app_user WHERE id = ${userId} FOR UPDATE`;
  if (!row?.mfa_secret) return null;
  const method = /^\d{6}$/.test(code) ? 'totp' : 'backup_code';
  const isGood =
    method === 'totp' ? await redeemTotpCode(db, userId, row, code) : await redeemBackupCode(db, userId, row, code);
  if (!isGood) return null;
  return { method, backupCodesRemaining: await db.backupCode.count({ where: { userId, usedAt: null } }) };
}

async function redeemTotpCode(db: DatabaseClient, userId: string, row: FactorRow, token: string): Promise<boolean> {
  const secret = openSealedText(row.mfa_secret ?? '', mfaSecretBinding(userId), getRuntime().env.mfaSecretKeys);
  const result = await verify({ secret, token, epochTolerance: TOTP_TOLERANCE_SECONDS });
  if (!result.valid || !('timeStep' in result)) return false;
  const { timeStep } = result;
  if (row.mfa_used_steps.includes(timeStep)) return false;
  const mfaUsedSteps = [...row.mfa_used_steps.filter((step) => step > timeStep - USED_TOTP_STEPS_KEPT), timeStep];
  await db.user.update({
    where: { id: userId },
    data: { mfaUsedSteps, mfaEnabledAt: row.mfa_enabled_at ?? new Date() },
  });
  return true;
}

async function redeemBackupCode(db: DatabaseClient, userId: string, row: FactorRow, code: string): Promise<boolean> {
  if (!row.mfa_enabled_at) return false;
  const where = { userId, hash: hashBackupCode(code), usedAt: null };
  const { count } = await db.backupCode.updateMany({ where, data: { usedAt: new Date() } });
  return count === 1;
}

/** Removes a user's second factor. */
export async function removeSecondFactor(db: DatabaseClient, userId: string): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { mfaSecret: null, mfaEnabledAt: null, mfaUsedSteps: [] } });
  await db.backupCode.deleteMany({ where: { userId } });
  await db.session.updateMany({ where: { userId }, data: { factorAt: null } });
}

/** Whether one of the person's workspaces, or the given one, offers or requires a second factor. */
export const isSecondFactorOffered = async (
  db: DatabaseClient,
  userId: string,
  only: string | null,
): Promise<boolean> => {
  const policies = ['optional', 'required'].map((equals) => ({ settings: { path: ['mfaPolicy'], equals } }));
  const where = { userId, workspace: { OR: policies }, ...countingMemberships(only) };
  return (await db.member.findFirst({ where })) !== null;
};

/** Whether one of the person's workspaces, or the given one, requires a second factor. */
export const isSecondFactorRequired = async (
  db: DatabaseClient,
  userId: string,
  only: string | null,
): Promise<boolean> => {
  const strict = { settings: { path: ['mfaPolicy'], equals: 'required' } };
  const where = { userId, workspace: strict, ...countingMemberships(only) };
  return (await db.member.findFirst({ where })) !== null;
};

/**
 * A second factor guards the whole account. A sign-in through a workspace's own provider may set one up only for people
 * without a password, another workspace or another provider.
 */
export async function requireWholeAccountSession(
  db: DatabaseClient,
  { userId, onlyWorkspaceId }: AuthenticatedPerson,
): Promise<void> {
  if (onlyWorkspaceId === null) return;
  const elsewhere = { workspaceId: { not: onlyWorkspaceId } };
  const { passwordHash, memberships, ssoIdentities } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      passwordHash: true,
      memberships: { where: elsewhere, take: 1, select: { workspaceId: true } },
      ssoIdentities: { select: { providerId: true } },
    },
  });
  const providers = ssoIdentities.map(({ providerId }) => providerId);
  const own = await db.ssoProvider.count({ where: { id: { in: providers }, workspaceId: onlyWorkspaceId } });
  if (passwordHash === null && memberships.length === 0 && own === providers.length) return;
  throw forbiddenProblem(
    'Your account has other sign-in methods or workspaces. Sign in with your own account and set up the second factor there.',
  );
}
