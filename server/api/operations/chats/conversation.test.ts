import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { leaseTokens } from '@/server/platform/limits/bucket-lease';
import { TokenBuckets } from '@/server/platform/limits/token-bucket';
import { getRuntime } from '@/server/platform/runtime';
import { ask, buildChat, eventsOf, lastOf, newSession, send, type TestChat } from '@/server/testing/chats';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { storedRuns } from '@/server/testing/quotas';
import { until } from '@/server/testing/runs';

useDatabase({ rateLimitTier: 'free' });
beforeEach(async () => {
  // A clock that stands still: no token is refilled during a test on a slow machine.
  const now = Date.now();
  getRuntime().buckets = new TokenBuckets(leaseTokens, () => now);
  await prismaClient().rateBucket.deleteMany();
});

let worker: EngineWorker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
const work = async () => (worker = await startWorker({ concurrency: 5 }));

/** The runs of a chat's workflow, oldest first. */
async function runsOf({ user: { token }, workflowId }: TestChat): Promise<ExecutionResponse[]> {
  const { rows } = await databasePool().query('SELECT id FROM execution WHERE workflow_id = $1 ORDER BY id', [
    workflowId,
  ]);
  return Promise.all(
    rows.map(async ({ id }) => (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token })).body),
  );
}

const answering = (expression: string) =>
  flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression } } }, ['s>t']);

const abortable = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};

const refusal = async (answer: Response) => {
  const { error } = (await answer.json()) as Refused;
  return [answer.status, error.code, error.message];
};

