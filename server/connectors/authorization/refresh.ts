import { setTimeout as pause } from 'node:timers/promises';
import { prisma, pool } from '@/server/db/client';
import { isPassingFailure } from '@/server/db/failures/verdict';
import { LeaseClock, momentNow } from '@/server/lease-clock';
import { guardStarts } from '@/server/starts';
import { grantOf } from './grant';
import type { OpenCredential } from '../open-credential';
import { openSecrets, sealSecrets } from '../secrets';
import type { Tokens } from './token-answer';
import { askForTokens, ProviderUnreachable } from './token-endpoint';
import { storedRefusal, TokenRefused } from './token-refusal';

/*
 * At most one renewal of a credential runs at a time, in all processes. The claim is a timestamp in the credential's row, taken by one
 * UPDATE: no connection and no lock is held while the provider answers. Its holder extends it while it works, so the claim of a dead
 * process expires within seconds. Effects of a crash. Before the request was sent: none, the next process uses the same refresh token.
 * After the provider answered: the answer is written first, independently of the run that needed it (a cancelled run or a timeout does not
 * stop it), and retried while the database is unavailable; a stopping process waits for it (`settleRefreshes`). Only a process that dies
 * between the provider's answer and the write loses a rotated token, and no client can prevent that, because the answer exists nowhere
 * else. The old token is kept until the new one is written, and is used again as soon as the claim has expired, well within the half minute
 * or more in which providers with rotation accept a repeated request. If a provider does not, the status becomes `expired` and the console
 * asks to reconnect.
 */

/** A claim that is not extended expires. Long enough for a busy process, short enough for a provider's grace period. */
const CLAIM_SECONDS = 10;
const CLAIM_EVERY_MS = 2500;
/** Maximum wait for another process's renewal. */
const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;
/** How long an answer is kept while the database is unavailable. */
const WRITE_FOR_MS = 300_000;
/** How long a stopping process waits; the timeout of a token endpoint is shorter. */
const SETTLE_MS = 20_000;
const WINDOW_MS = 5 * 60_000;

/** Whether the access token is missing, or expires within five minutes. */
export const needsTokens = (credential: OpenCredential): boolean =>
  credential.type === 'oauth2' &&
  (!credential.config['accessToken'] ||
    (credential.expiresAt !== null && credential.expiresAt.getTime() - Date.now() < WINDOW_MS));

const renewals = new Map<string, Promise<void>>();

/**
 * Renews the tokens of a credential that `isRenewable`, unless they were renewed since it was opened. Resolves when newer tokens are
 * stored, or the status is `expired`. `isForced`: tries again after an earlier failure. Throws ProviderUnreachable, and TokenRefused if
 * this process's own attempt was refused.
 */
export function refreshTokens(credential: OpenCredential, isForced = false): Promise<void> {
  const running = renewals.get(credential.id);
  if (running) return running;
  const renewal = renewOnce(credential, isForced).finally(() => renewals.delete(credential.id));
  renewals.set(credential.id, renewal);
  return renewal;
}

/** Waits at shutdown for pending renewals, with a timeout. */
export async function settleRefreshes(): Promise<void> {
  await Promise.race([Promise.allSettled(renewals.values()), pause(SETTLE_MS, undefined, { ref: false })]);
}

async function renewOnce(credential: OpenCredential, isForced: boolean): Promise<void> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await pause(POLL_MS)) {
    const lease = new LeaseClock(CLAIM_SECONDS * 1000);
    const state = await claim(credential, isForced);
    if (state === 'settled') return;
    if (state === 'claimed' && (await carryOut(credential, lease))) return;
    if (Date.now() > deadline)
      throw new ProviderUnreachable('Another process has been renewing the credential for too long.');
  }
}

