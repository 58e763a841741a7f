import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { quotaExceededProblem } from '@/server/platform/quotas/quota';
import { getRuntime } from '@/server/platform/runtime';
import { BoundedCache } from '@/server/platform/cache/cache';
import { countExecutions } from '../../store/tally';

/** How long a count, plus the runs that this process has added since, is valid. */
const RUN_COUNT_LIFETIME_MS = 1000;
/** After this time, a granted run is stored, or its statement was rolled back. */
const MAX_STORE_DELAY_MS = 250;
/** Workspaces whose counts are cached. */
const MAX_CACHED_WORKSPACES = 10_000;

interface WorkspaceRunCount {
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
 * Quotas of stored runs, from cached counts. The runs of a workspace are counted once a second, and only if its tier
 * has a quota; runs that this process accepts afterwards are added. A quota can be exceeded by runs that are being
 * stored during the count, and by runs that other processes accept within that second. Before it refuses a run, it
 * counts again, so that runs whose statement was rolled back do not use the quota.
 */
export class RunQuotaCounter {
  readonly #entries = new BoundedCache<string, WorkspaceRunCount>(MAX_CACHED_WORKSPACES);

  /** Counts one run against the quota. Throws FORBIDDEN, or rejects with it, when the quota is used up. */
  take(workspaceId: string): void | Promise<void> {
    const entry = this.#entries.get(workspaceId, () => ({
      limit: null,
      used: 0,
      at: -RUN_COUNT_LIFETIME_MS,
      takenAt: -RUN_COUNT_LIFETIME_MS,
    }));
    const now = performance.now();
    const isFull = entry.limit !== null && entry.used >= entry.limit;
    const isSettled = now - Math.max(entry.at, entry.takenAt) > MAX_STORE_DELAY_MS;
    if (now - entry.at < RUN_COUNT_LIFETIME_MS && !(isFull && isSettled)) return countGrantedRun(entry);
    // Cleared in a later turn of the event loop: callers that wait for it add their own run first.
    entry.counting ??= recountStoredRuns(workspaceId, entry).finally(() => (entry.counting = undefined));
    return entry.counting.then(() => countGrantedRun(entry));
  }
}

function countGrantedRun(entry: WorkspaceRunCount): void {
  if (entry.limit !== null && entry.used >= entry.limit)
    throw quotaExceededProblem('storedRuns', entry.used, entry.limit);
  entry.used += 1;
  entry.takenAt = performance.now();
}

async function recountStoredRuns(workspaceId: string, entry: WorkspaceRunCount): Promise<void> {
  const at = performance.now();
  const { rows } = await databasePool().query<{ tier: WorkspaceTier }>({
    name: 'engine.tier',
    text: 'SELECT tier FROM workspace WHERE id = $1',
    values: [workspaceId],
  });
  const limit = rows[0] ? QUOTAS_BY_TIER[rows[0].tier].storedRuns : null;
  const used = limit === null ? 0 : await countExecutions({ workspaceId });
  Object.assign(entry, { limit, used, at });
}

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Quotas of stored runs. */
    runQuota?: RunQuotaCounter;
  }
}

/** Counts one run of a workspace against its quota, before the run is stored. See `RunQuota.take`. */
export const takeRunQuota = (workspaceId: string): void | Promise<void> =>
  (getRuntime().runQuota ??= new RunQuotaCounter()).take(workspaceId);
