import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { buildCallUrl } from '@/server/engine/attempt/call-link';
import { useWorker } from '@/server/testing/worker';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  call,
  type CallOptions,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { gate, testKinds, until } from '@/server/testing/runs';

useDatabase();

/** Opens the node `call`, which has the addresses of the run as its input. */
let door = gate();
const { kinds } = testKinds(async ({ execution }) => {
  await door.opened;
  return execution.resumeUrls;
});

let user: TestUser;
let stranger: TestUser;
useWorker({ concurrency: 20, kinds });
beforeEach(async () => {
  door = gate();
  user = await buildUser();
  stranger = await buildUser();
});

const HOUR_MS = 3_600_000;
const wait = (config: object = {}): Sketch => ({ type: 'wait_for_call', config: { expiresInMs: HOUR_MS, ...config } });
const start: Sketch = { type: 'start' };
const waiting = (config?: object) => flow({ s: start, w: wait(config) }, ['s>w']);

/** Starts a run of a definition. */
async function run(definition: WorkflowDefinition, by = user): Promise<string> {
  const { workspaceId, token } = by;
  const workflowId = await buildWorkflow({ workspaceId, definition, status: 'active' });
  const started = await call<{ executionId: string } & Refused>('POST', `/api/workflows/${workflowId}/execute`, {
    token,
    body: { input: { n: 1 } },
  });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return started.body.executionId;
}

const read = async (id: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token: user.token })).body;
const reached = (id: string, nodeId = 'w') =>
  until(
    async () => (await read(id)).nodeResults.some((one) => one.nodeId === nodeId && one.status === 'running'),
    nodeId,
  );
const ended = (id: string) =>
  until(async () => {
    const execution = await read(id);
    return execution.completedAt === undefined ? null : execution;
  }, 'the end of the run');

const at = (executionId: string, nodeId = 'w') => new URL(buildCallUrl({ executionId, nodeId })).pathname;
const post = (path: string, options: CallOptions = {}, method = 'POST') =>
  call<{ executionId: string; status: string } & Refused>(method, path, options);

test('a run goes on with what is posted to the address of its node, once', async () => {
  const id = await run(waiting());
  await reached(id);
  const answer = await post(at(id), { body: { paid: true } });
  expect(answer).toMatchObject({ status: 202, body: { executionId: id, status: 'accepted' } });
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { paid: true } });
  expect((await post(at(id), { body: {} })).status).toBe(410);
  const entries = await prismaClient().auditEntry.findMany({ where: { action: 'executions.call' } });
  expect(entries).toMatchObject([
    {
      workspaceId: user.workspaceId,
      result: 'success',
      resource: { type: 'execution', id },
      metadata: { nodeId: 'w' },
    },
  ]);
});

test('nodes before it know the address; a call that comes early is kept', async () => {
  const definition = flow({ s: start, before: { type: 'call' }, w: wait() }, ['s>before', 'before>w']);
  const id = await run(definition);
  await reached(id, 'before');
  expect((await post(at(id), { body: 'early' })).status).toBe(202);
  expect((await post(at(id), { body: 'again' })).status).toBe(410);
  door.open();
  const execution = await ended(id);
  expect(execution).toMatchObject({ status: 'completed', output: 'early' });
  expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'before')?.output).toEqual({
    w: buildCallUrl({ executionId: id, nodeId: 'w' }),
  });
});

test('expressions and code see the same addresses', async () => {
  const definition = flow(
    {
      s: start,
      t: { type: 'transform', config: { expression: '[execution.resumeUrls.w, $lookup(execution.resumeUrls, "w")]' } },
      c: { type: 'code', config: { source: 'return [...input, execution.resumeUrls.w]' } },
      w: wait(),
    },
    ['s>t', 't>c', 'c>w'],
  );
  const id = await run(definition);
  await reached(id);
  const url = buildCallUrl({ executionId: id, nodeId: 'w' });
  const { nodeResults } = await read(id);
  expect(nodeResults.find(({ nodeId }) => nodeId === 'c')?.output).toEqual([url, url, url]);
});

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'a=1&b=2&b=3', { a: '1', b: ['2', '3'] }],
  ['text', 'text/plain', 'plain words', 'plain words'],
  ['nothing', 'application/json', '', null],
])('takes %s, also by PUT', async (_, type, raw, output) => {
  const id = await run(waiting());
  expect((await post(at(id), { raw, headers: { 'content-type': type } }, 'PUT')).status).toBe(202);
  expect(await ended(id)).toMatchObject({ output });
});

