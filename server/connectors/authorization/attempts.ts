import { createHash } from 'node:crypto';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';

/** A pending authorization: who began it, and the values that the exchange must repeat. */
export interface AuthorizationAttempt {
  id: string;
  /** The id of a connector, or of a credential with its own addresses. */
  connectorId: string;
  redirectUri: string;
  scopes: string[];
  /** Values of the connector's slots. */
  params: Record<string, string>;
}

const ATTEMPT_LIFETIME_MS = 10 * 60_000;
/** Longer than an exchange can take; after a crash the attempt becomes available again. */
const ATTEMPT_CLAIM_MS = 60_000;

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The S256 challenge of RFC 7636. */
export const pkceChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

interface AttemptStart extends Omit<AuthorizationAttempt, 'id'> {
  workspaceId: string;
  userId: string;
  verifier: string;
  state: string;
}

/** Stores a new attempt. Returns the fields whose values were used before, which makes it void. */
export async function beginAuthorization(
  db: DatabaseClient,
  { verifier, state, ...attempt }: AttemptStart,
): Promise<('code_verifier' | 'state')[]> {
  const { workspaceId } = attempt;
  const now = Date.now();
  await db.oauthAttempt.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  const hashes = { verifierHash: sha256Hex(verifier), stateHash: sha256Hex(state) };
  const { count } = await db.oauthAttempt.createMany({
    data: [{ id: generateId('att'), ...attempt, ...hashes, expiresAt: new Date(now + ATTEMPT_LIFETIME_MS) }],
    skipDuplicates: true,
  });
  if (count > 0) return [];
  const isVerifierUsed =
    (await db.oauthAttempt.count({ where: { workspaceId, verifierHash: hashes.verifierHash } })) > 0;
  const isStateUsed = (await db.oauthAttempt.count({ where: { workspaceId, stateHash: hashes.stateHash } })) > 0;
  return [isVerifierUsed ? ('code_verifier' as const) : [], isStateUsed ? ('state' as const) : []].flat();
}

/**
 * Why an exchange cannot continue: this person has no unused attempt, or the state differs from the one at the
 * beginning.
 */
export type AttemptMismatch = 'code_verifier' | 'state';

/**
 * Claims the attempt of this verifier for one exchange, in all processes: of several concurrent exchanges one gets it.
 * It becomes available again with `releaseAuthorization`, or after a minute.
 */
export async function claimAuthorization(
  { workspaceId, userId }: { workspaceId: string; userId: string },
  claim: { connectorId: string; verifier: string; state?: string },
): Promise<AuthorizationAttempt | AttemptMismatch> {
  const now = new Date();
  const where = {
    workspaceId,
    userId,
    connectorId: claim.connectorId,
    verifierHash: sha256Hex(claim.verifier),
    usedAt: null,
    expiresAt: { gt: now },
  };
  const attempt = await prismaClient().oauthAttempt.findFirst({ where });
  if (!attempt) return 'code_verifier';
  if (claim.state !== undefined && sha256Hex(claim.state) !== attempt.stateHash) return 'state';
  const { count } = await prismaClient().oauthAttempt.updateMany({
    where: { id: attempt.id, usedAt: null, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
    data: { claimedUntil: new Date(now.getTime() + ATTEMPT_CLAIM_MS) },
  });
  if (count === 0) return 'code_verifier';
  const { id, connectorId, redirectUri, scopes } = attempt;
  return { id, connectorId, redirectUri, scopes, params: attempt.params as Record<string, string> };
}

/** The exchange failed and may be retried. */
export const releaseAuthorization = (id: string) =>
  prismaClient().oauthAttempt.updateMany({ where: { id, usedAt: null }, data: { claimedUntil: null } });

/** The exchange succeeded: the attempt is deleted. Returns whether it still existed. */
export async function consumeAuthorization(db: DatabaseClient, id: string): Promise<boolean> {
  const { count } = await db.oauthAttempt.updateMany({ where: { id }, data: { usedAt: new Date() } });
  return count === 1;
}

/** Deletes the pending authorizations of a connector, or of a credential with its own addresses. */
export const forgetAuthorizations = (db: DatabaseClient, workspaceId: string, connectorId: string) =>
  db.oauthAttempt.deleteMany({ where: { workspaceId, connectorId } });
