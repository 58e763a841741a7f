import { z } from 'zod';
import './in-browsers';
import { Timestamp } from './text';
import type { WorkspaceTier } from './tier';

const BYTES_PER_GIB = 1024 ** 3;

/** Quotas by tier: what a workspace may store, or send per day (UTC). Null: unlimited. */
export const QUOTAS_BY_TIER = {
  free: {
    storedRuns: 50_000,
    workflows: 50,
    schedules: 20,
    fileBytes: BYTES_PER_GIB,
    tableRows: 10_000,
    rememberedKeys: 10_000,
    connectors: 10,
    tables: 10,
    tableBytes: BYTES_PER_GIB / 4,
    mailsPerDay: 100,
    invitationsPerDay: 20,
  },
  starter: {
    storedRuns: 500_000,
    workflows: 500,
    schedules: 200,
    fileBytes: 20 * BYTES_PER_GIB,
    tableRows: 1_000_000,
    rememberedKeys: 1_000_000,
    connectors: 100,
    tables: 100,
    tableBytes: 5 * BYTES_PER_GIB,
    mailsPerDay: 1000,
    invitationsPerDay: 100,
  },
  enterprise: {
    storedRuns: null,
    workflows: null,
    schedules: null,
    fileBytes: 500 * BYTES_PER_GIB,
    tableRows: null,
    rememberedKeys: null,
    connectors: null,
    tables: 500,
    tableBytes: 100 * BYTES_PER_GIB,
    mailsPerDay: 10_000,
    invitationsPerDay: 1000,
  },
  unlimited: {
    storedRuns: null,
    workflows: null,
    schedules: null,
    fileBytes: null,
    tableRows: null,
    rememberedKeys: null,
    connectors: null,
    tables: null,
    tableBytes: null,
    mailsPerDay: null,
    invitationsPerDay: null,
  },
} as const satisfies Record<WorkspaceTier, Record<string, number | null>>;

export type QuotaName = keyof (typeof QUOTAS_BY_TIER)['free'];

/** The number of workspaces that a user may own depends on the tier that new workspaces get. */
export const MAX_OWNED_WORKSPACES: Record<WorkspaceTier, number | null> = {
  free: 5,
  starter: 20,
  enterprise: 100,
  unlimited: null,
};

const quotaAmount = z.number().int();

export const QuotaUsage = z
  .object({
    used: quotaAmount.describe('How much is used'),
    limit: quotaAmount.nullable().meta({ description: 'null: unlimited' }),
    remaining: quotaAmount.nullable().meta({ description: '0 when the quota is used up; null: unlimited' }),
  })
  .meta({ id: 'QuotaUse', description: 'How much of a quota is taken, and how much there is' });
export type QuotaUsage = z.infer<typeof QuotaUsage>;

export const DailyQuotaUsage = QuotaUsage.extend({
  resetAt: Timestamp.meta({ description: 'Start of the next day (UTC)' }),
}).meta({ id: 'DailyQuotaUse', description: 'Use of a quota that begins again each day (UTC)' });
export type DailyQuotaUsage = z.infer<typeof DailyQuotaUsage>;

export const WorkspaceQuotas = z
  .object({
    storedRuns: QuotaUsage,
    workflows: QuotaUsage,
    schedules: QuotaUsage.meta({ description: 'Schedules and polls' }),
    fileBytes: QuotaUsage.meta({ description: 'Bytes of files' }),
    rememberedKeys: QuotaUsage.meta({ description: 'Keys and items that workflows remember' }),
    connectors: QuotaUsage.meta({ description: 'Connectors from OpenAPI documents' }),
    tables: QuotaUsage,
    tableRows: QuotaUsage.meta({ description: 'Rows of all tables' }),
    tableBytes: QuotaUsage.meta({ description: 'Bytes of the rows of all tables' }),
    mailsPerDay: DailyQuotaUsage,
    invitationsPerDay: DailyQuotaUsage,
  })
  .meta({ id: 'Quotas', description: 'Usage and limit of each quota' });
export type WorkspaceQuotas = z.infer<typeof WorkspaceQuotas>;
