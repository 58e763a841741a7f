import { z } from 'zod';
import './in-browsers';
import { Timestamp } from './text';
import type { Tier } from './tier';

const GIB = 1024 ** 3;

/** Quotas by tier: what a workspace may store, or send per day (UTC). Null: unlimited. */
export const QUOTAS = {
  free: {
    storedRuns: 50_000,
    workflows: 50,
    schedules: 20,
    fileBytes: GIB,
    tableRows: 10_000,
    rememberedKeys: 10_000,
    connectors: 10,
    tables: 10,
    tableBytes: GIB / 4,
    mailsPerDay: 100,
    invitationsPerDay: 20,
  },
  starter: {
    storedRuns: 500_000,
    workflows: 500,
    schedules: 200,
    fileBytes: 20 * GIB,
    tableRows: 1_000_000,
    rememberedKeys: 1_000_000,
    connectors: 100,
    tables: 100,
    tableBytes: 5 * GIB,
    mailsPerDay: 1000,
    invitationsPerDay: 100,
  },
  enterprise: {
    storedRuns: null,
    workflows: null,
    schedules: null,
    fileBytes: 500 * GIB,
    tableRows: null,
    rememberedKeys: null,
    connectors: null,
    tables: 500,
    tableBytes: 100 * GIB,
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
} as const satisfies Record<Tier, Record<string, number | null>>;

export type Quota = keyof (typeof QUOTAS)['free'];

/** Number of workspaces a user may own, by the default tier of new workspaces. */
export const OWNED_WORKSPACES: Record<Tier, number | null> = { free: 5, starter: 20, enterprise: 100, unlimited: null };

const amount = z.number().int();

export const QuotaUse = z
  .object({
    used: amount.describe('How much is used'),
    limit: amount.nullable().meta({ description: 'null: unlimited' }),
    remaining: amount.nullable().meta({ description: '0 when the quota is used up; null: unlimited' }),
  })
  .meta({ id: 'QuotaUse', description: 'How much of a quota is taken, and how much there is' });
export type QuotaUse = z.infer<typeof QuotaUse>;

export const DailyQuotaUse = QuotaUse.extend({
  resetAt: Timestamp.meta({ description: 'Start of the next day (UTC)' }),
}).meta({ id: 'DailyQuotaUse', description: 'Use of a quota that begins again each day (UTC)' });
export type DailyQuotaUse = z.infer<typeof DailyQuotaUse>;

export const Quotas = z
  .object({
    storedRuns: QuotaUse,
    workflows: QuotaUse,
    schedules: QuotaUse.meta({ description: 'Schedules and polls' }),
    fileBytes: QuotaUse.meta({ description: 'Bytes of files' }),
    rememberedKeys: QuotaUse.meta({ description: 'Keys and items that workflows remember' }),
    connectors: QuotaUse.meta({ description: 'Connectors from OpenAPI documents' }),
    tables: QuotaUse,
    tableRows: QuotaUse.meta({ description: 'Rows of all tables' }),
    tableBytes: QuotaUse.meta({ description: 'Bytes of the rows of all tables' }),
    mailsPerDay: DailyQuotaUse,
    invitationsPerDay: DailyQuotaUse,
  })
  .meta({ id: 'Quotas', description: 'Usage and limit of each quota' });
export type Quotas = z.infer<typeof Quotas>;