describe('a message', () => {
  test('starts a run, and its answer is the output', async () => {
    const of = await buildChat({}, { definition: answering('"You said " & input.message') });
    await work();
    const session = newSession();
    const events = await eventsOf(await send(of, 'one\r\ntwo', { session }));
    expect(events[0]).toEqual({
      event: 'started',
      data: { receipt: expect.stringMatching(/^exec_[\w-]+\.[\w-]{43}$/) },
    });
    expect(events.at(-1)).toEqual({ event: 'message', data: { format: 'markdown', text: 'You said one\ntwo' } });
    await eventsOf(await send(of, 'again', { session }));
    await eventsOf(await send(of, 'a stranger'));
    const runs = await runsOf(of);
    expect(runs).toMatchObject([
      { trigger: 'chat', createdBy: null, status: 'completed', input: { message: 'one\ntwo', files: [] } },
      { input: { message: 'again' } },
      { input: { message: 'a stranger' } },
    ]);
    expect(runs[0]?.triggeredBy).toEqual({ id: of.chat.id, name: 'ask' });
    const ids = runs.map(({ input }) => (input as { sessionId: string }).sessionId);
    expect(ids).toEqual([expect.stringMatching(/^[\w-]{43}$/), ids[0], expect.not.stringMatching(ids[0]!)]);
    // Who reads a run cannot continue the conversation.
    expect(ids).not.toContain(session);
    const entries = await prismaClient().auditEntry.findMany({
      where: { action: 'chats.send', workspaceId: of.user.workspaceId },
    });
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({ actor: { type: 'anonymous' }, resource: { type: 'chat', id: of.chat.id } });
    expect(JSON.stringify(entries[0]?.metadata)).not.toContain('two');
  });

  test.each<[string, WorkflowDefinition, unknown]>([
    ['the text of a model', answering('{"text": "Hi", "usage": 1}'), { format: 'markdown', text: 'Hi' }],
    ['other values as JSON', answering('{"n": [1]}'), { format: 'json', text: '{\n  "n": [\n    1\n  ]\n}' }],
    ['nothing', answering('null'), { format: 'markdown', text: '' }],
    [
      'the first respond node',
      flow(
        {
          s: { type: 'start' },
          r: { type: 'respond', config: { body: '**{{ input.message }}**' } },
          t: { type: 'transform', config: { expression: '"later"' } },
        },
        ['s>r', 'r>t'],
      ),
      { format: 'markdown', text: '**hello**' },
    ],
    [
      'the text of a respond node with JSON',
      flow({ s: { type: 'start' }, r: { type: 'respond', config: { body: { output: 'Hi' } } } }, ['s>r']),
      { format: 'markdown', text: 'Hi' },
    ],
    [
      'a respond node whose JSON is none',
      flow({ s: { type: 'start' }, r: { type: 'respond', config: { body: '{', contentType: 'application/json' } } }, [
        's>r',
      ]),
      { format: 'markdown', text: '{' },
    ],
  ])('is answered by %s', async (_, definition, data) => {
    const of = await buildChat({}, { definition });
    await work();
    expect((await lastOf(await send(of, 'hello'))).last).toEqual({ event: 'message', data });
  });

  test('of a run that fails is answered without the reason', async () => {
    const of = await buildChat({}, { definition: answering('$error("the secret reason")') });
    await work();
    const { last } = await lastOf(await send(of, 'hello'));
    expect(last).toEqual({ event: 'error', data: { message: expect.stringContaining('something went wrong') } });
    expect(JSON.stringify(last)).not.toContain('secret reason');
  });

  test('has files, if the chat takes them', async () => {
    const of = await buildChat({ takesFiles: true }, { definition: answering('"ok"') });
    const files = ['one', 'two'].map((name) => new File([name], `${name}.txt`, { type: 'text/plain' }));
    await work();
    expect((await lastOf(await send(of, '', { files }))).last.event).toBe('message');
    const named = (name: string) => ({ $file: expect.stringMatching(/^file_/), name: `${name}.txt`, size: 3 });
    expect((await runsOf(of))[0]?.input).toMatchObject({ message: '', files: [named('one'), named('two')] });
  });

  test.each<[string, object, { message?: string; session?: string; count?: number }, string]>([
    ['is empty', {}, { message: ' \n' }, 'message'],
    ['is too long', {}, { message: 'x'.repeat(10_001) }, 'message'],
    ['has a short session', {}, { session: 'abc' }, 'session'],
    ['has files that the chat does not take', {}, { count: 1 }, 'files'],
    ['has too many files', { takesFiles: true }, { count: 11 }, 'files'],
  ])('that %s is refused', async (_, settings, { message = 'hello', session, count = 0 }, field) => {
    const of = await buildChat(settings);
    const files = Array.from({ length: count }, (__, n) => new File(['x'], `${n}.txt`));
    const answer = await send(of, message, { session, files });
    const { error } = (await answer.json()) as Refused;
    expect([answer.status, error.details[0]?.field]).toEqual([400, field]);
    expect(await runsOf(of)).toEqual([]);
    expect(await prismaClient().file.count({ where: { workspaceId: of.user.workspaceId } })).toBe(0);
  });

  test('that the input schema refuses leaves no files', async () => {
    const inputSchema = { properties: { message: { maxLength: 3 } } };
    const of = await buildChat(
      { takesFiles: true },
      { definition: flow({ s: { type: 'start', config: { inputSchema } } }) },
    );
    const answer = await send(of, 'hello', { files: [new File(['x'], 'a.txt')] });
    expect(await refusal(answer)).toEqual([400, 'VALIDATION_ERROR', 'The workflow does not take this message.']);
    const kept = await prismaClient().file.count({ where: { workspaceId: of.user.workspaceId, removedAt: null } });
    expect([kept, await runsOf(of)]).toEqual([0, []]);
  });

  test('to a workspace without a quota of runs is refused without a word about the quota', async () => {
    const of = await buildChat();
    await prismaClient().workspace.update({ where: { id: of.user.workspaceId }, data: { tier: 'free' } });
    await storedRuns(of.user.workspaceId, 50_000);
    expect(await refusal(await send(of, 'hello'))).toEqual([
      429,
      'RATE_LIMITED',
      'The chat cannot take messages at the moment. Try again later.',
    ]);
  });

  test('of a page of another site is refused', async () => {
    const of = await buildChat();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await send(of, 'hello', { headers })).status).toBe(403);
    expect(await runsOf(of)).toEqual([]);
  });
});

