import { z } from 'zod';
import { QUOTAS, type Quotas } from '@/contract/quota';
import { TIERS, type Tier } from '@/contract/tier';
import { WorkspaceUsage } from '@/contract/workspace';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { allowanceOf } from '@/server/pipeline/steps/limit';
import type { Allowance } from '@/server/limits/token-bucket';
import { policyOf } from '@/server/access/policy';
import { pool, type Db } from '@/server/db/client';
import { countExecutions } from '@/server/engine/store/tally';
import { mailUse } from '@/server/quotas/mails';
import { fileBytesOf } from '@/server/files/rows';
import { tableUse } from '@/server/tables/tally';
import { COUNT, useOf } from '@/server/quotas/quota';
import { rememberedKeysOf } from '@/server/remember/quota';
import { runtime } from '@/server/runtime';

const DAY_MS = 86_400_000;

const presentAllowance = ({ remaining, resetAt }: Pick<Allowance, 'remaining' | 'resetAt'>) => ({
  remaining,
  resetAt: new Date(resetAt * 1000).toISOString(),
});

async function quotasOf(db: Db, workspaceId: string, tier: Tier): Promise<Quotas> {
  const limits = QUOTAS[tier];
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
    COUNT.workflows(db, workspaceId),
    COUNT.schedules(db, workspaceId),
    fileBytesOf(workspaceId),
    rememberedKeysOf(pool(), workspaceId),
    COUNT.connectors(db, workspaceId),
    COUNT.tables(db, workspaceId),
    tableUse(workspaceId),
    mailUse('mailsPerDay', workspaceId, tier),
    mailUse('invitationsPerDay', workspaceId, tier),
  ]);
  return {
    storedRuns: useOf(storedRuns, limits.storedRuns),
    workflows: useOf(workflows, limits.workflows),
    schedules: useOf(schedules, limits.schedules),
    fileBytes: useOf(fileBytes, limits.fileBytes),
    rememberedKeys: useOf(rememberedKeys, limits.rememberedKeys),
    connectors: useOf(connectors, limits.connectors),
    tables: useOf(tables, limits.tables),
    tableRows: useOf(inTables.rows, limits.tableRows),
    tableBytes: useOf(inTables.bytes, limits.tableBytes),
    mailsPerDay,
    invitationsPerDay,
  };
}

const get = operation({
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
    const tier = storedTier as Tier;
    const { perMinute, burst } = TIERS[tier];
    const service = runtime().env.executionRetentionDays;
    const status = { notIn: ['completed', 'failed'] };
    const [requests, webhooks, runsUnderWay, runsToday, credentials, members, quotas] = await Promise.all([
      allowanceOf(`workspace:${id}`, tier),
      allowanceOf(`webhooks:${id}`, tier),
      db.execution.count({ where: { ...where, status } }),
      db.execution.count({ where: { ...where, createdAt: { gt: new Date(Date.now() - DAY_MS) } } }),
      db.credential.count({ where }),
      db.member.count({ where }),
      quotasOf(db, id, tier),
    ]);
    return {
      tier,
      requestsPerMinute: perMinute,
      burst,
      requests: presentAllowance(requests),
      webhooks: presentAllowance(webhooks),
      runsUnderWay,
      runsToday,
      workflows: quotas.workflows.used,
      credentials,
      members,
      quotas,
      executionRetentionDays: {
        service,
        effective: Math.min(service, policyOf(settings).executionRetentionDays ?? service),
      },
    };
  },
});

export const workspaceUsage = [get];
