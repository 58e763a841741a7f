import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { routeWebRequest } from '@/server/api/http/routes';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { deliver, register, type Hook, type TestHook } from '@/server/testing/hooks';
import { gate, waitForSlot, testKinds, until } from '@/server/testing/runs';

useDatabase();

/** The node `wait` of a test stays open until the test opens it. */
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

const RESPOND = { mode: 'respond_node' };
const LAST = { mode: 'last_node' };
const start = { type: 'start' };
const respond = (config: Sketch['config']) => ({ type: 'respond', config });
const transform = (expression: string) => ({ type: 'transform', config: { expression } });

async function hookOf(definition: WorkflowDefinition, response: object): Promise<TestHook> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
  const { status, body: hook } = await register(user, workflowId, 'in', { response });
  expect(status).toBe(201);
  return { user, workflowId, hook };
}

const executionOf = async ({ user, workflowId }: TestHook): Promise<ExecutionResponse> => {
  const { rows } = await databasePool().query('SELECT id FROM execution WHERE workflow_id = $1', [workflowId]);
  expect(rows).toHaveLength(1);
  return (await call<ExecutionResponse>('GET', `/api/executions/${rows[0].id}`, { token: user.token })).body;
};

const ended = (of: TestHook) =>
  until(async () => {
    const execution = await executionOf(of);
    return (execution.status === 'completed' || execution.status === 'failed') && execution;
  }, 'the end of the run');

/** The shortest wait: what is stored by the API has at least a second. */
const giveUpAfter = (hook: Hook, timeoutMs: number) =>
  databasePool().query('UPDATE webhook SET response = $2 WHERE id = $1', [hook.id, { mode: 'last_node', timeoutMs }]);

