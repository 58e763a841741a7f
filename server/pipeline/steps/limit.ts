import { TIERS, type Tier } from '@/contract/tier';
import { pool } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { networkOf } from '@/server/client-address';
import { tokenBuckets, unverifiedBucket, workspaceBucket } from '@/server/limits/buckets';
import type { Incoming } from '@/server/api/incoming';
import type { Operation } from '@/server/api/operation';
import { Problem } from '@/server/errors/problem';
import type { Allowance } from '@/server/limits/token-bucket';
import type { Identity } from './identify';
import { isOpen } from './delivery-body';
import type { Delivery } from './verify';

/**
 * Second step: counts the call against its workspace (deliveries to webhooks have a separate bucket) or, without one, against the client's
 * network or the bucket of the operation. Unverified requests never count against a workspace: neither unverified deliveries, nor calls of sessions that still lack the
 * second factor. Returns the headers of every response, and a Problem if the bucket is empty.
 */
export async function limit(
  operation: Operation,
  { caller, webhook, pendingFactor }: Identity,
  { ipAddress, params }: Incoming,
  delivery: Delivery | null = null,
): Promise<{ headers: Record<string, string>; refusal: Problem | null }> {
  const buckets = tokenBuckets();
  const { rateLimitTier } = runtime().env;
  const { access } = operation;
  const isPublic = access.kind === 'public';
  const ownBucket = isPublic && access.bucketOf ? await access.bucketOf(params, networkOf(ipAddress)) : undefined;
  const allowance = await (webhook
    ? delivery?.refusal || isOpen(webhook)
      ? buckets.take(unverifiedBucket(webhook.id, networkOf(ipAddress)), rateLimitTier)
      : buckets.take(`webhooks:${webhook.workspaceId}`, webhook.tier)
    : caller && !isPublic && pendingFactor !== 'prove'
      ? buckets.take(workspaceBucket(caller.workspaceId), caller.tier)
      : buckets.take(ownBucket ?? `address:${networkOf(ipAddress)}`, rateLimitTier));
  return { headers: headersOf(allowance), refusal: allowance.isAllowed ? null : refusalOf(allowance) };
}

/** The level of a bucket: as known to this process, else from the shared row, else full. */
export async function allowanceOf(name: string, tier: Tier): Promise<Pick<Allowance, 'remaining' | 'resetAt'>> {
  const cached = runtime().buckets?.peek(name, tier);
  if (cached) return cached;
  const { perMinute, burst } = TIERS[tier];
  const perSecond = perMinute / 60;
  const { rows } = await pool().query<{ level: number }>(
    `SELECT tokens + $2 * extract(epoch FROM now() - updated_at)::float8 AS level FROM rate_bucket WHERE name = $1`,
    [name, perSecond],
  );
  const level = Math.min(burst, rows[0]?.level ?? burst);
  return { remaining: Math.floor(level), resetAt: Math.ceil(Date.now() / 1000 + (burst - level) / perSecond) };
}

const headersOf = ({ limit, burst, remaining, resetAt }: Allowance): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Burst': String(burst),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAt),
});

const refusalOf = ({ retryAfter }: Allowance) =>
  new Problem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': String(retryAfter) },
  });
