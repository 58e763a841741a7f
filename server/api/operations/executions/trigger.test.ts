import { beforeEach, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { fireDueTicks } from '@/server/triggers/schedules/scheduler';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { deliver, register } from '@/server/testing/hooks';
import { until, waitForSlot } from '@/server/testing/runs';

useDatabase();
useWorker();

/** One expression of the fast path, one that an evaluator process computes, one in code. */
const REPORT = flow(
  {
    s: { type: 'start' },
    t: {
      type: 'transform',
      config: { expression: '{ "fast": execution.trigger.kind, "all": $merge([execution.trigger]) }' },
    },
    c: { type: 'code', config: { source: 'return { ...input, code: execution.trigger }' } },
  },
  ['s>t', 't>c'],
);

let user: TestUser;
beforeEach(async () => {
  user = await buildUser();
});

const build = (definition: WorkflowDefinition = REPORT) =>
  buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });

const ended = (id: string) =>
  until(async () => {
    const { body } = await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token: user.token });
    return body.completedAt ? body : null;
  }, 'the end of the run');

/** The latest run of a workflow, ended. */
async function latest(workflowId: string): Promise<ExecutionResponse> {
  const { rows } = await databasePool().query(
    'SELECT id FROM execution WHERE workflow_id = $1 ORDER BY id DESC LIMIT 1',
    [workflowId],
  );
  return ended(rows[0].id);
}

const seen = (kind: string, id: string | null = null, name: string | null = null) => ({
  fast: kind,
  all: { kind, id, name },
  code: { kind, id, name },
});

const execute = async (workflowId: string) => {
  const path = `/api/workflows/${workflowId}/execute`;
  return (await call<{ executionId: string }>('POST', path, { token: user.token, body: {} })).body.executionId;
};

test('manual, and its repetition', async () => {
  const id = await execute(await build());
  expect(await ended(id)).toMatchObject({ output: seen('manual'), triggeredBy: null });
  const path = `/api/executions/${id}/rerun`;
  const again = await call<{ executionId: string }>('POST', path, { token: user.token, body: {} });
  expect(await ended(again.body.executionId)).toMatchObject({ output: seen('rerun') });
});

test('a webhook, also of a run that starts before it is stored, and of a replay', async () => {
  const workflowId = await build();
  const { body: hook } = await register(user, workflowId, 'orders');
  const triggeredBy = { id: hook.id, name: 'orders' };
  const expected = { triggeredBy, output: seen('webhook', hook.id, 'orders') };
  await deliver(hook, '{}');
  const first = await latest(workflowId);
  expect(first).toMatchObject(expected);
  await waitForSlot({ workspaceId: user.workspaceId, workflowId });
  await deliver(hook, '{"n":2}');
  const second = await latest(workflowId);
  expect(second.id).not.toBe(first.id);
  expect(second).toMatchObject(expected);
  const deliveries = `/api/workflows/${workflowId}/webhooks/${hook.id}/deliveries`;
  const list = await call<{ data: { id: string }[] }>('GET', deliveries, { token: user.token });
  const replay = `${deliveries}/${list.body.data[0]?.id}/replay`;
  const replayed = await call<{ executionId: string }>('POST', replay, { token: user.token });
  expect(await ended(replayed.body.executionId)).toMatchObject(expected);
});

test('a schedule', async () => {
  const workflowId = await build();
  const schedules = `/api/workflows/${workflowId}/schedules`;
  const { body } = await call<{ id: string }>('POST', schedules, { token: user.token, body: { cron: '*/5 * * * *' } });
  await databasePool().query(`UPDATE schedule SET next_run_at = now() - interval '1 second' WHERE id = $1`, [body.id]);
  await fireDueTicks();
  const output = seen('schedule', body.id, '*/5 * * * *');
  expect(await latest(workflowId)).toMatchObject({ output });
});

test('a run of a sub-workflow', async () => {
  const child = await build();
  const parent = flow({ s: { type: 'start' }, w: { type: 'sub_workflow', config: { workflowId: child } } }, ['s>w']);
  const workflowId = await build(parent);
  await execute(workflowId);
  await latest(workflowId);
  expect(await latest(child)).toMatchObject({ output: seen('sub_workflow') });
});
