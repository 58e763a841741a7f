import { beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse, ExecutionSummary } from '@/contract/execution';
import type { LogEntry } from '@/contract/execution-log';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { findOriginalTriggers } from '@/server/engine/report/original-trigger';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let user: TestUser;
beforeAll(async () => {
  user = await buildUser();
});

const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const chance = shape('{"n": input.n, "chance": $random()}');

type Answer = { executionId: string; status: string; startedAt: string } & Refused;

async function finished(executionId: string): Promise<ExecutionResponse> {
  return until(async () => {
    const { body } = await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token: user.token });
    return (body.status === 'completed' || body.status === 'failed') && body;
  }, `${executionId} to end`);
}

async function ran(
  definition: WorkflowDefinition,
  input: object = {},
): Promise<{ workflowId: string; execution: ExecutionResponse }> {
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const path = `/api/workflows/${workflowId}/execute`;
  const { body } = await call<Answer>('POST', path, { token: user.token, body: { input } });
  return { workflowId, execution: await finished(body.executionId) };
}

const rerun = (id: string, body?: object, token = user.token) =>
  call<Answer>('POST', `/api/executions/${id}/rerun`, { token, body });

const reran = async (id: string, body?: object) => {
  const answer = await rerun(id, body);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ status: 'pending' })]);
  return finished(answer.body.executionId);
};

const outputs = ({ nodeResults }: ExecutionResponse) =>
  Object.fromEntries(nodeResults.map(({ nodeId, output }) => [nodeId, output]));

test('a run is repeated with the same input, or with another one', async () => {
  const { execution } = await ran(flow({ s: { type: 'start' }, a: chance }, ['s>a']), { n: 1 });
  const again = await reran(execution.id);
  expect(again).toMatchObject({ trigger: 'rerun', rerunOf: execution.id, createdBy: user.id, input: { n: 1 } });
  expect(outputs(again)['a']).not.toEqual(outputs(execution)['a']);
  const other = await reran(again.id, { input: { n: 2 } });
  expect(other).toMatchObject({ rerunOf: again.id, input: { n: 2 }, output: { n: 2 } });
});

test('a repetition tells what started the original run, until that is removed', async () => {
  const { workflowId, execution } = await ran(flow({ s: { type: 'start' }, a: chance }, ['s>a']), { n: 1 });
  await prismaClient().execution.update({ where: { id: execution.id }, data: { trigger: 'webhook' } });
  const first = await reran(execution.id);
  const second = await reran(first.id);
  const listed = async () => {
    const { body } = await call<{ data: ExecutionSummary[] }>('GET', `/api/executions?workflowId=${workflowId}`, {
      token: user.token,
    });
    return body.data.map(({ trigger, originalTrigger }) => [trigger, originalTrigger]);
  };
  expect([first, second].map(({ originalTrigger }) => originalTrigger)).toEqual(['webhook', 'webhook']);
  expect(execution.originalTrigger).toBeUndefined();
  expect(await listed()).toEqual([
    ['rerun', 'webhook'],
    ['rerun', 'webhook'],
    ['webhook', undefined],
  ]);
  // Rows of another workspace are never followed.
  const other = await buildUser();
  expect(await findOriginalTriggers(other.workspaceId, [second.id])).toEqual(new Map());
  await prismaClient().execution.delete({ where: { id: execution.id } });
  expect((await finished(second.id)).originalTrigger).toBeUndefined();
  expect(await listed()).toEqual([
    ['rerun', undefined],
    ['rerun', undefined],
  ]);
});

test('from a node on, independent results are kept, and the node may get another input', async () => {
  const loop = {
    type: 'for_each',
    config: {
      items: '[1, 2]',
      body: flow({ in: { type: 'start' }, x: { ...chance, name: 'Draw a number' } }, ['in>x']),
    },
  };
  const definition = flow(
    { s: { type: 'start' }, a: chance, beside: loop, b: chance, c: shape('input.n & nodes.a.n') },
    ['s>a', 's>beside', 'a>b', 'b>c'],
  );
  const { execution } = await ran(definition, { n: 1 });
  const again = await reran(execution.id, { fromNodeId: 'b' });
  expect(outputs(again)).toMatchObject({ a: outputs(execution)['a'], beside: outputs(execution)['beside'] });
  expect(outputs(again)['beside[1].x']).toEqual(outputs(execution)['beside[1].x']);
  expect(outputs(again)['b']).not.toEqual(outputs(execution)['b']);

  const edited = await reran(execution.id, { fromNodeId: 'b', input: { n: 7 } });
  expect(edited.input).toEqual({ n: 1 });
  expect(edited.nodeResults.find(({ nodeId }) => nodeId === 'b')).toMatchObject({ input: { n: 7 }, output: { n: 7 } });
  expect(outputs(edited)['c']).toBe('71');
  const logs = await call<{ logs: LogEntry[] }>('GET', `/api/executions/${edited.id}/logs?nodeId=a`, {
    token: user.token,
  });
  expect(logs.body.logs.map(({ message }) => message)).toEqual([`a: reuses its result from ${execution.id}`]);
  const names = await call<{ logs: LogEntry[] }>('GET', `/api/executions/${execution.id}/logs?nodeId=beside[1].x`, {
    token: user.token,
  });
  expect(new Set(names.body.logs.map(({ nodeName }) => nodeName))).toEqual(new Set(['Draw a number']));
});

