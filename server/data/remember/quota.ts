import type pg from 'pg';
import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { BoundedCache } from '@/server/platform/cache/cache';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { quotaExceededProblem } from '@/server/platform/quotas/quota';
import { getRuntime } from '@/server/platform/runtime';

/** How long a count, plus what this process has added since, tells how far a workspace is from its limit. */
const MAX_COUNT_AGE_MS = 5000;
/** Within this distance of the limit, or a tenth of the limit if that is less, each addition is counted by itself. */
const NEAR_LIMIT_KEYS = 1000;
/** How long a refusal holds without another count: only removals could change it. */
const REFUSAL_HOLDS_MS = 1000;
/** The counts of at most this many workspaces are cached. */
const MAX_CACHED_KEY_COUNTS = 10_000;

interface KeyCountEntry {
  /** Null: the tier has no such quota. */
  limit: number | null;
  used: number;
  /** When it was counted, by `performance.now()`. */
  at: number;
  refusedAt?: number;
}

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Cached counts of what workspaces remember. */
    rememberedKeys?: BoundedCache<string, KeyCountEntry>;
  }
}

const COUNT_KEYS_SQL = `
SELECT (SELECT count(*) FROM remembered WHERE workspace_id = $1)::int
  + (SELECT count(*) FROM remembered r JOIN remembered_item i ON i.list_id = r.id
     WHERE r.workspace_id = $1 AND r.is_list)::int AS count`;

type MemoryDbClient = pg.ClientBase | pg.Pool;

/** Number of keys and of items of lists that a workspace has stored. */
export async function countRememberedKeys(client: MemoryDbClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(COUNT_KEYS_SQL, [workspaceId]);
  return rows[0]?.count ?? 0;
}

const isNearKeyLimit = ({ limit, used }: KeyCountEntry): boolean =>
  limit !== null && used > limit - Math.min(NEAR_LIMIT_KEYS, limit / 10);

const keyQuotaFailure = ({ used, limit }: KeyCountEntry) =>
  new NodeFailure('QUOTA', quotaExceededProblem('rememberedKeys', used, limit ?? 0).message, false);

/**
 * Counts keys that a transaction has just stored against the quota. Far from the limit a cached count tells that there
 * is room, whatever was rolled back or removed since. Near it the keys are counted under a lock that is held until the
 * transaction ends, so the quota is exact: what other transactions store is committed or not there, and what was rolled
 * back does not count. Throws NodeFailure QUOTA.
 */
export async function requireKeyQuota(client: pg.ClientBase, workspaceId: string, added: number): Promise<void> {
  const entries = (getRuntime().rememberedKeys ??= new BoundedCache<string, KeyCountEntry>(MAX_CACHED_KEY_COUNTS));
  const entry = entries.get(workspaceId, () => ({ limit: null, used: 0, at: -Infinity }));
  if (entry.refusedAt !== undefined && performance.now() - entry.refusedAt < REFUSAL_HOLDS_MS)
    throw keyQuotaFailure(entry);
  if (performance.now() - entry.at < MAX_COUNT_AGE_MS) entry.used += added;
  else await recountKeys(client, workspaceId, entry);
  if (!isNearKeyLimit(entry)) return;
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`count:rememberedKeys:${workspaceId}`]);
  await recountKeys(client, workspaceId, entry);
  entry.refusedAt = undefined;
  if (entry.limit === null || entry.used <= entry.limit) return;
  // The transaction is rolled back.
  entry.used -= added;
  entry.refusedAt = performance.now();
  throw keyQuotaFailure(entry);
}

/** Counts again; what the transaction has added is included. */
async function recountKeys(client: MemoryDbClient, workspaceId: string, entry: KeyCountEntry): Promise<void> {
  const at = performance.now();
  const { rows } = await client.query<{ tier: WorkspaceTier }>('SELECT tier FROM workspace WHERE id = $1', [
    workspaceId,
  ]);
  const limit = rows[0] ? QUOTAS_BY_TIER[rows[0].tier].rememberedKeys : null;
  const used = limit === null ? 0 : await countRememberedKeys(client, workspaceId);
  Object.assign(entry, { limit, used, at });
}