async function claim(
  { id, tokenGeneration }: OpenCredential,
  isForced: boolean,
): Promise<'claimed' | 'busy' | 'settled'> {
  const { rowCount } = await pool().query({
    name: 'credentials.claim',
    text: `UPDATE credential SET refreshing_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND token_generation = $2 AND (refreshing_until IS NULL OR refreshing_until < now())
        AND (status = 'active' OR $4)`,
    values: [id, tokenGeneration, CLAIM_SECONDS, isForced],
  });
  if (rowCount === 1) return 'claimed';
  const { rows } = await pool().query<{ is_busy: boolean }>({
    name: 'credentials.busy',
    text: `SELECT token_generation = $2 AND coalesce(refreshing_until > now(), false) AS is_busy FROM credential WHERE id = $1`,
    values: [id, tokenGeneration],
  });
  return rows[0]?.is_busy ? 'busy' : 'settled';
}

/**
 * Asks the provider under a claim. False: the process was frozen, and another one has the claim; the refresh token was not sent, which could
 * have been used meanwhile.
 */
async function carryOut(credential: OpenCredential, lease: LeaseClock): Promise<boolean> {
  // A failed extension is harmless: without a database no other process can claim it either.
  const beat = setInterval(() => void moveOn(credential, lease).catch(() => undefined), CLAIM_EVERY_MS);
  const { signal } = new AbortController();
  guardStarts(signal, () => lease.confirm());
  try {
    const { client, form, defaultLifetime } = await grantOf(credential);
    const tokens = await askForTokens(client, form, signal);
    await insist(() => store(credential, tokens, defaultLifetime));
    return true;
  } catch (error) {
    if (lease.isLost) return false;
    await insist(() => giveBack(credential, error instanceof TokenRefused ? error : null));
    throw error;
  } finally {
    clearInterval(beat);
  }
}

async function moveOn({ id, tokenGeneration }: OpenCredential, lease: LeaseClock): Promise<void> {
  const askedAt = momentNow();
  // Once it has expired, another process may have the claim.
  const { rowCount } = await pool().query({
    name: 'credentials.moveOn',
    text: `UPDATE credential SET refreshing_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND token_generation = $2 AND refreshing_until > now()`,
    values: [id, tokenGeneration, CLAIM_SECONDS],
  });
  if (rowCount === 1) lease.renewed(askedAt);
  else lease.lose(new Error('the claim was lost'));
}

/** Stores the new tokens, unless the credential got others meanwhile. */
async function store(
  { id, tokenGeneration }: OpenCredential,
  tokens: Tokens,
  defaultLifetime: number | undefined,
): Promise<void> {
  const lifetime = tokens.expiresIn ?? defaultLifetime;
  await prisma().$transaction(async (db) => {
    await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} FOR UPDATE`;
    const row = await db.credential.findFirst({ where: { id, tokenGeneration } });
    if (!row) return;
    // Read again: its other secrets may have changed while the provider answered.
    const secrets = { ...openSecrets(id, row.sealed), accessToken: tokens.accessToken };
    if (tokens.refreshToken) Object.assign(secrets, { refreshToken: tokens.refreshToken });
    const grantedFields = tokens.refreshToken ? ['accessToken', 'refreshToken'] : ['accessToken'];
    await db.credential.update({
      where: { id },
      data: {
        sealed: sealSecrets(id, secrets),
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

const giveBack = ({ id, tokenGeneration }: OpenCredential, refused: TokenRefused | null) =>
  prisma().credential.updateMany({
    where: { id, tokenGeneration },
    data: {
      refreshingUntil: null,
      ...(refused ? { status: 'expired', refusal: storedRefusal(refused), updatedAt: new Date() } : {}),
    },
  });

/** Retries while the database is unavailable. */
async function insist(write: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + WRITE_FOR_MS; ; await pause(POLL_MS * 5)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isPassingFailure(error) || Date.now() > deadline) throw error;
    }
  }
}

/** Marks a credential whose token has expired and cannot be renewed. */
export const markExpired = ({ id, tokenGeneration }: OpenCredential) =>
  prisma().credential.updateMany({
    where: { id, tokenGeneration, status: 'active' },
    data: { status: 'expired', refusal: null, updatedAt: new Date() },
  });
