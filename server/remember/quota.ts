import type pg from 'pg';
import { QUOTAS } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { Cache } from '@/server/cache';
import { NodeFailure } from '@/server/errors/node-failure';
import { quotaExceeded } from '@/server/quotas/quota';
import { runtime } from '@/server/runtime';

/** How long a count, plus what this process has added since, is valid. */
const FRESH_MS = 5000;
/** Workspaces whose counts are cached. */
const MAX_ENTRIES = 10_000;

interface Entry {
  /** Null: the tier has no such quota. */
  limit: number | null;
  used: number;
  /** When it was counted, by `performance.now()`. */
  at: number;
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

/**
 * Counts keys that a transaction has just stored against the quota. The keys of a workspace are counted at most once every five seconds, and
 * only if its tier has a quota: it can be exceeded by what other processes store meanwhile. Throws NodeFailure QUOTA.
 */
export async function requireRoomForKeys(client: Client, workspaceId: string, added: number): Promise<void> {
  const entries = (runtime().rememberedKeys ??= new Cache<string, Entry>(MAX_ENTRIES));
  const entry = entries.get(workspaceId, () => ({ limit: null, used: 0, at: -Infinity }));
  if (performance.now() - entry.at < FRESH_MS) entry.used += added;
  else await recount(client, workspaceId, entry);
  if (entry.limit === null || entry.used <= entry.limit) return;
  // The transaction is rolled back.
  entry.used -= added;
  throw new NodeFailure('QUOTA', quotaExceeded('rememberedKeys', entry.used, entry.limit).message, false);
}

/** Counts again; what the transaction has added is included. */
async function recount(client: Client, workspaceId: string, entry: Entry): Promise<void> {
  const at = performance.now();
  const { rows } = await client.query<{ tier: Tier }>('SELECT tier FROM workspace WHERE id = $1', [workspaceId]);
  const limit = rows[0] ? QUOTAS[rows[0].tier].rememberedKeys : null;
  const used = limit === null ? 0 : await rememberedKeysOf(client, workspaceId);
  Object.assign(entry, { limit, used, at });
}
