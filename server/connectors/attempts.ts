import { createHash } from 'node:crypto';
import { prisma, type Db } from '../db/client';
import { newId } from '../db/ids';

/** An authorization under way: who began it and what the exchange must repeat. */
export interface Attempt {
  id: string;
  /** A connector's id, or that of a credential with addresses of its own. */
  connectorId: string;
  redirectUri: string;
  scopes: string[];
  /** Values of the connector's slots. */
  params: Record<string, string>;
}

const LIFETIME_MS = 10 * 60_000;
/** Longer than an exchange can take; after a crash the attempt is free again then. */
const CLAIM_MS = 60_000;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The S256 challenge of RFC 7636. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

interface Begin extends Omit<Attempt, 'id'> {
  workspaceId: string;
  userId: string;
  verifier: string;
  state: string;
}

/** Stores a new attempt. Answers the fields that were used before, which makes it void. */
export async function beginAttempt(
  db: Db,
  { verifier, state, ...attempt }: Begin,
): Promise<('code_verifier' | 'state')[]> {
  const { workspaceId } = attempt;
  const now = Date.now();
  await db.oauthAttempt.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  const hashes = { verifierHash: hashOf(verifier), stateHash: hashOf(state) };
  const { count } = await db.oauthAttempt.createMany({
    data: [{ id: newId('att'), ...attempt, ...hashes, expiresAt: new Date(now + LIFETIME_MS) }],
    skipDuplicates: true,
  });
  if (count > 0) return [];
  const isVerifierUsed =
    (await db.oauthAttempt.count({ where: { workspaceId, verifierHash: hashes.verifierHash } })) > 0;
  const isStateUsed = (await db.oauthAttempt.count({ where: { workspaceId, stateHash: hashes.stateHash } })) > 0;
  return [isVerifierUsed ? ('code_verifier' as const) : [], isStateUsed ? ('state' as const) : []].flat();
}

/** Why an exchange can't go on: no unused attempt of this person, or another state than it began with. */
export type Mismatch = 'code_verifier' | 'state';

/**
 * Takes the attempt of this verifier for one exchange, at once and for everybody: of several exchanges one gets it. It
 * is free again when `releaseAttempt` says so, or after a minute.
 */
export async function claimAttempt(
  { workspaceId, userId }: { workspaceId: string; userId: string },
  given: { connectorId: string; verifier: string; state?: string },
): Promise<Attempt | Mismatch> {
  const now = new Date();
  const where = {
    workspaceId,
    userId,
    connectorId: given.connectorId,
    verifierHash: hashOf(given.verifier),
    usedAt: null,
    expiresAt: { gt: now },
  };
  const attempt = await prisma().oauthAttempt.findFirst({ where });
  if (!attempt) return 'code_verifier';
  if (given.state !== undefined && hashOf(given.state) !== attempt.stateHash) return 'state';
  const { count } = await prisma().oauthAttempt.updateMany({
    where: { id: attempt.id, usedAt: null, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
    data: { claimedUntil: new Date(now.getTime() + CLAIM_MS) },
  });
  if (count === 0) return 'code_verifier';
  const { id, connectorId, redirectUri, scopes } = attempt;
  return { id, connectorId, redirectUri, scopes, params: attempt.params as Record<string, string> };
}

/** The exchange came to nothing, and may be tried again. */
export const releaseAttempt = (id: string) =>
  prisma().oauthAttempt.updateMany({ where: { id, usedAt: null }, data: { claimedUntil: null } });

/** It worked, or never will: the attempt is spent. */
export const spendAttempt = (db: Db, id: string) =>
  db.oauthAttempt.updateMany({ where: { id }, data: { usedAt: new Date() } });
