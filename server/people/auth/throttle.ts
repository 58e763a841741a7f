import { createHash } from 'node:crypto';
import { networkOfAddress, type CallHeaders } from '@/server/platform/messages/client-address';
import { ApiProblem } from '@/server/platform/errors/problem';
import { secondaryPool as pool } from '@/server/platform/db/client';
import { readDeviceId } from './device';

/** Failures within 15 minutes that block an account, and a network: an IPv4 address, or the /64 of an IPv6 address. */
export const MAX_ACCOUNT_FAILURES = 5;
export const MAX_NETWORK_FAILURES = 20;

/** A sign-in attempt for an account. Password and code are unverified. */
export interface SignInClaim {
  /** The typed address in lower case, existing or not; null: the attempt is not for an account. */
  email: string | null;
  ipAddress: string;
  headers: CallHeaders;
}

interface ThrottleKeys {
  account: string | null;
  /** Key of the network. */
  address: string;
  /** Key of the account in a browser or network where it signed in before; null if there is none. */
  device: string | null;
}

/** The caller compares the IPv6 addresses of a network. A user has few sessions; the limit bounds the work. */
const KNOWN_ADDRESSES_QUERY = {
  name: 'known-addresses',
  text: `SELECT DISTINCT s.ip_address AS address FROM session s JOIN app_user u ON u.id = s.user_id
    WHERE u.email = $1 AND s.workspace_id IS NULL AND s.created_at > now() - interval '90 days'
      AND (s.ip_address = $2 OR ($3 AND s.ip_address LIKE '%:%'))
    LIMIT 1000`,
};

async function findThrottleKeys({ email, ipAddress, headers }: SignInClaim): Promise<ThrottleKeys> {
  const address = `address:${networkOfAddress(ipAddress)}`;
  if (email === null) return { account: null, address, device: null };
  const name = createHash('sha256').update(email).digest('hex');
  const from = readDeviceId(email, headers) ?? (await findKnownNetwork(email, ipAddress));
  return { account: `account:${name}`, address, device: from && `device:${name}:${from}` };
}

/** Programs keep no cookies: they are identified by their network. */
async function findKnownNetwork(email: string, ipAddress: string): Promise<string | null> {
  const network = networkOfAddress(ipAddress);
  const values = [email, ipAddress, network.includes(':')];
  const { rows } = await pool().query<{ address: string }>({ ...KNOWN_ADDRESSES_QUERY, values });
  return rows.some(({ address }) => networkOfAddress(address) === network) ? network : null;
}

const withoutNullKeys = (...keys: (string | null)[]) => keys.filter((key) => key !== null);

/**
 * Throws 429 while the account or the network is blocked. In a browser where the account signed in before, only
 * failures of that browser count: other clients cannot lock the owner out.
 */
export async function requireSignInUnblocked(claim: SignInClaim): Promise<void> {
  const { account, address, device } = await findThrottleKeys(claim);
  const { rows } = await pool().query<{ seconds: number }>({
    name: 'throttle-blocked',
    text: `SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS seconds FROM login_throttle
      WHERE key = ANY($1::text[]) AND blocked_until > now()`,
    values: [device ? [device] : withoutNullKeys(account, address)],
  });
  const seconds = rows[0]?.seconds;
  if (!seconds) return;
  throw new ApiProblem('RATE_LIMITED', 'Too many failed attempts. Wait before you try again.', [], {
    headers: { 'Retry-After': String(seconds) },
  });
}

// A block lasts 15 minutes, the next 30, then an hour. A day without failures resets the sequence.
const COUNT_FAILURES_STATEMENT = {
  name: 'throttle-count',
  text: `
    INSERT INTO login_throttle AS t (key, failures, since)
    SELECT key, 1, now() FROM unnest($1::text[]) AS key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN t.since < now() - interval '15 minutes' THEN 1 ELSE t.failures + 1 END,
      since = CASE WHEN t.since < now() - interval '15 minutes' THEN now() ELSE t.since END,
      blocks = CASE WHEN t.since < now() - interval '1 day' THEN 0 ELSE t.blocks END`,
};

const BLOCK_KEYS_STATEMENT = {
  name: 'throttle-block',
  text: `
    UPDATE login_throttle SET
      failures = 0,
      blocks = blocks + 1,
      blocked_until = now() + least(interval '1 hour', interval '15 minutes' * power(2, blocks))
    WHERE key = ANY($1::text[]) AND failures >= CASE WHEN key LIKE 'address:%' THEN ${MAX_NETWORK_FAILURES} ELSE ${MAX_ACCOUNT_FAILURES} END
      AND (blocked_until IS NULL OR blocked_until < now())`,
};

/** Counts a wrong password or code, immediately and independently of the caller's transaction. */
export async function countSignInFailure(claim: SignInClaim): Promise<void> {
  const { account, address, device } = await findThrottleKeys(claim);
  const keys = withoutNullKeys(account, address, device);
  await pool().query({ ...COUNT_FAILURES_STATEMENT, values: [keys] });
  await pool().query({ ...BLOCK_KEYS_STATEMENT, values: [keys] });
}

/** Resets the account's failures after a success. A block caused by other clients stays in force for them. */
export async function countSignInSuccess(claim: SignInClaim): Promise<void> {
  const { account, device } = await findThrottleKeys(claim);
  await pool().query({
    name: 'throttle-clear',
    text: 'DELETE FROM login_throttle WHERE key = ANY($1::text[]) AND (blocked_until IS NULL OR blocked_until < now())',
    values: [withoutNullKeys(account, device)],
  });
}

/** Lifts every block of an account, for an administrator. */
export async function unblockAccount(email: string): Promise<void> {
  const name = createHash('sha256').update(email).digest('hex');
  await pool().query('DELETE FROM login_throttle WHERE key = $1 OR key LIKE $2', [
    `account:${name}`,
    `device:${name}:%`,
  ]);
}

/** Removes expired counts. */
export const sweepLoginThrottle = () =>
  pool().query(`DELETE FROM login_throttle WHERE since < now() - interval '2 days'`);
