import { z } from 'zod';
import { QUOTAS_BY_TIER, type WorkspaceQuotas } from '@/contract/quota';
import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '@/contract/tier';
import { WorkspaceUsage } from '@/contract/workspace';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { readRateLimitState } from '@/server/api/pipeline/steps/limit';
import type { RateLimitState } from '@/server/platform/limits/token-bucket';
import { toWorkspacePolicy } from '@/server/people/access/policy';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { countExecutions } from '@/server/engine/store/tally';
import { readMailQuotaUse } from '@/server/platform/quotas/mails';
import { readWorkspaceFileBytes } from '@/server/data/files/rows';
import { readTableUsage } from '@/server/data/tables/tally';
import { QUOTA_COUNTERS, toQuotaUse } from '@/server/platform/quotas/quota';
import { countRememberedKeys } from '@/server/data/remember/quota';
import { getRuntime } from '@/server/platform/runtime';
import { MS_PER_DAY } from '@/contract/units';

const toAllowanceResponse = ({ remaining, resetAt }: Pick<RateLimitState, 'remaining' | 'resetAt'>) => ({
  remaining,
  resetAt: new Date(resetAt * 1000).toISOString(),
});

async function readQuotas(db: DatabaseClient, workspaceId: string, tier: WorkspaceTier): Promise<WorkspaceQuotas> {
  const limits = QUOTAS_BY_TIER[tier];
  const [
    storedRuns,
    workflows,
    schedules,
    fileBytes,
    rememberedKeys,
    connectors,
    tables,
    inTables,
    mailsPerDay,
    invitationsPerDay,
  ] = await Promise.all([
    countExecutions({ workspaceId }),
    QUOTA_COUNTERS.workflows(db, workspaceId),
    QUOTA_COUNTERS.schedules(db, workspaceId),
    readWorkspaceFileBytes(workspaceId),
    countRememberedKeys(databasePool(), workspaceId),
    QUOTA_COUNTERS.connectors(db, workspaceId),
    QUOTA_COUNTERS.tables(db, workspaceId),
    readTableUsage(workspaceId),
    readMailQuotaUse('mailsPerDay', workspaceId, tier),
    readMailQuotaUse('invitationsPerDay', workspaceId, tier),
  ]);
  return {
    storedRuns: toQuotaUse(storedRuns, limits.storedRuns),
    workflows: toQuotaUse(workflows, limits.workflows),
    schedules: toQuotaUse(schedules, limits.schedules),
    fileBytes: toQuotaUse(fileBytes, limits.fileBytes),
    rememberedKeys: toQuotaUse(rememberedKeys, limits.rememberedKeys),
    connectors: toQuotaUse(connectors, limits.connectors),
    tables: toQuotaUse(tables, limits.tables),
    tableRows: toQuotaUse(inTables.rows, limits.tableRows),
    tableBytes: toQuotaUse(inTables.bytes, limits.tableBytes),
    mailsPerDay,
    invitationsPerDay,
  };
}

const getUsageOperation = defineOperation({
  id: 'workspaces.usage',
  method: 'GET',
  path: '/api/workspaces/{id}/usage',
  summary: 'Read the quotas and the usage of a workspace',
  description:
    'Requests and deliveries that could be made right now, and for each quota of the tier what is used, its limit and what ' +
    'remains. What would exceed a quota is refused (403, or 429 for what is limited per day); what is there stays, even ' +
    'where it is more than a lower tier allows. The operator of the service changes the tier.',
  tag: 'Workspaces',
  access: memberAccess('workspace', 'read', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(WorkspaceUsage),
  async run({ db }, { params: { id } }) {
    const where = { workspaceId: id };
    const { tier: storedTier, settings } = await db.workspace.findUniqueOrThrow({ where: { id } });
    const tier = storedTier as WorkspaceTier;
    const { perMinute, burst } = RATE_LIMITS_BY_TIER[tier];
    const service = getRuntime().env.executionRetentionDays;
    const status = { notIn: ['completed', 'failed'] };
    const [requests, webhooks, runsUnderWay, runsToday, credentials, members, quotas] = await Promise.all([
      readRateLimitState(`workspace:${id}`, tier),
      readRateLimitState(`webhooks:${id}`, tier),
      db.execution.count({ where: { ...where, status } }),
      db.execution.count({ where: { ...where, createdAt: { gt: new Date(Date.now() - MS_PER_DAY) } } }),
      db.credential.count({ where }),
      db.member.count({ where }),
      readQuotas(db, id, tier),
    ]);
    return {
      tier,
      requestsPerMinute: perMinute,
      burst,
      requests: toAllowanceResponse(requests),
      webhooks: toAllowanceResponse(webhooks),
      runsUnderWay,
      runsToday,
      workflows: quotas.workflows.used,
      credentials,
      members,
      quotas,
      executionRetentionDays: {
        service,
        effective: Math.min(service, toWorkspacePolicy(settings).executionRetentionDays ?? service),
      },
    };
  },
});

export const workspaceUsageOperations = [getUsageOperation];
