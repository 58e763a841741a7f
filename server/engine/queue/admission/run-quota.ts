import { QUOTAS } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { pool } from '@/server/db/client';
import { quotaExceeded } from '@/server/quotas/quota';
import { runtime } from '@/server/runtime';
import { Cache } from '@/server/cache';
import { countExecutions } from '../../store/tally';

/** How long a count, plus what this process has added since, is valid. */
const FRESH_MS = 1000;
/** Runs that were granted so long ago are stored, or their statement was rolled back. */
const SETTLED_MS = 250;
/** Workspaces whose counts are cached. */
const MAX_ENTRIES = 10_000;

interface Entry {
  /** Null: the tier has no such quota. */
  limit: number | null;
  used: number;
  /** When it was counted, by `performance.now()`. */
  at: number;
  /** When the last run was granted. */
  takenAt: number;
  counting?: Promise<void>;
}

/**
 * Quotas of stored runs, from cached counts. The runs of a workspace are counted once a second, and only if its
 * tier has a quota; runs that this process accepts afterwards are added. A quota can be exceeded by runs that are being
 * stored during the count, and by runs that other processes accept within that second. Before it refuses, it counts again: runs that were
 * added and then not stored, because their statement was rolled back, refuse no other.
 */
export class RunQuota {
  readonly #entries = new Cache<string, Entry>(MAX_ENTRIES);

  /** Counts one run against the quota. Throws FORBIDDEN, or rejects with it, when the quota is used up. */
  take(workspaceId: string): void | Promise<void> {
    const entry = this.#entries.get(workspaceId, () => ({ limit: null, used: 0, at: -FRESH_MS, takenAt: -FRESH_MS }));
    const now = performance.now();
    const isFull = entry.limit !== null && entry.used >= entry.limit;
    const isSettled = now - Math.max(entry.at, entry.takenAt) > SETTLED_MS;
    if (now - entry.at < FRESH_MS && !(isFull && isSettled)) return countRun(entry);
    // Cleared in a later turn of the event loop: callers that wait for it add their own run first.
    entry.counting ??= recount(workspaceId, entry).finally(() => (entry.counting = undefined));
    return entry.counting.then(() => countRun(entry));
  }
}

function countRun(entry: Entry): void {
  if (entry.limit !== null && entry.used >= entry.limit) throw quotaExceeded('storedRuns', entry.used, entry.limit);
  entry.used += 1;
  entry.takenAt = performance.now();
}

async function recount(workspaceId: string, entry: Entry): Promise<void> {
  const at = performance.now();
  const { rows } = await pool().query<{ tier: Tier }>({
    name: 'engine.tier',
    text: 'SELECT tier FROM workspace WHERE id = $1',
    values: [workspaceId],
  });
  const limit = rows[0] ? QUOTAS[rows[0].tier].storedRuns : null;
  const used = limit === null ? 0 : await countExecutions({ workspaceId });
  Object.assign(entry, { limit, used, at });
}

declare module '@/server/runtime' {
  interface Runtime {
    /** Quotas of stored runs. */
    runQuota?: RunQuota;
  }
}

/** Counts one run of a workspace against its quota, before the run is stored. See `RunQuota.take`. */
export const takeRunQuota = (workspaceId: string): void | Promise<void> =>
  (runtime().runQuota ??= new RunQuota()).take(workspaceId);
