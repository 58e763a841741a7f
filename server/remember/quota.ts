import type pg from 'pg';
import { QUOTAS } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { Cache } from '@/server/cache';
import { NodeFailure } from '@/server/errors/node-failure';
import { quotaExceeded } from '@/server/quotas/quota';
import { runtime } from '@/server/runtime';

/** How long a count, plus what this process has added since, tells how far a workspace is from its limit. */
const FRESH_MS = 5000;
/** So close to the limit, and at most a tenth of it, each addition is counted by itself. */
const NEAR_KEYS = 1000;
/** How long a refusal holds without another count: only removals could change it. */
const REFUSED_MS = 1000;
/** Workspaces whose counts are cached. */
const MAX_ENTRIES = 10_000;

interface Entry {
  /** Null: the tier has no such quota. */
  limit: number | null;
  used: number;
  /** When it was counted, by `performance.now()`. */
  at: number;
  refusedAt?: number;
}

declare module '@/server/runtime' {
  interface Runtime {
    /** Cached counts of what workspaces remember. */
    rememberedKeys?: Cache<string, Entry>;
  }
}

const COUNT = `
SELECT (SELECT count(*) FROM remembered WHERE workspace_id = $1)::int
  + (SELECT count(*) FROM remembered r JOIN remembered_item i ON i.list_id = r.id
     WHERE r.workspace_id = $1 AND r.is_list)::int AS count`;

type Client = pg.ClientBase | pg.Pool;

/** Number of keys and of items of lists that a workspace has stored. */
export async function rememberedKeysOf(client: Client, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(COUNT, [workspaceId]);
  return rows[0]?.count ?? 0;
}

const isNear = ({ limit, used }: Entry): boolean => limit !== null && used > limit - Math.min(NEAR_KEYS, limit / 10);

const usedUp = ({ used, limit }: Entry) =>
  new NodeFailure('QUOTA', quotaExceeded('rememberedKeys', used, limit ?? 0).message, false);

/**
 * Counts keys that a transaction has just stored against the quota. Far from the limit a cached count tells that there is room, whatever was
 * rolled back or removed since. Near it the keys are counted under a lock that is held until the transaction ends, so the quota is exact: what
 * other transactions store is committed or not there, and what was rolled back does not count. Throws NodeFailure QUOTA.
 */
export async function requireRoomForKeys(client: pg.ClientBase, workspaceId: string, added: number): Promise<void> {
  const entries = (runtime().rememberedKeys ??= new Cache<string, Entry>(MAX_ENTRIES));
  const entry = entries.get(workspaceId, () => ({ limit: null, used: 0, at: -Infinity }));
  if (entry.refusedAt !== undefined && performance.now() - entry.refusedAt < REFUSED_MS) throw usedUp(entry);
  if (performance.now() - entry.at < FRESH_MS) entry.used += added;
  else await recount(client, workspaceId, entry);
  if (!isNear(entry)) return;
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`count:rememberedKeys:${workspaceId}`]);
  await recount(client, workspaceId, entry);
  entry.refusedAt = undefined;
  if (entry.limit === null || entry.used <= entry.limit) return;
  // The transaction is rolled back.
  entry.used -= added;
  entry.refusedAt = performance.now();
  throw usedUp(entry);
}

/** Counts again; what the transaction has added is included. */
async function recount(client: Client, workspaceId: string, entry: Entry): Promise<void> {
  const at = performance.now();
  const { rows } = await client.query<{ tier: Tier }>('SELECT tier FROM workspace WHERE id = $1', [workspaceId]);
  const limit = rows[0] ? QUOTAS[rows[0].tier].rememberedKeys : null;
  const used = limit === null ? 0 : await rememberedKeysOf(client, workspaceId);
  Object.assign(entry, { limit, used, at });
}