describe('a run that takes longer than the connection', () => {
  test('goes on, and its client gets the answer by the receipt', async () => {
    const of = await buildChat({}, { definition: answering('"You said " & input.message') });
    const session = newSession();
    const { signal, abort } = abortable();
    const answer = await send(of, 'hello', { session, signal });
    const [started] = await eventsOf(answer, 'started');
    abort();
    await until(async () => waitingCallerRegistry().count === 0, 'the client has left');
    expect(await runsOf(of)).toMatchObject([{ status: 'pending' }]);
    const { receipt } = started!.data as { receipt: string };
    await work();
    const again = await ask(of, session, receipt);
    expect((await eventsOf(again)).at(-1)).toMatchObject({ event: 'message', data: { text: 'You said hello' } });
    // And once more: nothing was used up.
    expect((await eventsOf(await ask(of, session, receipt))).at(-1)).toMatchObject({ event: 'message' });
  });

  test('says that it waits for an approval', async () => {
    const definition = flow(
      {
        s: { type: 'start' },
        a: { type: 'approval' },
        t: { type: 'transform', config: { expression: 'input.decision' } },
      },
      ['s>a', 'a:approved>t'],
    );
    const of = await buildChat({}, { definition });
    await work();
    const session = newSession();
    const answer = await send(of, 'hello', { session });
    const seen = await eventsOf(answer, 'waiting');
    expect(seen.at(-1)).toEqual({ event: 'waiting', data: {} });
    const [run] = await runsOf(of);
    const body = { nodeId: 'a', decision: 'approved' };
    await call('POST', `/api/executions/${run!.id}/resume`, { token: of.user.token, body });
    const { receipt } = seen[0]!.data as { receipt: string };
    const last = (await eventsOf(await ask(of, session, receipt))).at(-1);
    expect(last).toEqual({ event: 'message', data: { format: 'markdown', text: 'approved' } });
  });

  test('and has been deleted says so', async () => {
    const of = await buildChat();
    const session = newSession();
    const [started] = await eventsOf(await send(of, 'hello', { session }), 'started');
    await databasePool().query('DELETE FROM execution WHERE workflow_id = $1', [of.workflowId]);
    const { receipt } = started!.data as { receipt: string };
    expect(await eventsOf(await ask(of, session, receipt))).toEqual([
      { event: 'error', data: { message: 'The answer is no longer available.' } },
    ]);
  });

  test('is waited for by few connections of a network: others ask again', async () => {
    const of = await buildChat();
    const { signal, abort } = abortable();
    await Promise.all(Array.from({ length: 20 }, () => send(of, 'hello', { signal })));
    const events = await eventsOf(await send(of, 'hello'));
    expect(events.map(({ event }) => event)).toEqual(['started', 'working', 'later']);
    await send(of, 'hello', { signal, headers: { [PEER_ADDRESS_HEADER]: '198.51.100.1' } });
    expect(waitingCallerRegistry().count).toBe(21);
    abort();
    await until(async () => waitingCallerRegistry().count === 0, 'the clients have left');
  });
});

test('a receipt is good for its own session and chat only', async () => {
  const of = await buildChat({}, { definition: answering('"a secret"') });
  const other = await buildChat();
  await work();
  const session = newSession();
  const { receipt } = await lastOf(await send(of, 'hello', { session }));
  const forged = `${receipt.split('.')[0]}.${'x'.repeat(43)}`;
  const theirs = (await lastOf(await send(of, 'mine'))).receipt;
  for (const [at, secret, wrong] of [
    [of, newSession(), receipt],
    [of, session, forged],
    [of, session, theirs],
    [of, session, 'exec_x'],
    [other, session, receipt],
  ] as const) {
    const answer = await ask(at, secret, wrong);
    expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringContaining('a secret')]);
  }
});

test('a flood of messages uses up the bucket of its network and chat, and no other', async () => {
  const of = await buildChat();
  const other = await buildChat();
  const path = `/api/chat/${of.at}`;
  const flood = (from: string) => call('POST', path, { raw: 'a=1', from, headers: { 'content-type': 'text/plain' } });
  const statuses = new Set<number>();
  for (let round = 0; round < 130; round++) statuses.add((await flood('198.51.100.1')).status);
  expect(statuses).toEqual(new Set([400, 429]));
  expect((await flood('198.51.100.2')).status).toBe(400);
  expect((await call('GET', `/api/chat/${other.at}`, { from: '198.51.100.1' })).status).toBe(200);
  const { token } = of.user;
  expect((await call('GET', '/api/workflows', { token, from: '198.51.100.1' })).status).toBe(200);
});