test('a failed run continues where it failed, also with the current workflow', async () => {
  const { workflowId, execution } = await ran(
    flow({ s: { type: 'start' }, a: chance, b: shape('$error("no")') }, ['s>a', 'a>b']),
  );
  expect(execution.status).toBe('failed');
  expect((await reran(execution.id, { fromNodeId: 'b' })).status).toBe('failed');
  const definition = flow({ s: { type: 'start' }, a: chance, b: shape('input.chance') }, ['s>a', 'a>b']);
  await call('PUT', `/api/workflows/${workflowId}`, { token: user.token, body: { definition } });
  const mended = await reran(execution.id, { fromNodeId: 'b', useLatest: true });
  expect(mended).toMatchObject({ status: 'completed', workflowVersion: 2 });
  expect({ chance: mended.output }).toEqual({ chance: (outputs(execution)['a'] as { chance: number }).chance });
});

test('a new node runs alone, with the results before it', async () => {
  const { workflowId, execution } = await ran(flow({ s: { type: 'start' }, a: chance }, ['s>a']), { n: 1 });
  const definition = flow({ s: { type: 'start' }, a: chance, b: shape('input.chance'), c: chance }, [
    's>a',
    'a>b',
    'b>c',
  ]);
  await call('PUT', `/api/workflows/${workflowId}`, { token: user.token, body: { definition } });
  const alone = await reran(execution.id, { fromNodeId: 'b', untilNodeId: 'b', useLatest: true });
  expect(outputs(alone)).toEqual({ ...outputs(execution), b: (outputs(execution)['a'] as { chance: number }).chance });
  const refused = await rerun(execution.id, { fromNodeId: 'c', untilNodeId: 'c', useLatest: true });
  expect([refused.status, refused.body.error.details[0]?.message]).toEqual([400, 'never ran in this execution']);
});

test('other reruns are refused', async () => {
  const definition = flow({ s: { type: 'start' }, a: shape('$error("no")'), b: chance, w: { type: 'approval' } }, [
    's>a',
    'a>b',
  ]);
  const { execution, workflowId } = await ran(definition);
  const refusal = async (body: object) => {
    const answer = await rerun(execution.id, body);
    return [answer.status, answer.body.error.details[0]?.field];
  };
  expect(await refusal({ fromNodeId: 'nobody' })).toEqual([400, 'fromNodeId']);
  expect(await refusal({ fromNodeId: 'b' })).toEqual([400, 'fromNodeId']);
  expect(await refusal({ input: [] })).toEqual([400, 'input']);
  expect(await refusal({ from: 'b' })).toEqual([400, 'from']);
  expect((await rerun('exec_nothing')).status).toBe(404);
  const stranger = await buildUser();
  expect((await rerun(execution.id, {}, stranger.token)).status).toBe(404);
  const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
  expect((await rerun(execution.id, {}, viewer.token)).status).toBe(403);

  await prismaClient().execution.update({ where: { id: execution.id }, data: { status: 'paused' } });
  expect((await rerun(execution.id)).body.error.code).toBe('CONFLICT');
  expect(await prismaClient().execution.count({ where: { workflowId } })).toBe(1);
});

test('the first item only is refused where there is no list', async () => {
  const nodes = { s: { type: 'start' }, a: chance, b: { ...shape('item'), each: {} } };
  const { execution } = await ran(flow(nodes, ['s>a', 's>b']), { n: 1 });
  for (const body of [{ fromNodeId: 'a' }, {}, { fromNodeId: 's' }]) {
    const { status, body: refusal } = await rerun(execution.id, { ...body, firstItemOnly: true });
    expect([status, refusal.error.details.map(({ field }) => field)]).toEqual([400, ['firstItemOnly']]);
  }
  const one = await reran(execution.id, { fromNodeId: 'b', untilNodeId: 'b', firstItemOnly: true });
  expect(outputs(one)['b']).toEqual([{ n: 1 }]);
});
