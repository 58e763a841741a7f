import { setTimeout as pause } from 'node:timers/promises';
import { prismaClient, databasePool } from '@/server/platform/db/client';
import { isTransientFailure } from '@/server/platform/db/failures/verdict';
import { LeaseClock, currentClockMoment } from '@/server/platform/timers/lease-clock';
import { guardStartsUnder } from '@/server/platform/timers/starts';
import { renewalGrant } from './grant';
import type { OpenCredential } from '../open-credential';
import { openCredentialSecrets, sealCredentialSecrets } from '../secrets';
import type { GrantedTokens } from './token-response';
import { requestTokens, ProviderUnreachable } from './token-endpoint';
import { serializeRefusal, TokenRefused } from './token-refusal';

/*
 * At most one renewal of a credential runs at a time, in all processes. The claim is a timestamp in the credential's row, taken by one
 * UPDATE: no connection and no lock is held while the provider answers. Its holder extends it while it works, so the claim of a dead
 * process expires within seconds. Effects of a crash. Before the request was sent: none, the next process uses the same refresh token.
 * After the provider answered: the answer is written first, independently of the run that needed it (a cancelled run or a timeout does not
 * stop it), and retried while the database is unavailable; a stopping process waits for it (`waitForRefreshes`). Only a process that dies
 * between the provider's answer and the write loses a rotated token, and no client can prevent that, because the answer exists nowhere
 * else. The old token is kept until the new one is written, and is used again as soon as the claim has expired, well within the half minute
 * or more in which providers with rotation accept a repeated request. If a provider does not, the status becomes `expired` and the console
 * asks to reconnect.
 */

/** A claim that is not extended expires: late enough for a busy process, early enough for a provider's grace period. */
const RENEWAL_CLAIM_SECONDS = 10;
const CLAIM_EXTENSION_MS = 2500;
/** Maximum wait for another process's renewal. */
const MAX_RENEWAL_WAIT_MS = 60_000;
const RENEWAL_POLL_INTERVAL_MS = 100;
/** How long an answer is kept while the database is unavailable. */
const MAX_WRITE_RETRY_MS = 300_000;
/** How long a stopping process waits; the timeout of a token endpoint is shorter. */
const SHUTDOWN_WAIT_MS = 20_000;
const RENEWAL_WINDOW_MS = 5 * 60_000;

/** Whether the access token is missing, or expires within five minutes. */
export const needsFreshTokens = (credential: OpenCredential): boolean =>
  credential.type === 'oauth2' &&
  (!credential.config['accessToken'] ||
    (credential.expiresAt !== null && credential.expiresAt.getTime() - Date.now() < RENEWAL_WINDOW_MS));

const pendingRenewals = new Map<string, Promise<void>>();

/**
 * Renews the tokens of a credential that `isRenewable`, unless they were renewed since it was opened. Resolves when
 * newer tokens are stored, or the status is `expired`. `isForced`: tries again after an earlier failure. Throws
 * ProviderUnreachable, and TokenRefused if this process's own attempt was refused.
 */
export function refreshTokens(credential: OpenCredential, isForced = false): Promise<void> {
  const running = pendingRenewals.get(credential.id);
  if (running) return running;
  const renewal = renewUnderClaim(credential, isForced).finally(() => pendingRenewals.delete(credential.id));
  pendingRenewals.set(credential.id, renewal);
  return renewal;
}

/** Waits at shutdown for pending renewals, with a timeout. */
export async function waitForRefreshes(): Promise<void> {
  await Promise.race([
    Promise.allSettled(pendingRenewals.values()),
    pause(SHUTDOWN_WAIT_MS, undefined, { ref: false }),
  ]);
}

async function renewUnderClaim(credential: OpenCredential, isForced: boolean): Promise<void> {
  for (const deadline = Date.now() + MAX_RENEWAL_WAIT_MS; ; await pause(RENEWAL_POLL_INTERVAL_MS)) {
    const lease = new LeaseClock(RENEWAL_CLAIM_SECONDS * 1000);
    const state = await claimRenewal(credential, isForced);
    if (state === 'settled') return;
    if (state === 'claimed' && (await renewWithLease(credential, lease))) return;
    if (Date.now() > deadline)
      throw new ProviderUnreachable('Another process has been renewing the credential for too long.');
  }
}

