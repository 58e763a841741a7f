import { createHash } from 'node:crypto';
import type { CallHeaders } from '../api/call-headers';
import { Problem } from '../api/problem';
import { pool } from '../db/client';
import { deviceOf } from './device';

/** Failures within 15 minutes that block an account, and an address. */
const PER_ACCOUNT = 5;
const PER_ADDRESS = 20;

/** Somebody who claims to be the owner of an account: the right password and code are what they may be guessing. */
export interface Claim {
  /** The address they type, in lower case, whether anybody has it or not; null: no account is being guessed at. */
  email: string | null;
  ipAddress: string;
  headers: CallHeaders;
}

interface Keys {
  account: string | null;
  address: string;
  /** The account from a browser or else a place where it was signed in to before; null: this is none such. */
  device: string | null;
}

const KNOWN_ADDRESS = {
  name: 'known-address',
  text: `SELECT FROM session s JOIN app_user u ON u.id = s.user_id
    WHERE u.email = $1 AND s.ip_address = $2 AND s.created_at > now() - interval '90 days' LIMIT 1`,
};

async function keysOf({ email, ipAddress, headers }: Claim): Promise<Keys> {
  const address = `address:${ipAddress}`;
  if (email === null) return { account: null, address, device: null };
  const name = createHash('sha256').update(email).digest('hex');
  const from = deviceOf(email, headers) ?? (await knownAddress(email, ipAddress));
  return { account: `account:${name}`, address, device: from && `device:${name}:${from}` };
}

/** Programs keep no cookies: they are known by where they are, along with whoever else is there. */
async function knownAddress(email: string, ipAddress: string): Promise<string | null> {
  const { rowCount } = await pool().query({ ...KNOWN_ADDRESS, values: [email, ipAddress] });
  return rowCount ? ipAddress : null;
}

const present = (...keys: (string | null)[]) => keys.filter((key) => key !== null);

/**
 * Throws 429 while the account or the address is blocked. In a browser where the account was signed in to before, only
 * failures made there count: strangers can't lock its owner out.
 */
export async function requireUnblocked(claim: Claim): Promise<void> {
  const { account, address, device } = await keysOf(claim);
  const { rows } = await pool().query<{ seconds: number }>({
    name: 'throttle-blocked',
    text: `SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS seconds FROM login_throttle
      WHERE key = ANY($1::text[]) AND blocked_until > now()`,
    values: [device ? [device] : present(account, address)],
  });
  const seconds = rows[0]?.seconds;
  if (!seconds) return;
  throw new Problem('RATE_LIMITED', 'Too many failed attempts. Wait before you try again.', [], {
    headers: { 'Retry-After': String(seconds) },
  });
}

// A block lasts 15 minutes, the next 30, then an hour; a day without failures forgets the blocks.
const COUNT = {
  name: 'throttle-count',
  text: `
    INSERT INTO login_throttle AS t (key, failures, since)
    SELECT key, 1, now() FROM unnest($1::text[]) AS key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN t.since < now() - interval '15 minutes' THEN 1 ELSE t.failures + 1 END,
      since = CASE WHEN t.since < now() - interval '15 minutes' THEN now() ELSE t.since END,
      blocks = CASE WHEN t.since < now() - interval '1 day' THEN 0 ELSE t.blocks END`,
};

const BLOCK = {
  name: 'throttle-block',
  text: `
    UPDATE login_throttle SET
      failures = 0,
      blocks = blocks + 1,
      blocked_until = now() + least(interval '1 hour', interval '15 minutes' * power(2, blocks))
    WHERE key = ANY($1::text[]) AND failures >= CASE WHEN key LIKE 'address:%' THEN ${PER_ADDRESS} ELSE ${PER_ACCOUNT} END
      AND (blocked_until IS NULL OR blocked_until < now())`,
};

/** Counts a wrong password or code, at once and whatever becomes of the caller's transaction. */
export async function countFailure(claim: Claim): Promise<void> {
  const { account, address, device } = await keysOf(claim);
  const keys = present(account, address, device);
  await pool().query({ ...COUNT, values: [keys] });
  await pool().query({ ...BLOCK, values: [keys] });
}

/** Forgets the account's failures after a success; a block that strangers brought about stays on them. */
export async function countSuccess(claim: Claim): Promise<void> {
  const { account, device } = await keysOf(claim);
  await pool().query({
    name: 'throttle-clear',
    text: 'DELETE FROM login_throttle WHERE key = ANY($1::text[]) AND (blocked_until IS NULL OR blocked_until < now())',
    values: [present(account, device)],
  });
}

/** Lifts every block of an account, for an administrator. */
export async function unblock(email: string): Promise<void> {
  const name = createHash('sha256').update(email).digest('hex');
  await pool().query('DELETE FROM login_throttle WHERE key = $1 OR key LIKE $2', [
    `account:${name}`,
    `device:${name}:%`,
  ]);
}

/** Removes counts that say nothing any more. */
export const sweepThrottle = () => pool().query(`DELETE FROM login_throttle WHERE since < now() - interval '2 days'`);
