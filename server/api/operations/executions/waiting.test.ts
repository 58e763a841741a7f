import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { gate, waitForSlot, testKinds, until } from '@/server/testing/runs';

useDatabase();

let door = gate();
const { kinds } = testKinds(async ({ input }) => {
  await door.opened;
  return input;
});
let worker: EngineWorker;
beforeEach(async () => {
  door = gate();
  worker = await startWorker({ concurrency: 50, kinds });
});
afterEach(async () => {
  door.open();
  await worker.stop();
});

const start = { type: 'start' };
const quick = flow({ s: start, t: { type: 'transform', config: { expression: 'input.no * 2' } } }, ['s>t']);
const slow = flow({ s: start, w: { type: 'call' } }, ['s>w']);

async function prepared(definition: WorkflowDefinition) {
  const user = await buildUser();
  return { user, workflowId: await buildWorkflow({ workspaceId: user.workspaceId, definition }) };
}

const execute = ({ token }: TestUser, workflowId: string, headers: Record<string, string>) =>
  call<ExecutionResponse & Refused & { executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
    token,
    body: { input: { no: 4 } },
    headers,
  });

test('Prefer: wait answers with the finished execution', async () => {
  const { user, workflowId } = await prepared(quick);
  for (const prefer of ['wait=10', 'respond-async, Wait = "20" ; x=1, wait=99']) {
    const { status, body, headers } = await execute(user, workflowId, { prefer });
    expect([status, headers.get('preference-applied')]).toEqual([200, `wait=${/\d+/.exec(prefer)?.[0]}`]);
    expect(body).toMatchObject({ status: 'completed', output: 8, trigger: 'manual', input: { no: 4 } });
    expect(body.nodeResults).toHaveLength(2);
    await waitForSlot({ workspaceId: user.workspaceId, workflowId });
  }
  expect(waitingCallerRegistry().count).toBe(0);
});

test('a failed run is answered as the execution that it is', async () => {
  const failing = flow({ s: start, t: { type: 'transform', config: { expression: '$error("no")' } } }, ['s>t']);
  const { user, workflowId } = await prepared(failing);
  const { status, body } = await execute(user, workflowId, { prefer: 'wait=10' });
  expect([status, body.status]).toEqual([200, 'failed']);
});

test('a run that takes longer is answered with 202', async () => {
  const { user, workflowId } = await prepared(slow);
  const { status, body, headers } = await execute(user, workflowId, { prefer: 'wait=1' });
  expect([status, body.status, headers.get('preference-applied')]).toEqual([202, 'pending', null]);
});

test.each(['wait=0', 'wait=61', 'wait=-1', 'wait=x', 'wait', 'waiting=5', 'return=minimal'])(
  'the preference %s is ignored',
  async (prefer) => {
    const { user, workflowId } = await prepared(slow);
    expect((await execute(user, workflowId, { prefer })).status).toBe(202);
    expect(waitingCallerRegistry().count).toBe(0);
  },
);

test('a request with an Idempotency-Key does not wait', async () => {
  const { user, workflowId } = await prepared(quick);
  const headers = { prefer: 'wait=10', 'idempotency-key': 'k1' };
  const first = await execute(user, workflowId, headers);
  const again = await execute(user, workflowId, headers);
  expect([first.status, again.status, again.body.executionId]).toEqual([202, 202, first.body.executionId]);
});

test('a refused request leaves no caller behind', async () => {
  const { user } = await prepared(quick);
  expect((await execute(user, 'wf_none', { prefer: 'wait=10' })).status).toBe(404);
  expect(waitingCallerRegistry().count).toBe(0);
});

test('waitSeconds waits for the end of an execution', async () => {
  const { user, workflowId } = await prepared(slow);
  const { executionId } = (await execute(user, workflowId, {})).body;
  const get = (query: string, token = user.token) =>
    call<ExecutionResponse & Refused>('GET', `/api/executions/${executionId}?${query}`, { token });
  expect((await get('waitSeconds=0')).body.status).not.toBe('completed');
  const waiting = get('waitSeconds=30');
  await until(async () => waitingCallerRegistry().count === 1, 'the caller');
  door.open();
  expect((await waiting).body).toMatchObject({ status: 'completed', output: { no: 4 } });
  expect((await get('waitSeconds=30')).body.status).toBe('completed');
  expect((await get('waitSeconds=30', (await buildUser()).token)).status).toBe(404);
  for (const wrong of ['61', '-1', 'x', '1.5', '']) {
    const { status, body } = await get(`waitSeconds=${wrong}`);
    expect([status, body.error.details[0]?.field]).toEqual([400, 'waitSeconds']);
  }
});

test('waitSeconds answers with what there is when the time is over', async () => {
  const { user, workflowId } = await prepared(slow);
  const { executionId } = (await execute(user, workflowId, {})).body;
  const path = `/api/executions/${executionId}?waitSeconds=1`;
  expect((await call<ExecutionResponse>('GET', path, { token: user.token })).body.status).toBe('running');
});

test('the end of a run that is elsewhere is found', async () => {
  const { user, workflowId } = await prepared(slow);
  await worker.stop();
  const { executionId } = (await execute(user, workflowId, {})).body;
  const waiting = call<ExecutionResponse>('GET', `/api/executions/${executionId}?waitSeconds=30`, {
    token: user.token,
  });
  await until(async () => waitingCallerRegistry().count === 1, 'the caller');
  // No notification tells of it.
  await databasePool().query(`UPDATE execution SET status = 'completed', completed_at = now() WHERE id = $1`, [
    executionId,
  ]);
  expect((await waiting).body.status).toBe('completed');
});
