import { afterAll, beforeAll, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { executeDuePolls } from '@/server/triggers/polls/poller';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn } from '@/server/testing/listen';
import { runNode } from '@/server/testing/one-node';
import { polledWorkflow } from '@/server/testing/polls';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker({ concurrency: 5, graceMs: 200 });

/** As it is sent: two ids that a double cannot tell apart. */
const ITEMS = '[{"id":7615917337495251231,"n":"first"},{"id":7615917337495251232,"n":"second"}]';
const [FIRST, SECOND] = ['7615917337495251231', '7615917337495251232'];

let server: Awaited<ReturnType<typeof listenOn>>;
let user: TestUser;

beforeAll(async () => {
  server = await listenOn((_, response) => response.setHeader('content-type', 'application/json').end(ITEMS));
  user = await buildUser();
});
afterAll(async () => {
  await server.close();
});

test('an answer of a server keeps the digits', async () => {
  const { output } = await runNode(user, { type: 'http_request', config: { url: server.url } });
  expect(output).toMatchObject({ body: [{ id: FIRST }, { id: SECOND }] });
});

test('a poll starts a run for each of two items', async () => {
  const workflow = await polledWorkflow();
  await workflow.poll(server.url, { items: 'input.body' });
  await executeDuePolls();
  expect((await workflow.started()).toSorted()).toEqual([FIRST, SECOND]);
});

/** Executes a workflow whose transform passes on its input. */
async function execute(raw: string, start: Record<string, unknown> = {}) {
  const definition = flow(
    { start: { type: 'start', config: start }, same: { type: 'transform', config: { expression: 'input' } } },
    ['start>same'],
  );
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const started = await call<{ executionId: string } & Refused>('POST', `/api/workflows/${workflowId}/execute`, {
    token: user.token,
    raw,
  });
  if (started.status !== 202) return started.body.error;
  const { executionId: id } = started.body;
  return until(async () => {
    const run = await prismaClient().execution.findUniqueOrThrow({ where: { id } });
    return run.status === 'completed' && run.output;
  }, id);
}

test('the input of a run keeps the digits; what an expression computes stays a number', async () => {
  expect(await execute('{"input":{"id":9007199254740993,"list":[-9007199254740992,1.5]}}')).toEqual({
    id: '9007199254740993',
    list: ['-9007199254740992', 1.5],
  });
  const { output } = await runNode(user, { type: 'transform', config: { expression: '{"n": $power(10, 20)}' } });
  expect(output).toEqual({ n: 1e20 });
});

test('a schema takes the digits as the integer that they are', async () => {
  const inputSchema = {
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1 }, ids: { type: 'array', items: { type: ['number', 'null'] } } },
  };
  const raw = '{"input":{"id":9007199254740993,"ids":[9007199254740993,null]}}';
  expect(await execute(raw, { inputSchema })).toEqual({ id: '9007199254740993', ids: ['9007199254740993', null] });
  expect(await execute('{"input":{"id":-9007199254740993}}', { inputSchema })).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'input.id', message: 'must be >= 1' }],
  });
  expect(await execute('{"input":{"id":"12"}}', { inputSchema })).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('a number column refuses the digits, and names the type that takes them', async () => {
  const table = await call<{ id: string }>('POST', '/api/tables', {
    token: user.token,
    body: {
      name: 'Ids',
      columns: [
        { name: 'n', type: 'number' },
        { name: 't', type: 'text' },
        { name: 'j', type: 'json' },
      ],
    },
  });
  const rows = `/api/tables/${table.body.id}/rows`;
  const refused = await call<Refused>('POST', rows, { token: user.token, raw: '{"rows":[{"n":9007199254740993}]}' });
  expect(refused.status).toBe(400);
  expect(refused.body.error.details).toEqual([
    { field: 'rows[0].n', message: 'has more digits than a number column can hold: use a text column' },
  ]);
  const taken = await call('POST', rows, {
    token: user.token,
    raw: '{"rows":[{"t":9007199254740993,"j":{"id":9007199254740993}}]}',
  });
  expect(taken.body).toMatchObject({ data: [{ t: '9007199254740993', j: { id: '9007199254740993' } }] });
});
