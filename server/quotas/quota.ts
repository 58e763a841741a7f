import { QUOTAS, type Quota, type QuotaUse } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { Problem } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { lockCount } from './lock';

interface Words {
  /** The counted objects. */
  what: string;
  /** How to free some of the quota. */
  advice: string;
}

const HIGHER_TIER = 'ask the operator of this service for a higher tier';

const WORDS = {
  storedRuns: {
    what: 'stored runs',
    advice: `Keep finished runs for fewer days, delete workflows that are no longer needed with their runs, or ${HIGHER_TIER}.`,
  },
  workflows: { what: 'workflows', advice: `Delete workflows that are no longer needed, or ${HIGHER_TIER}.` },
  fileBytes: {
    what: 'file storage in bytes',
    advice: `Delete files, keep finished runs for fewer days, or ${HIGHER_TIER}.`,
  },
  rememberedKeys: {
    what: 'remembered keys and items',
    advice: `Give what is remembered a time to live, delete workflows that are no longer needed, or ${HIGHER_TIER}.`,
  },
  connectors: {
    what: 'connectors from documents',
    advice: `Delete connectors that are no longer needed, or ${HIGHER_TIER}.`,
  },
  tables: { what: 'tables', advice: `Delete tables that are no longer needed, or ${HIGHER_TIER}.` },
  tableRows: { what: 'rows in tables', advice: `Delete rows that are no longer needed, or ${HIGHER_TIER}.` },
  tableBytes: { what: 'table storage in bytes', advice: `Delete rows that are no longer needed, or ${HIGHER_TIER}.` },
  schedules: {
    what: 'schedules and polls',
    advice: `Delete schedules and polls that are no longer needed, or ${HIGHER_TIER}.`,
  },
} satisfies Partial<Record<Quota, Words>>;

type StoredQuota = keyof typeof WORDS;

const number = (value: number) => value.toLocaleString('en');

/** The error for an object over a quota. */
export function quotaExceeded(quota: StoredQuota, used: number, limit: number): Problem {
  const { what, advice } = WORDS[quota];
  const use = `${number(used)} of ${number(limit)}`;
  const message = `The workspace’s quota of ${what} is used up: ${use}. ${advice}`;
  return new Problem('FORBIDDEN', message, [{ field: `quotas.${quota}`, message: `${use} are used` }]);
}

/** A workspace's use of a quota. */
export const COUNT = {
  workflows: (db: Db, workspaceId: string) => db.workflow.count({ where: { workspaceId } }),
  connectors: (db: Db, workspaceId: string) => db.connector.count({ where: { workspaceId } }),
  tables: (db: Db, workspaceId: string) => db.dataTable.count({ where: { workspaceId } }),
  /** Schedules and polls share a quota. */
  async schedules(db: Db, workspaceId: string): Promise<number> {
    const where = { workflow: { workspaceId } };
    return (await db.schedule.count({ where })) + (await db.poll.count({ where }));
  },
};

/** Throws FORBIDDEN at the quota. Exact: a concurrent creation, in any process, waits until this transaction ends. */
export async function requireQuota(
  db: Db,
  { workspaceId, tier }: { workspaceId: string; tier: Tier },
  quota: keyof typeof COUNT,
): Promise<void> {
  const limit = QUOTAS[tier][quota];
  if (limit === null) return;
  await lockCount(db, quota, workspaceId);
  const used = await COUNT[quota](db, workspaceId);
  if (used >= limit) throw quotaExceeded(quota, used, limit);
}

/** A use as the API shows it. It may exceed the limit after a change of the tier. */
export const useOf = (used: number, limit: number | null): QuotaUse => ({
  used,
  limit,
  remaining: limit === null ? null : Math.max(0, limit - used),
});
