import { databasePool } from '@/server/platform/db/client';

/**
 * Maximum time in which leased tokens may be spent; the rest is returned with the next lease. All leases of a bucket
 * expire together, so tokens leased by a dead process are free again afterwards.
 */
export const TOKEN_LEASE_MS = 1000;

/** The size of a bucket and its refill rate. */
export interface TokenBucketSize {
  burst: number;
  perMs: number;
}

/** A process's report on its last lease, sent with the request for the next. */
export interface LeaseClaim {
  /**
   * The content of the bucket by the process's calculation, its own tokens included. Used if no other process leased
   * meanwhile.
   */
  level: number;
  /** The row's revision after its last lease. */
  revision: string;
  /** Tokens of the last lease, and those that it returns. */
  granted: number;
  leftover: number;
  /** Its last lease has not expired. */
  isLive: boolean;
}

/** The lease: `granted` tokens of a bucket with `level` tokens. */
export interface LeaseGrant extends Pick<LeaseClaim, 'level' | 'granted' | 'revision'> {
  /** The claim's level was used unchanged. */
  isLevelAccepted: boolean;
  /** Milliseconds in which the tokens may be spent. */
  lifetimeMs: number;
}

export type LeaseTokens = (name: string, size: TokenBucketSize, claim: LeaseClaim) => Promise<LeaseGrant>;

/**
 * A lease is an eighth of the current level, so it shrinks to single tokens towards the end. While other processes hold
 * leased tokens, the row refills only up to the burst minus these: all tokens together never exceed the bucket's size.
 */
const LEASE_TOKENS_STATEMENT = {
  name: 'lease-tokens',
  text: `
    WITH asked AS (
      SELECT $1::text AS name, $2::float8 AS burst, $3::float8 AS per_ms, $4::float8 AS claimed, $5::bigint AS revision,
        $6::float8 AS granted, $7::float8 AS leftover, $8::boolean AS is_live
    ),
    before AS (SELECT *, clock_timestamp() AS now FROM rate_bucket WHERE name = $1 FOR UPDATE),
    held AS (
      SELECT before.*, CASE WHEN leased_until > now THEN leased ELSE 0 END AS outside,
        per_ms * greatest(0, extract(epoch FROM now - updated_at)::float8 * 1000) AS growth
      FROM before, asked
    ),
    others AS (
      SELECT held.*, greatest(0, outside - CASE WHEN held.revision = asked.revision OR is_live THEN granted ELSE 0 END) AS elsewhere
      FROM held, asked
    ),
    judged AS (SELECT others.*, others.revision = asked.revision AND elsewhere = 0 AS is_believed FROM others, asked),
    found AS (
      SELECT now, judged.revision, elsewhere, is_believed,
        least(burst, CASE WHEN is_believed THEN claimed
          ELSE tokens + leftover + least(growth, greatest(0, burst - tokens - greatest(outside, elsewhere + leftover)))
        END) AS level,
        CASE WHEN leased_until > now THEN leased_until ELSE now + interval '${TOKEN_LEASE_MS} milliseconds' END AS until
      FROM judged, asked
      UNION ALL
      SELECT clock_timestamp(), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 0, true, least(burst, claimed),
        clock_timestamp() + interval '${TOKEN_LEASE_MS} milliseconds'
      FROM asked WHERE NOT EXISTS (SELECT FROM before)
    ),
    share AS (SELECT *, CASE WHEN level < 1 THEN 0 ELSE greatest(1, floor(level / 8)) END AS granted FROM found),
    written AS (
      INSERT INTO rate_bucket AS b (name, tokens, updated_at, revision, leased, leased_until)
      SELECT asked.name, level - share.granted, now, share.revision + 1, elsewhere + share.granted, until
      FROM share, asked
      ON CONFLICT (name) DO UPDATE SET tokens = excluded.tokens, updated_at = excluded.updated_at,
        revision = excluded.revision, leased = excluded.leased, leased_until = excluded.leased_until
      WHERE b.revision = excluded.revision - 1
      RETURNING revision
    )
    SELECT level, granted, written.revision, is_believed AS "isLevelAccepted",
      extract(epoch FROM until - now)::float8 * 1000 AS "lifetimeMs"
    FROM share, written`,
};

/** Number of leases between two clean-ups of full buckets' rows. */
const LEASES_PER_SWEEP = 1000;
/** The slowest tier refills in less time. */
const SWEEP_BUCKETS_STATEMENT = `DELETE FROM rate_bucket WHERE updated_at < now() - interval '10 minutes'`;
let leaseCount = 0;

/** Returns tokens and leases new ones, in one statement. */
export const leaseTokens: LeaseTokens = async (name, { burst, perMs }, claim) => {
  if (++leaseCount % LEASES_PER_SWEEP === 0) await databasePool().query(SWEEP_BUCKETS_STATEMENT);
  const { level, revision, granted, leftover, isLive } = claim;
  const values = [name, burst, perMs, level, revision, granted, leftover, isLive];
  for (;;) {
    const { rows } = await databasePool().query<LeaseGrant>({ values, ...LEASE_TOKENS_STATEMENT });
    if (rows[0]) return rows[0];
    // Another process has just created the row.
  }
};
