import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { networkOfAddress } from '@/server/platform/messages/client-address';
import { processTokenBuckets, unverifiedBucketName, workspaceBucketName } from '@/server/platform/limits/buckets';
import type { IncomingCall } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';
import { ApiProblem } from '@/server/platform/errors/problem';
import type { RateLimitState } from '@/server/platform/limits/token-bucket';
import type { CallIdentity } from './identify';
import { isOpenWebhook } from './delivery-body';
import type { VerifiedDelivery } from './verify';

/**
 * Second step: counts the call against its workspace (deliveries to webhooks have a separate bucket) or, without one,
 * against the client's network or the bucket of the operation. Unverified requests never count against a workspace:
 * neither unverified deliveries, nor calls of sessions that still lack the second factor. Returns the headers of every
 * response, and a Problem if the bucket is empty.
 */
export async function limitCallRate(
  operation: OperationRecord,
  { caller, webhook, pendingFactor }: CallIdentity,
  { ipAddress, params }: IncomingCall,
  delivery: VerifiedDelivery | null = null,
): Promise<{ headers: Record<string, string>; refusal: ApiProblem | null }> {
  const buckets = processTokenBuckets();
  const { rateLimitTier } = getRuntime().env;
  const { access } = operation;
  const isPublic = access.kind === 'public';
  const ownBucket =
    isPublic && access.bucketOf ? await access.bucketOf(params, networkOfAddress(ipAddress)) : undefined;
  const allowance = await (webhook
    ? delivery?.refusal || isOpenWebhook(webhook)
      ? buckets.take(unverifiedBucketName(webhook.id, networkOfAddress(ipAddress)), rateLimitTier)
      : buckets.take(`webhooks:${webhook.workspaceId}`, webhook.tier)
    : caller && !isPublic && pendingFactor !== 'prove'
      ? buckets.take(workspaceBucketName(caller.workspaceId), caller.tier)
      : buckets.take(ownBucket ?? `address:${networkOfAddress(ipAddress)}`, rateLimitTier));
  return { headers: rateLimitHeaders(allowance), refusal: allowance.isAllowed ? null : rateLimitProblem(allowance) };
}

/** The level of a bucket: as known to this process, else from the shared row, else full. */
export async function readRateLimitState(
  name: string,
  tier: WorkspaceTier,
): Promise<Pick<RateLimitState, 'remaining' | 'resetAt'>> {
  const cached = getRuntime().buckets?.peek(name, tier);
  if (cached) return cached;
  const { perMinute, burst } = RATE_LIMITS_BY_TIER[tier];
  const perSecond = perMinute / 60;
  const { rows } = await databasePool().query<{ level: number }>(
    `SELECT tokens + $2 * extract(epoch FROM now() - updated_at)::float8 AS level FROM rate_bucket WHERE name = $1`,
    [name, perSecond],
  );
  const level = Math.min(burst, rows[0]?.level ?? burst);
  return { remaining: Math.floor(level), resetAt: Math.ceil(Date.now() / 1000 + (burst - level) / perSecond) };
}

const rateLimitHeaders = ({ limit, burst, remaining, resetAt }: RateLimitState): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Burst': String(burst),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAt),
});

const rateLimitProblem = ({ retryAfter }: RateLimitState) =>
  new ApiProblem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': String(retryAfter) },
  });
