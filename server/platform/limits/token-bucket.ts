import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '@/contract/tier';
import { isTransientFailure } from '@/server/platform/db/failures/verdict';
import { serviceLog } from '@/server/platform/log';
import { currentMaintenance } from '@/server/platform/maintenance';
import { TOKEN_LEASE_MS, type LeaseClaim, type LeaseTokens, type LeaseGrant } from './bucket-lease';

/** The rate limit state after a request was counted. */
export interface RateLimitState {
  isAllowed: boolean;
  /** Requests per minute of the tier: how fast the bucket is refilled. */
  limit: number;
  /** The size of the bucket. */
  burst: number;
  /** Requests that are possible right now, at most `burst`. */
  remaining: number;
  /** Unix second at which the bucket is full again. */
  resetAt: number;
  /** Whole seconds until the next request is allowed; 0 if it is allowed now. */
  retryAfter: number;
}

/** A bucket as known to this process. */
interface LeasedBucket extends LeaseClaim {
  /** Tokens leased and not yet spent. */
  leftover: number;
  /** Milliseconds: when `level` was calculated, and the period in which the lease may be spent. */
  at: number;
  leasedAt: number;
  leasedUntil: number;
  leasing?: Promise<void>;
}

/** Maximum number of buckets in memory; full ones are removed first. */
const MAX_BUCKETS = 10_000;
/** A bucket is full after the slowest tier's time to refill. */
const BUCKET_FULL_AFTER_MS = Math.max(
  ...Object.values(RATE_LIMITS_BY_TIER).map(({ perMinute, burst }) => (burst / perMinute) * 60_000),
);

/**
 * The token buckets of this process. Tokens are leased in batches from the row that all processes share, so most
 * requests need no query. A single process counts exactly. Several never allow more than the tier; tokens leased by
 * others (an eighth of the bucket each, at most) are missing in `remaining`.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, LeasedBucket>();

  constructor(
    private readonly lease: LeaseTokens,
    private readonly clock: () => number = Date.now,
  ) {}

  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one token from the bucket `name`, whose size and refill rate are the tier's. `reserve`: number of tokens left
   * to others.
   */
  async take(name: string, tier: WorkspaceTier, reserve = 0): Promise<RateLimitState> {
    const bucket = this.#bucket(name, tier);
    this.#refill(bucket, tier);
    while (bucket.leftover < 1 || !this.#isLive(bucket) || bucket.level < 1 + reserve) {
      if (bucket.level < 1 + reserve) return this.#allowance(bucket, tier, false, reserve);
      // Removed after it settles, in a later turn: some settle before they could be stored.
      await (bucket.leasing ??= this.#borrow(name, bucket, tier).finally(() => (bucket.leasing = undefined)));
      this.#refill(bucket, tier);
    }
    bucket.leftover -= 1;
    bucket.level -= 1;
    return this.#allowance(bucket, tier, true);
  }

  /** The bucket as known to this process, without taking a token; null: unknown. */
  peek(name: string, tier: WorkspaceTier): RateLimitState | null {
    const bucket = this.#buckets.get(name);
    if (!bucket) return null;
    this.#refill(bucket, tier);
    return this.#allowance(bucket, tier, true);
  }

  #bucket(name: string, tier: WorkspaceTier): LeasedBucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      const now = this.clock();
      bucket = {
        leftover: 0,
        level: RATE_LIMITS_BY_TIER[tier].burst,
        granted: 0,
        revision: '0',
        isLive: false,
        at: now,
        leasedAt: 0,
        leasedUntil: 0,
      };
      this.#buckets.set(name, bucket);
      if (this.#buckets.size > MAX_BUCKETS) this.#sweep(now);
    }
    return bucket;
  }

  #refill(bucket: LeasedBucket, tier: WorkspaceTier): void {
    const { perMinute, burst } = RATE_LIMITS_BY_TIER[tier];
    const now = this.clock();
    // A clock that steps back takes no tokens away.
    bucket.level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) * perMinute) / 60_000);
    bucket.at = now;
  }

  #isLive({ leasedAt, leasedUntil }: LeasedBucket): boolean {
    const now = this.clock();
    return leasedAt <= now && now < leasedUntil;
  }

  async #borrow(name: string, bucket: LeasedBucket, tier: WorkspaceTier): Promise<void> {
    const { perMinute, burst } = RATE_LIMITS_BY_TIER[tier];
    const claim = { ...bucket, isLive: this.#isLive(bucket) };
    const leasedAt = this.clock();
    bucket.leftover = 0;
    try {
      const { level, granted, revision, isLevelAccepted, lifetimeMs } =
        tier === 'unlimited'
          ? grantOwnClaim(bucket)
          : await this.lease(name, { burst, perMs: perMinute / 60_000 }, claim);
      const at = isLevelAccepted ? leasedAt : this.clock();
      const leasedUntil = leasedAt + lifetimeMs;
      Object.assign(bucket, { level, granted, revision, leftover: granted, at, leasedAt, leasedUntil });
    } catch (error) {
      if (!isTransientFailure(error)) throw error;
      // Maintenance announces itself.
      if (!currentMaintenance())
        serviceLog().warn({ err: error }, 'rate limits are counted by this process alone for now');
      const leasedUntil = leasedAt + TOKEN_LEASE_MS;
      Object.assign(bucket, { granted: 0, leftover: Math.floor(bucket.level), leasedAt, leasedUntil });
    }
  }

  #allowance({ level }: LeasedBucket, tier: WorkspaceTier, isAllowed: boolean, reserve = 0): RateLimitState {
    const { perMinute, burst } = RATE_LIMITS_BY_TIER[tier];
    const perMs = perMinute / 60_000;
    return {
      isAllowed,
      limit: perMinute,
      burst,
      remaining: Math.max(0, Math.floor(level)),
      resetAt: Math.ceil((this.clock() + (burst - level) / perMs) / 1000),
      retryAfter: isAllowed ? 0 : Math.ceil((1 + reserve - level) / perMs / 1000),
    };
  }

  #sweep(now: number): void {
    for (const [name, { at }] of this.#buckets) if (now - at > BUCKET_FULL_AFTER_MS) this.#buckets.delete(name);
    // With too many addresses the oldest half is removed, so memory stays bounded.
    for (const name of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_BUCKETS / 2) break;
      this.#buckets.delete(name);
    }
  }
}

/** Buckets that no other process counts need no row. */
const grantOwnClaim = ({ level }: LeaseClaim): LeaseGrant => ({
  level,
  granted: Math.floor(level),
  revision: '0',
  isLevelAccepted: true,
  lifetimeMs: TOKEN_LEASE_MS,
});