describe('the mode respond_node', () => {
  test('answers what the node says, and the run continues', async () => {
    const definition = flow(
      {
        s: start,
        r: respond({
          status: '{{ input.code }}',
          headers: { 'X-Order': '{{ input.no }}', 'cache-control': 'max-age=60', 'X-Request-Id': 'mine' },
          body: { order: '{{ input.no }}' },
        }),
        wait: { type: 'call' },
        t: transform('input.no * 2'),
      },
      ['s>r', 'r>wait', 'wait>t'],
    );
    const of = await hookOf(definition, RESPOND);
    const answer = await deliver(of.hook, '{"no":7,"code":201}');
    expect([answer.status, answer.body]).toEqual([201, { order: 7 }]);
    const { headers } = answer;
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-order')).toBe('7');
    expect(headers.get('cache-control')).toBe('max-age=60');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(headers.get('content-security-policy')).toBe('sandbox allow-forms allow-popups allow-scripts');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await executionOf(of)).status).toBe('running');
    door.open();
    expect(await ended(of)).toMatchObject({ status: 'completed', output: 14 });
    expect(waitingCallerRegistry().count).toBe(0);
  });

  test('a run that begins before it is stored answers as well', async () => {
    const of = await hookOf(flow({ s: start, r: respond({ body: 'Got {{ input.no }}' }) }, ['s>r']), RESPOND);
    expect((await deliver(of.hook, '{"no":1}')).body).toBe('Got 1');
    await waitForSlot({ workspaceId: of.user.workspaceId, workflowId: of.workflowId });
    const answer = await deliver(of.hook, '{"no":2}');
    expect([answer.status, answer.body]).toEqual([200, 'Got 2']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const { rows } = await databasePool().query(
      'SELECT a.answer FROM execution_answer a JOIN execution e ON e.id = a.execution_id WHERE e.workflow_id = $1',
      [of.workflowId],
    );
    expect(rows.map(({ answer: { body } }) => body).toSorted()).toEqual(['Got 1', 'Got 2']);
  });

  test('of several nodes the first one answers', async () => {
    const two = flow({ s: start, a: respond({ body: 'a' }), b: respond({ body: 'b' }) }, ['s>a', 's>b']);
    expect((await deliver((await hookOf(two, RESPOND)).hook, '{}')).body).toBe('a');
    const later = flow({ s: start, a: respond({ body: 'a' }), w: { type: 'call' }, b: respond({ body: 'b' }) }, [
      's>a',
      'a>w',
      'w>b',
    ]);
    const of = await hookOf(later, RESPOND);
    expect((await deliver(of.hook, '{}')).body).toBe('a');
    door.open();
    const { id, status } = await ended(of);
    expect(status).toBe('completed');
    const { rows } = await databasePool().query('SELECT answer FROM execution_answer WHERE execution_id = $1', [id]);
    expect(rows).toMatchObject([{ answer: { body: 'a' } }]);
  });

  test('a node in the body of a loop answers once', async () => {
    const body = flow({ s: start, r: respond({ body: 'item {{ input.item }}' }) }, ['s>r']);
    const definition = flow({ s: start, loop: { type: 'for_each', config: { items: '[3, 4]', body } } }, ['s>loop']);
    const of = await hookOf(definition, RESPOND);
    expect((await deliver(of.hook, '{}')).body).toBe('item 3');
    expect(await ended(of)).toMatchObject({ status: 'completed' });
  });

  test('a run that ends without an answer', async () => {
    const none = await hookOf(flow({ s: start }), RESPOND);
    const done = await deliver(none.hook, '{}');
    expect([done.status, done.body]).toEqual([200, { executionId: (await executionOf(none)).id, status: 'completed' }]);
    const failing = await hookOf(
      flow({ s: start, t: transform('$error("no")'), r: respond({}) }, ['s>t', 't>r']),
      RESPOND,
    );
    const { status, body } = await deliver(failing.hook, '{}');
    const { id } = await executionOf(failing);
    expect([status, body.error.code, body.error.details]).toEqual([
      500,
      'INTERNAL_ERROR',
      [{ field: 'executionId', message: id }],
    ]);
  });

  test.each([
    ['nothing', {}, null, ''],
    ['no content', { status: 204, body: 'dropped' }, null, ''],
    ['a list', { body: [1, 'two'] }, 'application/json', [1, 'two']],
    ['a page', { body: '<p>{{ input.name }}</p>', contentType: 'text/html' }, 'text/html; charset=utf-8', '<p>Ada</p>'],
    ['a redirect', { status: 303, headers: { Location: '/docs' } }, null, ''],
  ])('answers with %s', async (_, config, type, body) => {
    const answer = await deliver(
      (await hookOf(flow({ s: start, r: respond(config) }, ['s>r']), RESPOND)).hook,
      '{"name":"Ada"}',
    );
    expect(answer.status).toBe('status' in config ? config.status : 200);
    expect([answer.headers.get('content-type'), answer.body ?? '']).toEqual([type, body]);
  });

  test('a large body', async () => {
    const definition = flow({ s: start, r: respond({ body: '{{ $pad("", 100000, "x") }}' }) }, ['s>r']);
    expect((await deliver((await hookOf(definition, RESPOND)).hook, '{}')).body).toBe('x'.repeat(100_000));
  });
});