test('a body that is refused does not use the address up', async () => {
  const id = await run(waiting());
  expect((await post(at(id), { raw: '{' })).status).toBe(400);
  const unknown = { 'content-type': 'text/plain; charset=nonsense' };
  expect((await post(at(id), { raw: 'x', headers: unknown })).status).toBe(415);
  expect((await post(at(id), { raw: `"${'x'.repeat(1024 * 1024)}"` })).status).toBe(400);
  expect((await post(at(id), { body: 'y'.repeat(300_000) })).status).toBe(202);
  expect(await ended(id)).toMatchObject({ status: 'completed', output: 'y'.repeat(300_000) });
});

test('a file becomes the output, and stays as long as the run', async () => {
  const id = await run(waiting());
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
  expect((await post(at(id), { raw: new Uint8Array([1]), headers })).status).toBe(202);
  const { output } = await ended(id);
  expect(output).toMatchObject({ name: 'a.png', contentType: 'image/png', size: 1 });
  const { $file: fileId } = output as { $file: string };
  expect(await prismaClient().fileUse.count({ where: { executionId: id, fileId } })).toBe(1);
});

test('looking at the address shows a page with a button, and changes nothing', async () => {
  const id = await run(waiting());
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, headers, body } = await call<string>(method, at(id));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'`);
    if (method === 'GET') expect(body).toContain('<form method="post"><button');
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*' };
  // A double click: the person sees the second answer.
  const press = () => post(at(id), { raw: '', headers });
  for (const pressed of [...(await Promise.all([press(), press()])), await press()]) {
    expect(pressed.status).toBe(202);
    expect(pressed.body).toContain('Thank you');
  }
  expect((await post(at(id), { body: {} })).status).toBe(410);
  await ended(id);
  const used = await call<string>('GET', at(id));
  expect(used.status).toBe(410);
  expect(used.body).not.toContain('<form');
});

test('an address that the service did not make is unknown', async () => {
  const id = await run(waiting());
  const [text = '', signature = ''] = at(id).slice('/calls/'.length).split('.');
  const other = Buffer.from(`${id} x`).toString('base64url');
  for (const token of ['x', `${text}.`, text, `${other}.${signature}`, `${text}.${signature.toLowerCase()}`]) {
    expect((await post(`/calls/${token}`, { body: {} })).status, token).toBe(404);
    expect((await call('GET', `/calls/${token}`)).status, token).toBe(404);
  }
  expect((await post(at(id, 's'), { body: {} })).status).toBe(404);
  await prismaClient().execution.deleteMany({ where: { id } });
  expect((await post(at(id), { body: {} })).status).toBe(404);
  expect((await call('DELETE', at(id))).status).toBe(405);
});

describe('the wait ends', () => {
  test('by its time', async () => {
    const definition = flow(
      { s: start, w: wait({ expiresInMs: 1 }), t: { type: 'transform', config: { expression: '"late"' } } },
      ['s>w', 'w:expired>t'],
    );
    const id = await run(definition);
    expect(await ended(id)).toMatchObject({ status: 'completed', output: 'late' });
    expect((await post(at(id), { body: {} })).status).toBe(410);
  });

  test('by its time, before the run has noticed', async () => {
    const id = await run(waiting());
    await reached(id);
    await until(
      async () => (await prismaClient().execution.count({ where: { id, workerId: null } })) > 0,
      'the release',
    );
    await databasePool().query(
      `UPDATE node_result SET wake_at = now() - interval '1 second' WHERE execution_id = $1 AND node_id = 'w'`,
      [id],
    );
    expect((await post(at(id), { body: {} })).status).toBe(410);
  });

  test('with the run: cancelled, or over its time limit', async () => {
    const id = await run(waiting());
    await reached(id);
    expect((await call('POST', `/api/executions/${id}/cancel`, { token: user.token })).status).toBeLessThan(300);
    expect((await post(at(id), { body: {} })).status).toBe(410);
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    const late = await run(waiting());
    await reached(late);
    await databasePool().query(`UPDATE execution SET deadline_at = now() - interval '1 second' WHERE id = $1`, [late]);
    expect((await post(at(late), { body: {} })).status).toBe(410);
  });

  test('once for calls at the same time', async () => {
    const id = await run(waiting());
    await reached(id);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => post(at(id), { body: { n } })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 410, 410, 410, 410]);
    const { output } = await ended(id);
    expect(output).toEqual({ n: answers.findIndex(({ status }) => status === 202) + 1 });
  });
});

