import { expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { itemsPoll } from '@/server/testing/polls';
import { claimDuePolls } from './claim';
import { fireDueTicks } from '../schedules/scheduler';

useDatabase({ rateLimitTier: 'unlimited' });

const TWO_STARTS = flow({ orders: { type: 'start' }, refunds: { type: 'start' } });

async function makeWorkflow() {
  const { workspaceId, token } = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId, status: 'active', definition: TWO_STARTS });
  return {
    workflowId,
    async create(kind: string, body: object): Promise<string> {
      const made = await call<{ id: string }>('POST', `/api/workflows/${workflowId}/${kind}`, { token, body });
      expect([made.status, made.body]).toMatchObject([201, {}]);
      return made.body.id;
    },
    change: (path: string, body: object) => call('PUT', `/api/workflows/${workflowId}/${path}`, { token, body }),
  };
}

test('a process of the release before leases no poll that it would misread', async () => {
  const { workflowId, create } = await makeWorkflow();
  const poll = itemsPoll('http://127.0.0.1:9/items');
  const known = await create('polls', poll);
  const inJavascript = await create('polls', { ...poll, language: 'javascript' });
  const atStart = await create('polls', { ...poll, startNodeId: 'refunds' });
  const leased = await databasePool().query<{ id: string }>(
    `UPDATE poll SET lease_token = 'att_1.' || id, lease_until = now() + interval '1 minute' WHERE workflow_id = $1 RETURNING id`,
    [workflowId],
  );
  expect(leased.rows.map(({ id }) => id)).toEqual([known]);
  await prismaClient().poll.updateMany({ where: { workflowId }, data: { leaseUntil: new Date(0) } });
  const claimed = await claimDuePolls(1000, 'att_2', new Date(Date.now() + 3_600_000));
  const ours = claimed.filter((one) => one.workflowId === workflowId).map(({ id }) => id);
  expect(new Set(ours)).toEqual(new Set([known, inJavascript, atStart]));
});

test('a process of the release before advances no schedule whose start node it would ignore', async () => {
  const { workflowId, create, change } = await makeWorkflow();
  const cron = '0 6 * * *';
  const known = await create('schedules', { cron });
  const atStart = await create('schedules', { cron, startNodeId: 'refunds' });
  const due = new Date(Date.now() - 1000);
  await prismaClient().schedule.updateMany({ where: { workflowId }, data: { nextRunAt: due } });
  const advanced = await databasePool().query<{ id: string }>(
    `UPDATE schedule SET next_run_at = now() + interval '1 hour', last_error = null WHERE workflow_id = $1 RETURNING id`,
    [workflowId],
  );
  expect(advanced.rows.map(({ id }) => id)).toEqual([known]);
  await fireDueTicks();
  expect(await prismaClient().execution.findMany({ where: { workflowId } })).toMatchObject([
    { startNodeId: 'refunds', requiredAbilities: 16 },
  ]);
  // Settings are changed by processes of either release.
  expect((await change(`schedules/${atStart}`, { cron: '0 7 * * *' })).status).toBe(200);
  expect((await prismaClient().schedule.findUniqueOrThrow({ where: { id: atStart } })).cron).toBe('0 7 * * *');
});
