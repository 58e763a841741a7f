import { setTimeout as pause } from 'node:timers/promises';
import { prisma, pool } from '../db/client';
import { isTransient } from '../db/transient';
import { grantOf } from './grant';
import type { OpenCredential } from './open-credential';
import { openSecrets, sealSecrets } from './secrets';
import { askForTokens, TokenRefused, type Tokens } from './token-endpoint';

/*
 * One renewal at a time, whoever needs it. The claim is a moment in the credential's row, taken by one UPDATE: no
 * connection and no lock is held while the provider takes its time. Its holder moves it on while it works, so that the
 * claim of a process that died ends within seconds.
 *
 * What a crash can do. Before the request left: nothing, the next process asks with the same refresh token. After the
 * provider answered: the answer is written before anything else happens, apart from the run that asked for it (a
 * cancelled run or a timeout doesn't stop it), and tried again for as long as the database is away; a stopping process
 * waits for it (`settleRenewals`). Only a process that dies between the provider's answer and the write loses a token that
 * the provider rotated, and nothing on this side can help that: the answer exists nowhere else. The old one is kept until
 * the new one is written, and tried again as soon as the claim has run out, well within the half minute or more that
 * providers with rotation leave a client to repeat itself. Where one doesn't, the status says `expired` and the console
 * asks to reconnect.
 */

/** A claim that nobody moves on ends. Long enough for a busy process, short enough for a provider's patience. */
const CLAIM_SECONDS = 10;
const CLAIM_EVERY_MS = 2500;
/** Longest wait for somebody else's renewal. */
const PATIENCE_MS = 60_000;
const POLL_MS = 100;
/** How long an answer in hand is offered to a database that is away. */
const WRITE_FOR_MS = 300_000;
/** How long a stopping process waits; a token endpoint has less time than that. */
const SETTLE_MS = 20_000;
const WINDOW_MS = 5 * 60_000;

/** True when the access token is missing, or ends within five minutes. */
export const needsTokens = (credential: OpenCredential): boolean =>
  credential.type === 'oauth2' &&
  (!credential.config['accessToken'] ||
    (credential.expiresAt !== null && credential.expiresAt.getTime() - Date.now() < WINDOW_MS));

const underWay = new Map<string, Promise<void>>();

/**
 * Renews the tokens of a credential that `isRenewable`, unless somebody did since it was opened. Resolves when newer
 * tokens are stored, or the status says `expired`. `isForced`: tries even when it did so before. Throws
 * ProviderUnreachable, and TokenRefused to the one whose attempt was refused.
 */
export function renew(credential: OpenCredential, isForced = false): Promise<void> {
  const known = underWay.get(credential.id);
  if (known) return known;
  const renewal = renewOnce(credential, isForced).finally(() => underWay.delete(credential.id));
  underWay.set(credential.id, renewal);
  return renewal;
}

/** Waits for the renewals under way, when the process stops; not for ever. */
export async function settleRenewals(): Promise<void> {
  await Promise.race([Promise.allSettled(underWay.values()), pause(SETTLE_MS, undefined, { ref: false })]);
}

async function renewOnce(credential: OpenCredential, isForced: boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
    const state = await claim(credential, isForced);
    if (state === 'settled') return;
    if (state === 'claimed') return carryOut(credential);
    if (Date.now() > deadline) throw new Error('Another process has been renewing the credential for too long.');
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

async function carryOut(credential: OpenCredential): Promise<void> {
  // A beat that fails changes nothing: without a database nobody else can claim it either.
  const beat = setInterval(() => void moveOn(credential).catch(() => undefined), CLAIM_EVERY_MS);
  try {
    const { client, form, defaultLifetime } = await grantOf(credential);
    const tokens = await askForTokens(client, form);
    await insist(() => store(credential, tokens, defaultLifetime));
  } catch (error) {
    const status = error instanceof TokenRefused ? 'expired' : null;
    await insist(() => giveBack(credential, status));
    throw error;
  } finally {
    clearInterval(beat);
  }
}

const moveOn = ({ id, tokenGeneration }: OpenCredential) =>
  pool().query({
    name: 'credentials.moveOn',
    text: `UPDATE credential SET refreshing_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND token_generation = $2 AND refreshing_until IS NOT NULL`,
    values: [id, tokenGeneration, CLAIM_SECONDS],
  });

/** The new tokens, unless somebody gave the credential others meanwhile. */
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
    // Read again: its other secrets may have been changed while the provider answered.
    const secrets = { ...openSecrets(id, row.sealed), accessToken: tokens.accessToken };
    if (tokens.refreshToken) Object.assign(secrets, { refreshToken: tokens.refreshToken });
    await db.credential.update({
      where: { id },
      data: {
        sealed: sealSecrets(id, secrets),
        secretFields: Object.keys(secrets),
        status: 'active',
        expiresAt: lifetime === undefined ? null : new Date(Date.now() + lifetime * 1000),
        tokenGeneration: tokenGeneration + 1,
        refreshingUntil: null,
        updatedAt: new Date(),
      },
    });
  });
}

const giveBack = ({ id, tokenGeneration }: OpenCredential, status: 'expired' | null) =>
  prisma().credential.updateMany({
    where: { id, tokenGeneration },
    data: { refreshingUntil: null, ...(status ? { status, updatedAt: new Date() } : {}) },
  });

/** Tries for as long as the database is away. */
async function insist(write: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + WRITE_FOR_MS; ; await pause(POLL_MS * 5)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isTransient(error) || Date.now() > deadline) throw error;
    }
  }
}

/** Marks a credential whose token ended and that nothing can renew. */
export const markExpired = ({ id, tokenGeneration }: OpenCredential) =>
  prisma().credential.updateMany({
    where: { id, tokenGeneration, status: 'active' },
    data: { status: 'expired', updatedAt: new Date() },
  });
