import { z } from 'zod';
import { TIERS, WorkspaceUsage, type Tier } from '@/contract/workspace';
import { operation } from '../api/operation';
import { allowanceOf } from '../api/steps/limit';
import type { Allowance } from '../api/token-bucket';
import { policyOf } from '../auth/policy';
import { runtime } from '../runtime';

const DAY_MS = 86_400_000;

const shown = ({ remaining, resetAt }: Pick<Allowance, 'remaining' | 'resetAt'>) => ({
  remaining,
  resetAt: new Date(resetAt * 1000).toISOString(),
});

const get = operation({
  id: 'workspaces.usage',
  method: 'GET',
  path: '/api/workspaces/{id}/usage',
  summary: 'What a workspace may use, and uses now',
  description: 'The tier is changed by whoever operates the service.',
  tag: 'Workspaces',
  access: { resource: 'workspace', action: 'read' },
  workspaceParam: 'id',
  effect: 'read',
  params: z.strictObject({ id: z.string() }),
  output: WorkspaceUsage,
  async run({ db }, { params: { id } }) {
    const where = { workspaceId: id };
    const { tier: stored, settings } = await db.workspace.findUniqueOrThrow({ where: { id } });
    const tier = stored as Tier;
    const { perMinute, burst } = TIERS[tier];
    const service = runtime().env.executionRetentionDays;
    const status = { notIn: ['completed', 'failed'] };
    const [requests, webhooks, runsUnderWay, runsToday, workflows, credentials, members] = await Promise.all([
      allowanceOf(`workspace:${id}`, tier),
      allowanceOf(`webhooks:${id}`, tier),
      db.execution.count({ where: { ...where, status } }),
      db.execution.count({ where: { ...where, createdAt: { gt: new Date(Date.now() - DAY_MS) } } }),
      db.workflow.count({ where }),
      db.credential.count({ where }),
      db.member.count({ where }),
    ]);
    return {
      tier,
      requestsPerMinute: perMinute,
      burst,
      requests: shown(requests),
      webhooks: shown(webhooks),
      runsUnderWay,
      runsToday,
      workflows,
      credentials,
      members,
      executionRetentionDays: {
        service,
        effective: Math.min(service, policyOf(settings).executionRetentionDays ?? service),
      },
    };
  },
});

export const workspaceUsage = [get];