describe('in a loop', () => {
  const body = flow({ i: start, tell: { type: 'call' }, w: wait() }, ['i>tell', 'tell>w']);
  const loop = { type: 'for_each', config: { items: '[1, 2]', concurrency: 2, body } };

  test('each round has an address of its own', async () => {
    door.open();
    const definition = flow({ s: start, outer: { type: 'call' }, l: loop }, ['s>outer', 'outer>l']);
    const id = await run(definition);
    await reached(id, 'l[0].w');
    await reached(id, 'l[1].w');
    const { nodeResults } = await read(id);
    const outputOf = (path: string) => nodeResults.find(({ nodeId }) => nodeId === path)?.output;
    expect(outputOf('outer')).toEqual({});
    expect(outputOf('l[1].tell')).toEqual({ w: buildCallUrl({ executionId: id, nodeId: 'l[1].w' }) });
    expect((await post(at(id, 'l[1].w'), { body: 'second' })).status).toBe(202);
    expect((await post(at(id, 'l[0].w'), { body: 'first' })).status).toBe(202);
    expect(await ended(id)).toMatchObject({ status: 'completed', output: ['first', 'second'] });
    expect((await post(at(id, 'l[0].w'), { body: 'first' })).status).toBe(410);
  });
});

test('a repetition has addresses of its own, and keeps what was received', async () => {
  const definition = flow({ s: start, w: wait(), t: { type: 'transform', config: { expression: 'input.n + 1' } } }, [
    's>w',
    'w>t',
  ]);
  const id = await run(definition);
  await post(at(id), { body: { n: 1 } });
  await ended(id);
  const rerun = async (more: object) =>
    (await call<{ executionId: string }>('POST', `/api/executions/${id}/rerun`, { token: user.token, body: more }))
      .body;
  expect(await ended((await rerun({ fromNodeId: 't' })).executionId)).toMatchObject({ output: 2 });
  const whole = (await rerun({})).executionId;
  await reached(whole);
  expect((await post(at(id), { body: { n: 5 } })).status).toBe(410);
  expect((await post(at(whole), { body: { n: 5 } })).status).toBe(202);
  expect(await ended(whole)).toMatchObject({ output: 6 });
});

describe('verification', () => {
  test.each([
    ['header', { name: 'x-token', value: 'open sesame' }, { 'x-token': 'open sesame' }],
    ['basic', { username: 'ada', password: 'pw-12345' }, { authorization: `Basic ${btoa('ada:pw-12345')}` }],
    [
      'signature',
      { secret: 'secret-123' },
      { 'x-service-signature': documentedSignature('secret-123', Buffer.from('{"a":1}')) },
    ],
    ['none', {}, {}],
  ])('%s: the sender is known, or refused', async (kind, more, headers: Record<string, string>) => {
    const id = await run(waiting({ verification: { kind, ...more } }));
    if (kind !== 'none') {
      const wrong = Object.fromEntries(Object.keys(headers).map((name) => [name, 'Basic eDp5']));
      expect((await post(at(id), { raw: '{"a":1}' })).status).toBe(401);
      expect((await post(at(id), { raw: '{"a":1}', headers: wrong })).status).toBe(401);
    }
    expect((await post(at(id), { raw: '{"a":1}', headers })).status).toBe(202);
    expect(await ended(id)).toMatchObject({ output: { a: 1 } });
  });

  test('api_key: of the workspace of the run', async () => {
    const keyOf = async ({ token }: TestUser) =>
      (await call<{ key: string }>('POST', '/auth/api_keys', { token, body: { name: 'k', scopes: ['write'] } })).body
        .key;
    const id = await run(waiting({ verification: { kind: 'api_key' } }));
    const [own, foreign] = [await keyOf(user), await keyOf(stranger)];
    expect((await post(at(id), { body: {}, headers: { 'x-api-key': foreign } })).status).toBe(401);
    expect((await post(at(id), { body: 'mine', headers: { 'x-api-key': own } })).status).toBe(202);
    expect(await ended(id)).toMatchObject({ output: 'mine' });
  });

  test('a secret that is missing is named before the workflow runs', async () => {
    const definition = waiting({ verification: { kind: 'header', name: 'x-token' } });
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const path = `/api/workflows/${workflowId}/execute`;
    const { status, body } = await call<Refused>('POST', path, { token: user.token, body: {} });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error.details)).toContain('verification.value');
  });
});

test('refused calls use up the bucket of their network, and never that of a workspace', async () => {
  const id = await run(waiting({ verification: { kind: 'header', name: 'x-token', value: 'open sesame' } }));
  const limitOf = async () =>
    Number((await call('GET', '/api/workflows', { token: user.token })).headers.get('x-ratelimit-remaining'));
  const before = await limitOf();
  const flood = await Promise.all(Array.from({ length: 50 }, () => post(at(id), { body: {}, from: '198.51.100.7' })));
  expect(flood.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
  expect(await limitOf()).toBeGreaterThanOrEqual(before - 2);
  const headers = { 'x-token': 'open sesame' };
  expect((await post(at(id), { body: 1, headers, from: '203.0.113.9' })).status).toBe(202);
  expect(await ended(id)).toMatchObject({ output: 1 });
});