test.each([1, 20_000])(
  'secrets of the run’s credentials are masked in an answer, after %d characters',
  async (length) => {
    const user = await buildUser();
    const secret = 'sk-the-secret-of-a-shop-4711';
    const body = { name: 'Shop', type: 'api_key', config: { apiKey: secret } };
    const credential = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
    const shop = { type: 'http_request', config: { url: 'http://x.test' }, credentialId: credential.body.id };
    const definition = flow(
      {
        s: start,
        r: respond({ headers: { 'x-key': secret }, body: `{{ input.text }}${secret}` }),
        c: { type: 'condition', config: { expression: 'false' } },
        shop,
      },
      ['s>r', 'r>c', 'c:true>shop'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
    const { body: hook } = await register(user, workflowId, 'in', { response: RESPOND });
    const text = 'x'.repeat(length);
    const answer = await deliver(hook, JSON.stringify({ text }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-key')).toMatch(/^\*+$/);
    expect(answer.body).toBe(`${text}••••••`);
  },
);

describe('forbidden headers', () => {
  const forbidden = [
    'Set-Cookie',
    'content-security-policy',
    'content-length',
    'transfer-encoding',
    'connection',
    'strict-transport-security',
    'clear-site-data',
    'service-worker-allowed',
  ];
  test.each(forbidden)('%s is refused when it is saved', async (name) => {
    const user = await buildUser();
    for (const value of ['a', '{{ input.x }}']) {
      const definition = flow({ s: start, r: respond({ headers: { [name]: value } }) }, ['s>r']);
      const options = { token: user.token, body: { name: 'w', definition } };
      const { status, body } = await call<Refused>('POST', '/api/workflows', options);
      expect([status, body.error.details[0]?.field]).toEqual([
        400,
        expect.stringMatching(/^nodes\[1\]\.config\.headers/),
      ]);
    }
  });

  test.each([
    ['a forbidden name', { 'set-cookie': 'a=b' }],
    ['a line break', { 'x-a': 'a\r\nset-cookie: a=b' }],
    ['no name', { 'a b': 'c' }],
    ['characters that no header has', { 'x-a': 'Ω' }],
  ])('a computed header with %s fails the node', async (_, headers) => {
    const of = await hookOf(flow({ s: start, r: respond({ headers: '{{ input }}' }) }, ['s>r']), RESPOND);
    expect((await deliver(of.hook, JSON.stringify(headers))).status).toBe(500);
    expect((await ended(of)).error).toMatchObject({ code: 'CONFIG', nodeId: 'r' });
  });

  test('a computed status must be one', async () => {
    const of = await hookOf(flow({ s: start, r: respond({ status: '{{ input.code }}' }) }, ['s>r']), RESPOND);
    expect((await deliver(of.hook, '{"code":99}')).status).toBe(500);
    expect((await ended(of)).error).toMatchObject({ code: 'CONFIG' });
  });
});

describe('the mode last_node', () => {
  test('answers the output of the run, and no respond node', async () => {
    const definition = flow({ s: start, r: respond({ body: 'no' }), t: transform('{"double": input.no * 2}') }, [
      's>r',
      'r>t',
    ]);
    const of = await hookOf(definition, LAST);
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body, headers } = await deliver(of.hook, '{"no":4}');
      expect([status, body]).toEqual([200, { double: 8 }]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox/);
      await waitForSlot({ workspaceId: of.user.workspaceId, workflowId: of.workflowId });
    }
  });

  test('a failed run is 500 with its id', async () => {
    const of = await hookOf(flow({ s: start, t: transform('$error("no")') }, ['s>t']), LAST);
    const { status, body, headers } = await deliver(of.hook, '{}');
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.error.details).toEqual([{ field: 'executionId', message: (await executionOf(of)).id }]);
    expect(body.error.message).toContain(headers.get('x-request-id'));
  });

  test('a cancelled run is a failed one', async () => {
    const of = await hookOf(flow({ s: start, w: { type: 'call' } }, ['s>w']), LAST);
    const answer = deliver(of.hook, '{}');
    const id = await until(async () => {
      const { rows } = await databasePool().query('SELECT id FROM execution WHERE workflow_id = $1', [of.workflowId]);
      return rows[0]?.id as string | undefined;
    }, 'the run');
    await call('POST', `/api/executions/${id}/cancel`, { token: of.user.token });
    expect((await answer).status).toBe(500);
  });

  test('too late is 202, and the run continues; the same delivery id gets its answer later', async () => {
    const of = await hookOf(flow({ s: start, w: { type: 'call' } }, ['s>w']), LAST);
    await giveUpAfter(of.hook, 20);
    const same = { 'x-service-delivery': 'd1' };
    const late = await deliver(of.hook, '{"no":1}', same);
    expect([late.status, late.body.status]).toEqual([202, 'accepted']);
    const again = await deliver(of.hook, '{"no":1}', same);
    expect([again.status, again.body]).toEqual([202, late.body]);
    door.open();
    await ended(of);
    await giveUpAfter(of.hook, 30_000);
    const found = await deliver(of.hook, '{"no":1}', same);
    expect([found.status, found.body]).toEqual([200, { no: 1 }]);
    expect((await executionOf(of)).id).toBe(late.body.executionId);
  });
});

describe('callers that wait', () => {
  test('one that disconnects stops waiting; its run continues', async () => {
    const of = await hookOf(flow({ s: start, w: { type: 'call' } }, ['s>w']), LAST);
    const leaving = new AbortController();
    const signature = documentedSignature(of.hook.secret, Buffer.from('{}'));
    const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
    const { pathname } = new URL(of.hook.url);
    const request = new Request(`http://weft.test${pathname}`, {
      method: 'POST',
      body: '{}',
      headers,
      signal: leaving.signal,
    });
    const answer = routeWebRequest(request);
    await until(async () => waitingCallerRegistry().count === 1, 'the caller');
    leaving.abort();
    expect((await answer).status).toBe(202);
    expect(waitingCallerRegistry().count).toBe(0);
    door.open();
    expect((await ended(of)).status).toBe('completed');
  });

  test('a workspace has only so many; beyond them the answer is 202', async () => {
    const definition = flow({ s: start, t: transform('1') }, ['s>t']);
    const [full, other] = [await hookOf(definition, LAST), await hookOf(definition, LAST)];
    const { workspaceId } = full.user;
    const request = { workspaceId, awaited: 'end', timeoutMs: 60_000, connection: undefined } as const;
    for (const [bytes, least, most] of [
      [0, 51, 999],
      [1024 * 1024, 10, 63],
    ] as const) {
      const admit = () => waitingCallerRegistry().admit({ ...request, bytes });
      const callers = [];
      for (let next = admit(); next; next = admit()) callers.push(next);
      expect(callers.length).toBeGreaterThanOrEqual(least);
      expect(callers.length).toBeLessThanOrEqual(most);
      expect((await deliver(full.hook, '{}')).status).toBe(202);
      expect((await deliver(other.hook, '{}')).status).toBe(200);
      for (const caller of callers) caller.stopWaiting();
      expect((await deliver(full.hook, '{}')).status).toBe(200);
    }
  });

  test('a process that stops answers 503', async () => {
    const of = await hookOf(flow({ s: start, w: { type: 'call' } }, ['s>w']), LAST);
    const answer = deliver(of.hook, '{}');
    await until(async () => waitingCallerRegistry().count === 1, 'the caller');
    await waitingCallerRegistry().close();
    const { status, headers, body } = await answer;
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 'INTERNAL_ERROR']);
    delete (await import('@/server/platform/runtime')).getRuntime().waitingCallers;
  });
});

