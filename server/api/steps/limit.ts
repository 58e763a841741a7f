import { TIERS, type Tier } from '@/contract/workspace';
import { pool } from '../../db/client';
import { runtime } from '../../runtime';
import { networkOf } from '../address';
import type { Incoming } from '../incoming';
import type { Operation } from '../operation';
import { Problem } from '../problem';
import { TokenBuckets, type Allowance } from '../token-bucket';
import { leaseTokens } from '../token-lease';
import type { Identity } from './identify';

/**
 * Second step: counts the call against its workspace (deliveries to webhooks have a bucket of their own) or, without
 * one, against the client's address. Answers the headers of every response, and a Problem once the bucket is empty.
 */
export async function limit(
  operation: Operation,
  { caller, webhook }: Identity,
  { ipAddress }: Incoming,
): Promise<{ headers: Record<string, string>; refusal: Problem | null }> {
  const buckets = (runtime().buckets ??= new TokenBuckets(leaseTokens));
  const allowance = await (webhook
    ? buckets.take(`webhooks:${webhook.workspaceId}`, webhook.tier)
    : caller && operation.access !== 'public'
      ? buckets.take(`workspace:${caller.workspaceId}`, caller.tier)
      : buckets.take(`address:${networkOf(ipAddress)}`, runtime().env.rateLimitTier));
  return { headers: headersOf(allowance), refusal: allowance.isAllowed ? null : refusalOf(allowance) };
}

/** How full a bucket is: as this process knows it, else by the row that all share, else full. */
export async function allowanceOf(name: string, tier: Tier): Promise<Pick<Allowance, 'remaining' | 'resetAt'>> {
  const known = runtime().buckets?.peek(name, tier);
  if (known) return known;
  const { perMinute, burst } = TIERS[tier];
  const perSecond = perMinute / 60;
  const { rows } = await pool().query<{ level: number }>(
    `SELECT tokens + $2 * extract(epoch FROM now() - updated_at)::float8 AS level FROM rate_bucket WHERE name = $1`,
    [name, perSecond],
  );
  const level = Math.min(burst, rows[0]?.level ?? burst);
  return { remaining: Math.floor(level), resetAt: Math.ceil(Date.now() / 1000 + (burst - level) / perSecond) };
}

const headersOf = ({ limit, remaining, resetAt }: Allowance): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAt),
});

const refusalOf = ({ retryAfter }: Allowance) =>
  new Problem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': String(retryAfter) },
  });