describe('the page', () => {
  test('is told what to show, and nothing else', async () => {
    const of = await buildChat({ greeting: 'Hello', placeholder: 'Ask me', examples: ['A?'], takesFiles: true });
    const { status, body } = await call('GET', `/api/chat/${of.at}`);
    expect([status, body]).toEqual([
      200,
      { title: 'Ask', greeting: 'Hello', placeholder: 'Ask me', examples: ['A?'], takesFiles: true },
    ]);
  });

  test.each<[string, object, string]>([
    ['is switched off', { enabled: false }, 'active'],
    ['belongs to a paused workflow', {}, 'paused'],
    ['belongs to a draft', {}, 'draft'],
  ])('of a chat that %s is closed', async (_, settings, status) => {
    const of = await buildChat(settings, { status });
    expect((await call<Refused>('GET', `/api/chat/${of.at}`)).status).toBe(409);
    expect((await send(of, 'hello')).status).toBe(409);
    expect(await runsOf(of)).toEqual([]);
  });

  test('does not exist at other addresses', async () => {
    const of = await buildChat();
    for (const at of [`${of.at}x`, `${of.workflowId}/a b`, 'wf_none/ask'])
      expect((await call('GET', `/api/chat/${encodeURI(at)}`)).status).toBe(404);
    expect((await send({ at: 'wf_none/ask' }, 'hello')).status).toBe(404);
  });
});

describe('a chat for members', () => {
  const build = () => buildChat({ access: 'members', title: 'Secret' }, { definition: answering('"a secret"') });
  const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

  test('refuses everybody else', async () => {
    const of = await build();
    const stranger = await buildUser();
    for (const [headers, status] of [
      [{}, 401],
      [as(stranger), 403],
    ] as const) {
      const opened = await call('GET', `/api/chat/${of.at}`, { headers });
      expect([opened.status, JSON.stringify(opened.body)]).toEqual([status, expect.not.stringContaining('Secret')]);
      expect((await send(of, 'hello', { headers })).status).toBe(status);
    }
    expect(await runsOf(of)).toEqual([]);
  });

  test('knows who sends, and a conversation belongs to its person', async () => {
    const of = await build();
    const viewer = await buildUser({ workspaceId: of.user.workspaceId, role: 'viewer' });
    await work();
    const session = newSession();
    const { receipt, last } = await lastOf(await send(of, 'hello', { session, headers: as(viewer) }));
    expect(last).toMatchObject({ data: { text: 'a secret' } });
    await lastOf(await send(of, 'hello', { session, headers: as(of.user) }));
    const runs = await runsOf(of);
    expect(runs.map(({ createdBy }) => createdBy)).toEqual([viewer.id, of.user.id]);
    const [one, two] = runs.map(({ input }) => (input as { sessionId: string }).sessionId);
    expect(one).not.toBe(two);
    expect((await ask(of, session, receipt, as(of.user))).status).toBe(400);
    expect((await ask(of, session, receipt)).status).toBe(401);
    expect((await ask(of, session, receipt, as(viewer))).status).toBe(200);
  });
});

test('the settings and the input of docs/triggers/chat.md are those of a chat', async () => {
  const page = readFileSync('docs/triggers/chat.md', 'utf8');
  const [settings, input, config] = [...page.matchAll(/```json\n([^`]*)```/g)].map(
    ([, block = '']) => JSON.parse(block) as Record<string, unknown>,
  );
  const of = await buildChat(settings, { definition: answering('input') });
  expect(of.chat).toMatchObject(settings!);
  await work();
  await lastOf(await send(of, String(input?.['message'])));
  const [run] = await runsOf(of);
  expect(run?.input).toEqual({ ...input, sessionId: expect.stringMatching(/^[\w-]{43}$/) });
  expect(String(input?.['sessionId'])).toHaveLength(43);
  const agent = { id: 'a', type: 'agent', position: { x: 0, y: 0 }, config: { model: 'm', ...config } };
  const body = { name: 'Agent', definition: { nodes: [agent], connections: [] } };
  expect((await call('POST', '/api/workflows', { token: of.user.token, body })).status).toBe(201);
});
