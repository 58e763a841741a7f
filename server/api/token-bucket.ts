import { TIERS, type Tier } from '@/contract/workspace';
import { runtime } from '../runtime';

/** Tokens left in a bucket at a moment (milliseconds). */
export interface Bucket {
  tokens: number;
  at: number;
}

/** What a caller is told after a request was counted. */
export interface Allowance {
  isAllowed: boolean;
  /** Requests per minute of the tier. */
  limit: number;
  /** Requests that could be made right now. */
  remaining: number;
  /** Unix second at which the bucket is full again. */
  resetAt: number;
  /** Whole seconds until the next request is allowed; 0 if it is now. */
  retryAfter: number;
}

/** Buckets kept before the full ones, which say nothing, are thrown out. */
const SWEEP_AT = 10_000;

/** Takes one request out of the bucket `name`, whose size and refill are the tier's. */
export function take(name: string, tier: Tier, now = Date.now()): Allowance {
  const { perMinute, burst } = TIERS[tier];
  const perMs = perMinute / 60_000;
  const buckets = (runtime().buckets ??= new Map());
  const before = buckets.get(name) ?? { tokens: burst, at: now };
  const filled = Math.min(burst, before.tokens + Math.max(0, now - before.at) * perMs);
  const isAllowed = filled >= 1;
  const tokens = isAllowed ? filled - 1 : filled;
  buckets.set(name, { tokens, at: now });
  if (buckets.size > SWEEP_AT) sweep(buckets, now);
  return {
    isAllowed,
    limit: perMinute,
    remaining: Math.floor(tokens),
    resetAt: Math.ceil((now + (burst - tokens) / perMs) / 1000),
    retryAfter: isAllowed ? 0 : Math.ceil((1 - tokens) / perMs / 1000),
  };
}

/** After the slowest tier's time to fill, a bucket is as good as none. */
const FULL_AFTER_MS = Math.max(...Object.values(TIERS).map(({ perMinute, burst }) => (burst / perMinute) * 60_000));

function sweep(buckets: Map<string, Bucket>, now: number): void {
  for (const [name, { at }] of buckets) if (now - at > FULL_AFTER_MS) buckets.delete(name);
  // A flood of addresses: the oldest go first, so memory stays bounded whatever comes.
  for (const name of buckets.keys()) {
    if (buckets.size <= SWEEP_AT) break;
    buckets.delete(name);
  }
}