test('a refused delivery leaves no caller behind', async () => {
  const of = await hookOf(flow({ s: start }), LAST);
  expect((await deliver(of.hook, 'no json')).status).toBe(400);
  await databasePool().query(`UPDATE workflow SET status = 'paused' WHERE id = $1`, [of.workflowId]);
  expect((await deliver(of.hook, '{}')).status).toBe(409);
  expect(waitingCallerRegistry().count).toBe(0);
});

test('without a caller that waits a respond node does nothing', async () => {
  const definition = flow({ s: start, r: respond({ body: 'x' }), t: transform('input.no') }, ['s>r', 'r>t']);
  const of = await hookOf(definition, { mode: 'accepted' });
  expect(of.hook.response).toEqual({ mode: 'accepted' });
  const { status, body } = await deliver(of.hook, '{"no":3}');
  expect([status, body.status]).toEqual([202, 'accepted']);
  expect(await ended(of)).toMatchObject({ status: 'completed', output: 3 });
});

test.each([
  [{ mode: 'other' }, 'response.mode'],
  [{ mode: 'last_node', timeoutMs: 999 }, 'response.timeoutMs'],
  [{ mode: 'last_node', timeoutMs: 120_001 }, 'response.timeoutMs'],
  [{ mode: 'accepted', timeoutMs: 1000 }, 'response.timeoutMs'],
  ['last_node', 'response'],
])('%j is no response mode', async (response, field) => {
  const user = await buildUser();
  const { status, body } = await register(user, await buildWorkflow(user), 'in', { response });
  expect([status, body.error.details[0]?.field]).toEqual([400, field]);
});

test('the list shows the response mode', async () => {
  const { user, workflowId, hook } = await hookOf(flow({ s: start }), RESPOND);
  expect(hook.response).toEqual({ mode: 'respond_node', timeoutMs: 30_000 });
  const { body } = await call<{ data: Hook[] }>('GET', `/api/workflows/${workflowId}/webhooks`, { token: user.token });
  expect(body.data[0]?.response).toEqual(hook.response);
});
