import { QUOTAS_BY_TIER, type QuotaName, type QuotaUsage } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { ApiProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { lockObjectCount } from './lock';

interface QuotaExplanation {
  /** The counted objects. */
  what: string;
  /** How to free some of the quota. */
  advice: string;
}

const HIGHER_TIER_ADVICE = 'ask the operator of this service for a higher tier';

const QUOTA_EXPLANATIONS = {
  storedRuns: {
    what: 'stored runs',
    advice: `Keep finished runs for fewer days, delete workflows that are no longer needed with their runs, or ${HIGHER_TIER_ADVICE}.`,
  },
  workflows: { what: 'workflows', advice: `Delete workflows that are no longer needed, or ${HIGHER_TIER_ADVICE}.` },
  fileBytes: {
    what: 'file storage in bytes',
    advice: `Delete files, keep finished runs for fewer days, or ${HIGHER_TIER_ADVICE}.`,
  },
  rememberedKeys: {
    what: 'remembered keys and items',
    advice: `Give what is remembered a time to live, delete workflows that are no longer needed, or ${HIGHER_TIER_ADVICE}.`,
  },
  connectors: {
    what: 'connectors from documents',
    advice: `Delete connectors that are no longer needed, or ${HIGHER_TIER_ADVICE}.`,
  },
  tables: { what: 'tables', advice: `Delete tables that are no longer needed, or ${HIGHER_TIER_ADVICE}.` },
  tableRows: { what: 'rows in tables', advice: `Delete rows that are no longer needed, or ${HIGHER_TIER_ADVICE}.` },
  tableBytes: {
    what: 'table storage in bytes',
    advice: `Delete rows that are no longer needed, or ${HIGHER_TIER_ADVICE}.`,
  },
  schedules: {
    what: 'schedules and polls',
    advice: `Delete schedules and polls that are no longer needed, or ${HIGHER_TIER_ADVICE}.`,
  },
} satisfies Partial<Record<QuotaName, QuotaExplanation>>;

type ExplainedQuota = keyof typeof QUOTA_EXPLANATIONS;

const formatQuotaNumber = (value: number) => value.toLocaleString('en');

/** The error for an object over a quota. */
export function quotaExceededProblem(quota: ExplainedQuota, used: number, limit: number): ApiProblem {
  const { what, advice } = QUOTA_EXPLANATIONS[quota];
  const use = `${formatQuotaNumber(used)} of ${formatQuotaNumber(limit)}`;
  const message = `The workspace’s quota of ${what} is used up: ${use}. ${advice}`;
  return new ApiProblem('FORBIDDEN', message, [{ field: `quotas.${quota}`, message: `${use} are used` }]);
}

/** A workspace's use of a quota. */
export const QUOTA_COUNTERS = {
  workflows: (db: DatabaseClient, workspaceId: string) => db.workflow.count({ where: { workspaceId } }),
  connectors: (db: DatabaseClient, workspaceId: string) => db.connector.count({ where: { workspaceId } }),
  tables: (db: DatabaseClient, workspaceId: string) => db.dataTable.count({ where: { workspaceId } }),
  /** Schedules and polls share a quota. */
  async schedules(db: DatabaseClient, workspaceId: string): Promise<number> {
    const where = { workflow: { workspaceId } };
    return (await db.schedule.count({ where })) + (await db.poll.count({ where }));
  },
};

/** Throws FORBIDDEN at the quota. Exact: a concurrent creation, in any process, waits until this transaction ends. */
export async function requireObjectQuota(
  db: DatabaseClient,
  { workspaceId, tier }: { workspaceId: string; tier: WorkspaceTier },
  quota: keyof typeof QUOTA_COUNTERS,
): Promise<void> {
  const limit = QUOTAS_BY_TIER[tier][quota];
  if (limit === null) return;
  await lockObjectCount(db, quota, workspaceId);
  const used = await QUOTA_COUNTERS[quota](db, workspaceId);
  if (used >= limit) throw quotaExceededProblem(quota, used, limit);
}

/** A use as the API shows it. It may exceed the limit after a change of the tier. */
export const toQuotaUse = (used: number, limit: number | null): QuotaUsage => ({
  used,
  limit,
  remaining: limit === null ? null : Math.max(0, limit - used),
});