async function claimRenewal(
  { id, tokenGeneration }: OpenCredential,
  isForced: boolean,
): Promise<'claimed' | 'busy' | 'settled'> {
  const { rowCount } = await databasePool().query({
    name: 'credentials.claim',
    text: `UPDATE credential SET refreshing_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND token_generation = $2 AND (refreshing_until IS NULL OR refreshing_until < now())
        AND (status = 'active' OR $4)`,
    values: [id, tokenGeneration, RENEWAL_CLAIM_SECONDS, isForced],
  });
  if (rowCount === 1) return 'claimed';
  const { rows } = await databasePool().query<{ is_busy: boolean }>({
    name: 'credentials.busy',
    text: `SELECT token_generation = $2 AND coalesce(refreshing_until > now(), false) AS is_busy FROM credential WHERE id = $1`,
    values: [id, tokenGeneration],
  });
  return rows[0]?.is_busy ? 'busy' : 'settled';
}

/**
 * Asks the provider while this process holds the claim. Returns false if the process was frozen so long that another
 * one has the claim. The refresh token is not sent then, because the other process may have used it.
 */
async function renewWithLease(credential: OpenCredential, lease: LeaseClock): Promise<boolean> {
  // A failed extension is harmless: without a database no other process can claim it either.
  const beat = setInterval(() => void extendRenewalClaim(credential, lease).catch(() => undefined), CLAIM_EXTENSION_MS);
  const { signal } = new AbortController();
  guardStartsUnder(signal, () => lease.confirm());
  try {
    const { client, form, defaultLifetime } = await renewalGrant(credential);
    const tokens = await requestTokens(client, form, signal);
    await retryTokenWrite(() => storeRenewedTokens(credential, tokens, defaultLifetime));
    return true;
  } catch (error) {
    if (lease.isLost) return false;
    await retryTokenWrite(() => releaseRenewalClaim(credential, error instanceof TokenRefused ? error : null));
    throw error;
  } finally {
    clearInterval(beat);
  }
}

async function extendRenewalClaim({ id, tokenGeneration }: OpenCredential, lease: LeaseClock): Promise<void> {
  const askedAt = currentClockMoment();
  // Once it has expired, another process may have the claim.
  const { rowCount } = await databasePool().query({
    name: 'credentials.moveOn',
    text: `UPDATE credential SET refreshing_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND token_generation = $2 AND refreshing_until > now()`,
    values: [id, tokenGeneration, RENEWAL_CLAIM_SECONDS],
  });
  if (rowCount === 1) lease.renewed(askedAt);
  else lease.lose(new Error('the claim was lost'));
}

/** Stores the new tokens, unless the credential got others meanwhile. */
async function storeRenewedTokens(
  { id, tokenGeneration }: OpenCredential,
  tokens: GrantedTokens,
  defaultLifetime: number | undefined,
): Promise<void> {
  const lifetime = tokens.expiresIn ?? defaultLifetime;
  await prismaClient().$transaction(async (db) => {
    await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} FOR UPDATE`;
    const row = await db.credential.findFirst({ where: { id, tokenGeneration } });
    if (!row) return;
    // Read again: its other secrets may have changed while the provider answered.
    const secrets = { ...openCredentialSecrets(id, row.sealed), accessToken: tokens.accessToken };
    if (tokens.refreshToken) Object.assign(secrets, { refreshToken: tokens.refreshToken });
    const grantedFields = tokens.refreshToken ? ['accessToken', 'refreshToken'] : ['accessToken'];
    await db.credential.update({
      where: { id },
      data: {
        sealed: sealCredentialSecrets(id, secrets),
        secretFields: Object.keys(secrets),
        grantedFields: [...new Set([...row.grantedFields, ...grantedFields])],
        status: 'active',
        refusal: null,
        expiresAt: lifetime === undefined ? null : new Date(Date.now() + lifetime * 1000),
        tokenGeneration: tokenGeneration + 1,
        refreshingUntil: null,
        updatedAt: new Date(),
      },
    });
  });
}

const releaseRenewalClaim = ({ id, tokenGeneration }: OpenCredential, refused: TokenRefused | null) =>
  prismaClient().credential.updateMany({
    where: { id, tokenGeneration },
    data: {
      refreshingUntil: null,
      ...(refused ? { status: 'expired', refusal: serializeRefusal(refused), updatedAt: new Date() } : {}),
    },
  });

/** Retries while the database is unavailable. */
async function retryTokenWrite(write: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + MAX_WRITE_RETRY_MS; ; await pause(RENEWAL_POLL_INTERVAL_MS * 5)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isTransientFailure(error) || Date.now() > deadline) throw error;
    }
  }
}

/** Marks a credential whose token has expired and cannot be renewed. */
export const markCredentialExpired = ({ id, tokenGeneration }: OpenCredential) =>
  prismaClient().credential.updateMany({
    where: { id, tokenGeneration, status: 'active' },
    data: { status: 'expired', refusal: null, updatedAt: new Date() },
  });
