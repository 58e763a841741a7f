import { TIERS, type Tier } from '@/contract/workspace';
import { isTransient } from '../db/transient';
import { log } from '../log';
import { LEASE_MS, type Claim, type Granted, type Lease } from './token-lease';

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

/** A bucket as this process knows it. */
interface Bucket extends Claim {
  /** Tokens leased and not yet spent. */
  leftover: number;
  /** Milliseconds: when `level` was reckoned, and from when until when the lease may be spent. */
  at: number;
  leasedAt: number;
  leasedUntil: number;
  leasing?: Promise<void>;
}

/** Buckets kept in memory before those that say nothing are thrown out. */
const MOST = 10_000;
/** After the slowest tier's time to fill, a bucket is as good as none. */
const FULL_AFTER_MS = Math.max(...Object.values(TIERS).map(({ perMinute, burst }) => (burst / perMinute) * 60_000));

/**
 * The token buckets of this process. The tokens are leased some at a time from the row that all processes share, so most
 * requests cost no look at the database. One process alone counts exactly. Several never let more through than the tier
 * says; what others hold at the moment (an eighth of the bucket each, at most) is missing in `remaining`.
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

  /** Takes one request out of the bucket `name`, whose size and refill are the tier's. */
  async take(name: string, tier: Tier): Promise<Allowance> {
    const bucket = this.#bucket(name, tier);
    this.#refill(bucket, tier);
    while (bucket.leftover < 1 || !this.#isLive(bucket)) {
      if (bucket.level < 1) return this.#allowance(bucket, tier, false);
      // Forgotten when it is over, in a later turn: some are over before they could be remembered.
      await (bucket.leasing ??= this.#borrow(name, bucket, tier).finally(() => (bucket.leasing = undefined)));
      this.#refill(bucket, tier);
    }
    bucket.leftover -= 1;
    bucket.level -= 1;
    return this.#allowance(bucket, tier, true);
  }

  /** What is known of a bucket here, without taking from it; null: nothing. */
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
    // A clock that steps back takes nothing away.
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
      const { level, granted, revision, isBelieved, lasts } =
        tier === 'unlimited' ? ownWord(bucket) : await this.lease(name, { burst, perMs: perMinute / 60_000 }, claim);
      const at = isBelieved ? leasedAt : this.clock();
      const leasedUntil = leasedAt + lasts;
      Object.assign(bucket, { level, granted, revision, leftover: granted, at, leasedAt, leasedUntil });
    } catch (error) {
      if (!isTransient(error)) throw error;
      log().warn({ err: error }, 'rate limits are counted by this process alone for a moment');
      const leasedUntil = leasedAt + LEASE_MS;
      Object.assign(bucket, { granted: 0, leftover: Math.floor(bucket.level), leasedAt, leasedUntil });
    }
  }

  #allowance({ level }: Bucket, tier: Tier, isAllowed: boolean): Allowance {
    const { perMinute, burst } = TIERS[tier];
    const perMs = perMinute / 60_000;
    return {
      isAllowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor(level)),
      resetAt: Math.ceil((this.clock() + (burst - level) / perMs) / 1000),
      retryAfter: isAllowed ? 0 : Math.ceil((1 - level) / perMs / 1000),
    };
  }

  #sweep(now: number): void {
    for (const [name, { at }] of this.#buckets) if (now - at > FULL_AFTER_MS) this.#buckets.delete(name);
    // A flood of addresses: the oldest half goes, so memory stays bounded whatever comes.
    for (const name of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST / 2) break;
      this.#buckets.delete(name);
    }
  }
}

/** What nobody else counts needs no row. */
const ownWord = ({ level }: Claim): Granted => ({
  level,
  granted: Math.floor(level),
  revision: '0',
  isBelieved: true,
  lasts: LEASE_MS,
});
