import { TIERS, type Tier } from '@/contract/tier';
import { isPassingFailure } from '@/server/db/failures/verdict';
import { log } from '@/server/log';
import { maintenance } from '@/server/maintenance';
import { LEASE_MS, type Claim, type Lease, type LeaseGrant } from './bucket-lease';

/** The rate limit state after a request was counted. */
export interface Allowance {
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
interface Bucket extends Claim {
  /** Tokens leased and not yet spent. */
  leftover: number;
  /** Milliseconds: when `level` was calculated, and the period in which the lease may be spent. */
  at: number;
  leasedAt: number;
  leasedUntil: number;
  leasing?: Promise<void>;
}

/** Maximum number of buckets in memory; full ones are removed first. */
const MOST = 10_000;
/** A bucket is full after the slowest tier's time to refill. */
const FULL_AFTER_MS = Math.max(...Object.values(TIERS).map(({ perMinute, burst }) => (burst / perMinute) * 60_000));

/**
 * The token buckets of this process. Tokens are leased in batches from the row that all processes share, so most requests need no query. A
 * single process counts exactly. Several never allow more than the tier; tokens leased by others (an eighth of the bucket each, at most)
 * are missing in `remaining`.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly lease: Lease,
    private readonly clock: () => number = Date.now,
  ) {}

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token from the bucket `name`, whose size and refill rate are the tier's. `reserve`: number of tokens left to others. */
  async take(name: string, tier: Tier, reserve = 0): Promise<Allowance> {
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
  peek(name: string, tier: Tier): Allowance | null {
    const bucket = this.#buckets.get(name);
    if (!bucket) return null;
    this.#refill(bucket, tier);
    return this.#allowance(bucket, tier, true);
  }

  #bucket(name: string, tier: Tier): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      const now = this.clock();
      bucket = {
        leftover: 0,
        level: TIERS[tier].burst,
        granted: 0,
        revision: '0',
        isLive: false,
        at: now,
        leasedAt: 0,
        leasedUntil: 0,
      };
      this.#buckets.set(name, bucket);
      if (this.#buckets.size > MOST) this.#sweep(now);
    }
    return bucket;
  }

  #refill(bucket: Bucket, tier: Tier): void {
    const { perMinute, burst } = TIERS[tier];
    const now = this.clock();
    // A clock that steps back takes no tokens away.
    bucket.level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) * perMinute) / 60_000);
    bucket.at = now;
  }

  #isLive({ leasedAt, leasedUntil }: Bucket): boolean {
    const now = this.clock();
    return leasedAt <= now && now < leasedUntil;
  }

  async #borrow(name: string, bucket: Bucket, tier: Tier): Promise<void> {
    const { perMinute, burst } = TIERS[tier];
    const claim = { ...bucket, isLive: this.#isLive(bucket) };
    const leasedAt = this.clock();
    bucket.leftover = 0;
    try {
      const { level, granted, revision, isLevelAccepted, lifetimeMs } =
        tier === 'unlimited' ? ownWord(bucket) : await this.lease(name, { burst, perMs: perMinute / 60_000 }, claim);
      const at = isLevelAccepted ? leasedAt : this.clock();
      const leasedUntil = leasedAt + lifetimeMs;
      Object.assign(bucket, { level, granted, revision, leftover: granted, at, leasedAt, leasedUntil });
    } catch (error) {
      if (!isPassingFailure(error)) throw error;
      // Maintenance announces itself.
      if (!maintenance()) log().warn({ err: error }, 'rate limits are counted by this process alone for now');
      const leasedUntil = leasedAt + LEASE_MS;
      Object.assign(bucket, { granted: 0, leftover: Math.floor(bucket.level), leasedAt, leasedUntil });
    }
  }

  #allowance({ level }: Bucket, tier: Tier, isAllowed: boolean, reserve = 0): Allowance {
    const { perMinute, burst } = TIERS[tier];
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
    for (const [name, { at }] of this.#buckets) if (now - at > FULL_AFTER_MS) this.#buckets.delete(name);
    // With too many addresses the oldest half is removed, so memory stays bounded.
    for (const name of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST / 2) break;
      this.#buckets.delete(name);
    }
  }
}

/** Buckets that no other process counts need no row. */
const ownWord = ({ level }: Claim): LeaseGrant => ({
  level,
  granted: Math.floor(level),
  revision: '0',
  isLevelAccepted: true,
  lifetimeMs: LEASE_MS,
});
