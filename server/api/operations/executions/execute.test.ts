import { beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
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
const http = { type: 'http_request', config: {} };

type Answer = { executionId: string } & Refused;

const stored = (definition: WorkflowDefinition) => buildWorkflow({ workspaceId: user.workspaceId, definition });
const execute = (workflowId: string, body: object) =>
  call<Answer>('POST', `/api/workflows/${workflowId}/execute`, { token: user.token, body });
const rerun = (id: string, body: object) =>
  call<Answer>('POST', `/api/executions/${id}/rerun`, { token: user.token, body });

async function ended({ status, body }: { status: number; body: Answer }): Promise<ExecutionResponse> {
  expect([status, body.error]).toEqual([202, undefined]);
  return until(async () => {
    const answer = await call<ExecutionResponse>('GET', `/api/executions/${body.executionId}`, { token: user.token });
    return (answer.body.status === 'completed' || answer.body.status === 'failed') && answer.body;
  }, `${body.executionId} to end`);
}

const ids = ({ nodeResults }: ExecutionResponse) => nodeResults.map(({ nodeId }) => nodeId).toSorted();
const outputAt = ({ nodeResults }: ExecutionResponse, id: string) =>
  nodeResults.find(({ nodeId }) => nodeId === id)?.output;

/** `later` and `beside` are not ready: they have no address. */
const half = () =>
  flow({ s: { type: 'start' }, beside: http, a: chance, b: chance, later: http }, [
    's>a',
    's>beside',
    'a>b',
    'a:error>beside',
    'b>later',
  ]);

test('a run up to a node runs it and its ancestors; the rest need not be ready', async () => {
  const workflowId = await stored(half());
  const whole = await execute(workflowId, {});
  expect(whole.body.error.details.map(({ field }) => field)).toEqual(['nodes[1].config.url', 'nodes[4].config.url']);
  const execution = await ended(await execute(workflowId, { input: { n: 1 }, untilNodeId: 'b' }));
  expect(execution).toMatchObject({ status: 'completed', untilNodeId: 'b', output: { n: 1 } });
  expect(ids(execution)).toEqual(['a', 'b', 's']);
  const listed = await call<{ data: ExecutionResponse[] }>('GET', `/api/executions?workflowId=${workflowId}`, {
    token: user.token,
  });
  expect(listed.body.data[0]).toMatchObject({ id: execution.id, untilNodeId: 'b' });
});

test('an error that only the rest would have handled fails such a run', async () => {
  const definition = flow({ s: { type: 'start' }, a: shape('$error("no")'), b: chance, caught: chance }, [
    's>a',
    'a>b',
    'a:error>caught',
  ]);
  const workflowId = await stored(definition);
  expect((await ended(await execute(workflowId, {}))).status).toBe('completed');
  const cut = await ended(await execute(workflowId, { untilNodeId: 'b' }));
  expect(cut).toMatchObject({ status: 'failed', error: { nodeId: 'a' } });
  expect((await ended(await execute(workflowId, { untilNodeId: 'caught' }))).status).toBe('completed');
});

test('one node is run alone, and a repetition ends at the same node', async () => {
  const workflowId = await stored(half());
  const first = await ended(await execute(workflowId, { input: { n: 1 }, untilNodeId: 'b' }));
  const alone = await ended(await rerun(first.id, { fromNodeId: 'a', untilNodeId: 'a' }));
  expect(ids(alone)).toEqual(['a', 's']);
  expect(outputAt(alone, 'a')).not.toEqual(outputAt(first, 'a'));
  const last = await ended(await rerun(first.id, { fromNodeId: 'b' }));
  expect(last.untilNodeId).toBe('b');
  expect(outputAt(last, 'a')).toEqual(outputAt(first, 'a'));
  expect(outputAt(last, 'b')).not.toEqual(outputAt(first, 'b'));
  const whole = await rerun(first.id, { untilNodeId: null });
  expect(whole.body.error.details.map(({ field }) => field)).toEqual(['nodes[1].config.url', 'nodes[4].config.url']);
});

test('a node that cannot end a run is refused', async () => {
  const body = flow({ in: { type: 'start' }, x: chance }, ['in>x']);
  const loop = { type: 'for_each', config: { items: '[1]', body } };
  const workflowId = await stored(flow({ s: { type: 'start' }, loop, stray: chance, a: chance }, ['s>loop', 's>a']));
  const refusal = ({ status, body: { error } }: { status: number; body: Answer }) => [status, error.details[0]];
  const because = (field: string, message: string) => [400, { field, message: expect.stringContaining(message) }];
  const upTo = async (untilNodeId: unknown) => refusal(await execute(workflowId, { untilNodeId }));
  expect(await upTo('nobody')).toEqual(because('untilNodeId', 'not a node'));
  expect(await upTo('x')).toEqual(because('untilNodeId', 'inside a loop'));
  expect(await upTo('loop[0].x')).toEqual(because('untilNodeId', 'inside a loop'));
  expect(await upTo('stray')).toEqual(because('untilNodeId', 'no start'));
  expect(await upTo(7)).toEqual(because('untilNodeId', ''));
  const looped = await ended(await execute(workflowId, { input: { n: 1 }, untilNodeId: 'loop' }));
  expect(ids(looped)).toEqual(['loop', 'loop[0].in', 'loop[0].x', 's']);
  expect(refusal(await rerun(looped.id, { untilNodeId: 'gone' }))).toEqual(because('untilNodeId', 'not a node'));
  expect(refusal(await rerun(looped.id, { fromNodeId: 'a' }))).toEqual(because('fromNodeId', 'does not lead to loop'));
});

test('nodes with a pinned output do not run, and those after them get it', async () => {
  const unreachable = { type: 'http_request', config: { url: 'http://127.0.0.1:1/' } };
  const definition = flow({ s: { type: 'start' }, a: unreachable, b: shape('{"got": input.body.n}') }, ['s>a', 'a>b']);
  const workflowId = await stored(definition);
  const pins = { a: { status: 200, body: { n: 7 } } };
  const execution = await ended(await execute(workflowId, { pins }));
  expect(execution).toMatchObject({ status: 'completed', output: { got: 7 } });
  expect(outputAt(execution, 'a')).toEqual(pins.a);
  const { body } = await call<{ logs: { message: string }[] }>('GET', `/api/executions/${execution.id}/logs`, {
    token: user.token,
  });
  expect(body.logs.map(({ message }) => message)).toContain('did not run: its output is pinned');
  expect((await ended(await execute(workflowId, {}))).error).toMatchObject({ nodeId: 'a' });
});

test('pins name nodes that can be pinned, and need the right to change the workflow', async () => {
  const gate = { type: 'approval', config: { message: 'Go?' } };
  const workflowId = await stored(flow({ s: { type: 'start' }, gate, a: chance }, ['s>gate', 'gate:approved>a']));
  for (const id of ['s', 'gate', 'unknown']) {
    const refused = await execute(workflowId, { pins: { [id]: {} } });
    expect(refused.body.error.details.map(({ field }) => field)).toEqual([`pins.${id}`]);
  }
  const operator = await buildUser({ workspaceId: user.workspaceId, role: 'operator' });
  const { status } = await call('POST', `/api/workflows/${workflowId}/execute`, {
    token: operator.token,
    body: { pins: { a: {} } },
  });
  expect(status).toBe(403);
});
