import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowProposal, ProposalEvent } from '@/contract/workflows/proposal-event';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { prismaClient } from '@/server/platform/db/client';
import { startWorker } from '@/server/engine/worker';
import { routeWebRequest } from '@/server/api/http/routes';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn } from '@/server/testing/listen';
import type { Reply } from '@/server/testing/servers/model-reply';
import { petStore } from '@/server/evaluation/openapi/testing/documents';
import { startModels, type Models } from '@/server/testing/servers/models';
import { buildPermitted } from '@/server/testing/permitted';
import { gate, startRun, until } from '@/server/testing/runs';

useDatabase();

const KEY = 'sk-canary-4711-key-of-a-model';

let models: Models;
let user: TestUser;
let workflowId: string;
let credentialId: string;

beforeAll(async () => {
  models = await startModels();
});
beforeEach(async () => {
  user = await buildUser();
  workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  credentialId = await createCredential(user);
});
afterAll(() => models.close());

async function createCredential(owner: TestUser, type = 'llm', name = unique('model')): Promise<string> {
  const config =
    type === 'llm'
      ? { provider: 'openai_compatible', apiKey: KEY, baseUrl: `${models.url}/v1` }
      : { apiKey: 'sk-canary-other' };
  const made = await call<{ id: string }>('POST', '/api/credentials', {
    token: owner.token,
    body: { name, type, config },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

interface Asked {
  as?: TestUser;
  on?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function ask(body: object = {}, { as = user, on = workflowId, headers, signal }: Asked = {}): Promise<Response> {
  const all = {
    authorization: `Bearer ${as.token}`,
    'content-type': 'application/json',
    [PEER_ADDRESS_HEADER]: '192.0.2.7',
  };
  return routeWebRequest(
    new Request(new URL(`/api/workflows/${on}/proposals`, getRuntime().env.apiBaseUrl), {
      method: 'POST',
      headers: { ...all, ...headers },
      body: JSON.stringify({ instruction: 'Ask the shop for orders', credentialId, model: 'model-a', ...body }),
      signal,
    }),
  );
}

async function eventsOf(answer: Response): Promise<ProposalEvent[]> {
  const text = await answer.text();
  expect(answer.headers.get('content-type'), text).toBe('text/event-stream; charset=utf-8');
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) } as ProposalEvent;
    });
}

async function proposalOf(answer: Response): Promise<WorkflowProposal> {
  const last = (await eventsOf(answer)).at(-1)!;
  expect(last.event, JSON.stringify(last.data)).toBe('proposal');
  return last.data as WorkflowProposal;
}

const refusalOf = async (answer: Response) => {
  const { error } = (await answer.json()) as Refused;
  return { status: answer.status, code: error.code, fields: error.details.map(({ field }) => field) };
};

const wire = (source: string, target: string) => ({
  sourceNode: source,
  sourcePort: 'output',
  targetNode: target,
  targetPort: 'input',
});
const submit = (nodes: object[], more: object = {}): Reply => ({
  calls: [
    {
      name: 'submit',
      arguments: { nodes, connections: [wire('start', 'ask')], summary: 'It asks the shop.', ...more },
    },
  ],
});
const asking = (config: object, more: object = {}) => ({
  id: 'ask',
  type: 'http_request',
  name: 'Ask',
  config,
  ...more,
});
const GOOD = asking({ url: 'https://shop.example.com/orders' });

/** What the model was told of its calls. */
const results = () =>
  (models.requests.at(-1)!.body['messages'] as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

describe('a proposal', () => {
  test('is a valid definition with a summary, and stores nothing but an audit entry', async () => {
    models.sayInTurn(submit([GOOD]));
    const events = await eventsOf(await ask());
    expect(events.map(({ event }) => event)).toEqual(['progress', 'progress', 'proposal']);
    const proposal = events.at(-1)!.data as WorkflowProposal;
    expect(proposal).toMatchObject({
      summary: 'It asks the shop.',
      problems: [],
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect(proposal.definition!.nodes).toEqual([
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
      { ...GOOD, position: { x: 320, y: 0 } },
    ]);
    const row = await prismaClient().workflow.findUniqueOrThrow({ where: { id: workflowId } });
    expect([row.version, (row.definition as WorkflowDefinition).nodes.length]).toEqual([1, 1]);
    const entries = await prismaClient().auditEntry.findMany({
      where: { workspaceId: user.workspaceId, action: 'proposals.create' },
    });
    expect(entries).toMatchObject([
      {
        actor: { id: user.id },
        resource: { id: workflowId },
        metadata: { credentialId, model: 'model-a' },
        result: 'success',
      },
    ]);
    expect(JSON.stringify(entries.map(({ metadata }) => metadata))).not.toContain('shop');
  });

  test('is made with searches and descriptions, and continues a conversation on the draft of the canvas', async () => {
    const definition = flow(
      { start: { type: 'start' }, mine: { type: 'transform', config: { expression: 'input' } } },
      ['start>mine'],
    );
    models.sayInTurn(
      {
        calls: [
          { name: 'search_nodes', arguments: { query: 'slack message' } },
          { name: 'describe_node', arguments: { type: 'merge' } },
        ],
      },
      {
        calls: [
          { name: 'describe_operation', arguments: { connectorId: 'slack', operation: 'messages.post' } },
          { name: 'nothing', arguments: {} },
          { name: 'search_nodes', arguments: '{' },
        ],
      },
      submit([GOOD], { connections: [wire('start', 'mine'), wire('mine', 'ask')] }),
    );
    const conversation = [
      { role: 'user', text: 'Build it' },
      { role: 'assistant', text: 'I built it.' },
    ];
    const events = await eventsOf(await ask({ definition, conversation }));
    expect(events.flatMap((one) => (one.event === 'progress' ? one.data.text : []))).toEqual([
      'Thinking',
      'Searching for “slack message”',
      'Reading about merge',
      'Reading about messages.post of slack',
      'Checking the workflow',
    ]);
    expect((events.at(-1)!.data as WorkflowProposal).definition!.nodes.map(({ id }) => id)).toEqual([
      'start',
      'mine',
      'ask',
    ]);
    expect(results()).toEqual([
      expect.stringContaining('operation messages.post of connector slack'),
      expect.stringContaining('leftKey text'),
      expect.stringContaining('channel'),
      'There is no tool "nothing".',
      expect.stringContaining('not JSON'),
    ]);
    const messages = models.requests.at(-1)!.body['messages'] as { role: string; content: string }[];
    expect(messages.slice(1, 4)).toMatchObject([
      { content: 'Build it' },
      { content: 'I built it.' },
      { content: expect.stringContaining('"mine"') },
    ]);
  });

  test('uses connectors of the own workspace, and none of another', async () => {
    const made = (owner: TestUser, title: string) =>
      call<{ id: string }>('POST', '/api/connectors', {
        token: owner.token,
        body: { openapi: JSON.stringify({ ...petStore(), info: { title, version: '1' } }) },
      });
    const { id: own } = (await made(user, 'Kennel')).body;
    const { id: foreign } = (await made(await buildUser(), 'Secret kennel')).body;
    const calling = (name: string, given: object) => ({ name, arguments: given });
    const node = (connectorId: string) => [
      { id: 'ask', type: 'connector', name: 'Ask', config: { connectorId, operation: 'listPets', parameters: {} } },
    ];
    models.sayInTurn(
      {
        calls: [
          calling('search_nodes', { query: 'list pets' }),
          calling('describe_operation', { connectorId: own, operation: 'listPets' }),
          calling('describe_operation', { connectorId: foreign, operation: 'listPets' }),
        ],
      },
      submit(node(foreign)),
      submit(node(own)),
    );
    const { definition } = await proposalOf(await ask());
    expect(definition!.nodes.at(-1)).toMatchObject({ config: { connectorId: own } });
    const [found, described, unknown, refused] = results();
    expect(found).toContain(`operation "listPets" of connector ${own} ("Kennel")`);
    expect(described).toContain('limit');
    expect(unknown).toContain('There is no operation');
    expect(refused).toContain('this connector does not exist in the workspace');
    expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain('Secret kennel');
  });

  test('is corrected after the errors of a save, references included', async () => {
    const other = await buildWorkflow({ workspaceId: (await buildUser()).workspaceId });
    models.sayInTurn(
      submit([asking({ url: 5 }), { id: 'x', type: 'nope', config: {} }]),
      submit([GOOD, { id: 'sub', type: 'sub_workflow', config: { workflowId: other } }]),
      submit([GOOD]),
    );
    const events = await eventsOf(await ask());
    expect(events.flatMap((one) => (one.event === 'progress' ? one.data.text : []))).toContain('Correcting 2 errors');
    expect(events.at(-1)).toMatchObject({ event: 'proposal', data: { problems: [], usage: { inputTokens: 30 } } });
    expect(results()).toEqual([
      expect.stringMatching(/node "ask"\.config\.url: .*\n- node "x"\.type: unknown node type/),
      expect.stringContaining('node "sub".config.workflowId: this workflow does not exist in the workspace'),
    ]);
  });

  test('names what is missing: the model is asked once, and credentials that it invents are removed', async () => {
    models.sayInTurn(
      submit([
        asking({}, { credentialId: 'cred_invented' }),
        { id: 'ai', type: 'llm', config: { model: 'm', prompt: 'Hi' } },
      ]),
      { text: 'I do not know the address.' },
    );
    const { definition, summary, problems } = await proposalOf(await ask());
    expect(results()).toEqual([expect.stringContaining('node "ask".config.url: is required')]);
    expect(summary).toBe('It asks the shop.');
    expect(definition!.nodes.map((node) => node.credentialId)).toEqual([undefined, undefined, undefined]);
    expect(problems).toEqual([
      { field: 'nodes[1].credentialId', message: 'needs a credential' },
      { field: 'nodes[1].config.url', message: 'is required' },
      { field: 'nodes[2].credentialId', message: 'is required' },
    ]);
  });

  test('is none, with the problems, if the model gives up correcting', async () => {
    const before = models.requests.length;
    models.sayInTurn(submit([asking({ url: 5 })]));
    const { definition, problems } = await proposalOf(await ask());
    expect(definition).toBeNull();
    expect(problems).toEqual([{ field: 'nodes[1].config.url', message: expect.any(String) }]);
    expect(models.requests.length - before).toBe(8);
  });

  test('ends at the budget of tokens', async () => {
    const before = models.requests.length;
    models.sayInTurn({ ...submit([asking({ url: 5 })]), usage: [300_000, 0] });
    expect((await proposalOf(await ask())).definition).toBeNull();
    expect(models.requests.length - before).toBe(2);
  });

  test('is an answer in words to a question', async () => {
    models.sayInTurn({ text: `It only starts. ${KEY}` });
    expect(await proposalOf(await ask({ instruction: 'What does it do?' }))).toMatchObject({
      definition: null,
      summary: 'It only starts. ••••••',
      problems: [],
    });
  });
});

describe('what the model is told', () => {
  test('are names and shapes of the own workspace, no secret, no value, and nothing of another workspace', async () => {
    const stranger = await buildUser();
    await createCredential(stranger, 'api_key', 'Foreign-credential');
    await buildWorkflow({ workspaceId: stranger.workspaceId });
    await call('POST', '/api/variables', { token: stranger.token, body: { name: 'FOREIGN_VARIABLE', value: 1 } });
    await call('POST', '/api/tables', { token: stranger.token, body: { name: 'Foreign-table', columns: [] } });
    const own = await createCredential(user, 'api_key', 'Own-credential');
    await call('POST', '/api/variables', { token: user.token, body: { name: 'OWN_VARIABLE', value: 'canary-value' } });
    const table = await call<{ id: string }>('POST', '/api/tables', {
      token: user.token,
      body: { name: 'Own-table', columns: [{ name: 'email', type: 'text' }] },
    });
    const definition = flow(
      {
        start: { type: 'start' },
        t: { type: 'transform', config: { fields: { made: 'canary-output', n: '{{ input.n }}' } } },
      },
      ['start>t'],
    );
    const ran = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const worker = await startWorker({ concurrency: 1 });
    await (
      await startRun({ workspaceId: user.workspaceId, workflowId: ran }, { n: 1, secret: 'canary-input' })
    ).finish();
    await worker.stop();
    const from = models.requests.length;
    models.sayInTurn({ text: 'Yes' });
    await proposalOf(await ask({}, { on: ran }));
    const sent = JSON.stringify(models.requests[from]!.body);
    const words = [
      own,
      'Own-credential',
      'OWN_VARIABLE',
      table.body.id,
      'Own-table',
      'email',
      'input of the run: {n: number, secret: text}',
    ];
    for (const word of [...words, '{made: text, n: number}']) expect(sent).toContain(word);
    expect(sent.replace('canary-output', '')).not.toMatch(/canary|foreign/i);
    expect(models.requests[from]!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('is limited to what the caller may see and use', async () => {
    const own = await createCredential(user, 'api_key', 'Hidden-credential');
    await call('POST', '/api/variables', { token: user.token, body: { name: 'HIDDEN_VARIABLE', value: 1 } });
    await call('POST', '/api/tables', { token: user.token, body: { name: 'Hidden-table', columns: [] } });
    const from = models.requests.length;
    const limited = await buildPermitted(user.workspaceId, [
      { resource: 'workflow', action: 'update', on: { type: 'workflow', id: workflowId } },
      { resource: 'credential', action: 'use', on: { type: 'credential', id: credentialId } },
    ]);
    const tables = await prismaClient().dataTable.findFirstOrThrow({
      where: { name: 'Hidden-table', workspaceId: user.workspaceId },
    });
    models.sayInTurn(
      submit([GOOD, { id: 'rows', type: 'table', config: { tableId: tables.id, operation: 'count' } }]),
      submit([GOOD]),
    );
    expect((await proposalOf(await ask({}, { as: limited }))).definition).not.toBeNull();
    expect(results().at(-1)).toContain('node "rows".config.tableId: may not be used by the user');
    const sent = JSON.stringify(models.requests.slice(from));
    expect(sent).toContain('Ask the shop');
    expect(sent).not.toMatch(new RegExp(`Hidden|HIDDEN_VARIABLE|${own}`));
  });
});

describe('triggers', () => {
  const submitTriggers = (triggers: object[]) => submit([GOOD], { triggers, exampleInput: { id: 1 } });
  const daily = { kind: 'schedule', settings: { cron: '0 7 * * *', timezone: 'Europe/Berlin' } };
  const hook = { kind: 'webhook', settings: { path: 'orders' } };

  test('are proposed as bodies of the operations that create them, and stored by those alone', async () => {
    const form = {
      kind: 'form',
      settings: {
        path: 'contact',
        title: 'Contact',
        fields: [{ name: 'mail', label: 'Mail', kind: 'email' }],
        access: 'public',
        response: { mode: 'message', message: 'Thanks' },
      },
    };
    models.sayInTurn(submitTriggers([daily, hook, form]));
    const { triggers, exampleInput, problems } = await proposalOf(await ask());
    expect(problems).toEqual([]);
    expect(exampleInput).toEqual({ id: 1 });
    expect(triggers).toMatchObject([{ ...daily, settings: { ...daily.settings, overlap: 'skip' } }, hook, form]);
    expect(await prismaClient().schedule.count({ where: { workflowId } })).toBe(0);
    for (const [index, word] of ['schedules', 'webhooks', 'forms'].entries()) {
      const body = triggers[index]!.settings;
      const made = await call('POST', `/api/workflows/${workflowId}/${word}`, { token: user.token, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }

    // The model is told of them, and may not take their paths.
    models.sayInTurn(submitTriggers([hook]), submitTriggers([]));
    expect((await proposalOf(await ask())).triggers).toEqual([]);
    expect(results().at(-1)).toContain('triggers[0].settings.path: is taken by another trigger of the workflow');
    expect(JSON.stringify(models.requests.at(-1)!.body)).toContain('schedule \\"0 7 * * *\\"');
  });

  test('with errors are told to the model, and never keep the workflow back', async () => {
    const wrong = [
      { kind: 'schedule', settings: { cron: 'at seven' } },
      { kind: 'mail', settings: {} },
      { kind: 'webhook', settings: { path: 'a', verification: { kind: 'signature', secret: 'of-the-model' } } },
      { kind: 'webhook', settings: { path: 'b', startNodeId: 'ask' } },
      {
        kind: 'poll',
        settings: { name: 'P', intervalMs: 60_000, node: { type: 'llm', config: {} }, items: 'a', key: 'b' },
      },
    ];
    models.sayInTurn(submitTriggers(wrong), submitTriggers([daily]));
    expect((await proposalOf(await ask())).triggers).toMatchObject([daily]);
    const told = results().at(-1);
    for (const field of [
      'triggers[0].settings.cron',
      'triggers[1].kind',
      'triggers[2].settings.verification: must not contain a secret',
      'triggers[3].settings.startNodeId',
      'triggers[4].settings.node.type',
    ])
      expect(told).toContain(field);

    models.say(() => submitTriggers([daily, wrong[0]!]));
    const stubborn = await proposalOf(await ask());
    expect(stubborn.definition!.nodes).toHaveLength(2);
    expect(stubborn.triggers).toMatchObject([daily]);
    expect(stubborn.problems.map(({ field }) => field)).toEqual(['triggers[1].settings.cron']);
  });

  test('without their account are left to the person; those of before stay until the model replaces them', async () => {
    const event = {
      kind: 'webhook',
      settings: { subscription: { connectorId: 'github', event: 'push', parameters: {}, credentialId: 'missing' } },
    };
    models.sayInTurn(submitTriggers([event]));
    const lacking = await proposalOf(await ask());
    expect(lacking.triggers).toEqual([]);
    expect(lacking.problems).toMatchObject([
      { field: 'triggers[0]', message: expect.stringMatching(/needs an account/) },
    ]);

    models.sayInTurn(submit([GOOD]));
    expect((await proposalOf(await ask({ triggers: [daily] }))).triggers).toMatchObject([daily]);
    expect(JSON.stringify(models.requests.at(-1)!.body)).toContain('Triggers that you proposed before');
  });

  test('events of services are found and described', async () => {
    models.sayInTurn(
      {
        calls: [
          { name: 'search_nodes', arguments: { query: 'github event issues' } },
          { name: 'describe_operation', arguments: { connectorId: 'github', operation: 'issues' } },
        ],
      },
      submit([GOOD]),
    );
    await proposalOf(await ask());
    const [found, described] = results();
    expect(found).toContain('event issues of connector github, a trigger');
    expect(described).toContain('"subscription": {"connectorId": "github", "event": "issues"');
  });
});

describe('a call is refused', () => {
  test('without the permission to change the workflow or to use the credential, before the model is asked', async () => {
    const before = models.requests.length;
    const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    expect(await refusalOf(await ask({}, { as: viewer }))).toMatchObject({ status: 403 });
    const editor = await buildPermitted(user.workspaceId, [
      { resource: 'workflow', action: '*' },
      { resource: 'credential', action: 'read' },
    ]);
    expect(await refusalOf(await ask({}, { as: editor }))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(models.requests).toHaveLength(before);
  });

  test('with a credential of another workspace or another type, and with a definition that is too large', async () => {
    const before = models.requests.length;
    const foreign = await createCredential(await buildUser());
    expect(await refusalOf(await ask({ credentialId: foreign }))).toMatchObject({ status: 404 });
    const other = await createCredential(user, 'api_key');
    expect(await refusalOf(await ask({ credentialId: other }))).toMatchObject({
      status: 400,
      fields: ['credentialId'],
    });
    const large = flow(
      { start: { type: 'start' }, t: { type: 'transform', config: { expression: `"${'x'.repeat(200_000)}"` } } },
      [],
    );
    expect(await refusalOf(await ask({ definition: large }))).toMatchObject({ status: 400, fields: ['definition'] });
    expect(models.requests).toHaveLength(before);
  });

  test('while two proposals of the workspace are under way; others are not affected', async () => {
    const door = gate();
    models.say(async () => (await door.opened, submit([GOOD])));
    const [one, two] = [await ask(), await ask()];
    const third = await ask();
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '15']);
    const neighbour = await buildUser();
    const theirs = await ask(
      { credentialId: await createCredential(neighbour) },
      { as: neighbour, on: await buildWorkflow({ workspaceId: neighbour.workspaceId }) },
    );
    door.open();
    for (const answer of [one, two, theirs]) expect((await proposalOf(answer)).definition).not.toBeNull();
    expect((await proposalOf(await ask())).definition).not.toBeNull();
  });
});

describe('a failure', () => {
  test.each([
    [
      { status: 401, error: `wrong key ${KEY}` },
      'CREDENTIAL_REFUSED',
      'The model server does not accept the key: wrong key ••••••',
    ],
    [{ status: 404, error: 'no such model' }, 'HTTP_STATUS', 'The model server answered 404: no such model'],
  ] as [Reply, string, string][])('of the provider is told in words: %j', async (reply, code, message) => {
    models.sayInTurn(reply);
    expect((await eventsOf(await ask())).at(-1)).toEqual({ event: 'error', data: { code, message } });
    expect(getRuntime().proposals?.get(user.workspaceId)).toBeUndefined();
  });

  test('of the client ends the call of the model, and makes room', async () => {
    const [asked, door] = [gate(), gate()];
    models.say(async () => (asked.open(), await door.opened, submit([GOOD])));
    const client = new AbortController();
    const answer = await ask({}, { signal: client.signal });
    const read = answer.text().catch(() => 'gone');
    await asked.opened;
    const requests = models.requests.length;
    client.abort();
    await until(async () => getRuntime().proposals?.get(user.workspaceId) === undefined, 'the end of the proposal');
    door.open();
    expect(await read).not.toContain('event: proposal');
    expect(models.requests).toHaveLength(requests);
  });
});

test('an idempotency key does not store a stream: each call is made anew', async () => {
  models.sayInTurn(submit([GOOD]));
  const headers = { 'idempotency-key': unique('key') };
  for (const _ of [1, 2]) expect((await proposalOf(await ask({}, { headers }))).definition).not.toBeNull();
});

describe('what a model names', () => {
  const CHANNELS = [
    { id: 'C1', name: 'general' },
    { id: 'C2', name: 'random' },
    { id: 'C3', name: 'twice' },
    { id: 'C4', name: 'twice' },
  ];
  const LATER = [{ id: 'C250', name: 'much-later' }];
  let slack: { url: string; close(): Promise<void> };
  let seen: string[] = [];
  let isSilent = false;
  let left = 0;

  beforeAll(async () => {
    slack = await listenOn((request, response) => {
      seen.push(request.headers.authorization ?? '');
      if (isSilent) {
        response.once('close', () => (left += 1));
        return;
      }
      const isLater = new URL(request.url ?? '', 'http://slack').searchParams.get('cursor') === 'later';
      const next = { next_cursor: isLater ? '' : 'later' };
      const body = { ok: true, channels: isLater ? LATER : CHANNELS, response_metadata: next };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
  });
  beforeEach(() => {
    seen = [];
    isSilent = false;
    const app = { clientId: 'app', clientSecret: 'canary-app' };
    getRuntime().env.connectors = { slack: { ...app, apiUrl: slack.url, tokenUrl: `${slack.url}/token` } };
  });
  afterAll(async () => {
    getRuntime().env.connectors = {};
    await slack.close();
  });

  const connectSlack = async (owner: TestUser): Promise<string> => {
    const body = { name: unique('slack'), type: 'oauth2', connectorId: 'slack', config: { accessToken: 'canary-at' } };
    const made = await call<{ id: string }>('POST', '/api/credentials', { token: owner.token, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  };
  const posting = (channel: string, more: object = {}) => ({
    id: 'ask',
    type: 'connector',
    name: 'Tell',
    config: { connectorId: 'slack', operation: 'messages.post', parameters: { channel, text: 'Hello' } },
    ...more,
  });
  const proposed = async (channel: string, more: object = {}) => {
    const reply = submit([posting(channel, more)]);
    models.sayInTurn(reply, reply);
    const { definition, problems } = await proposalOf(await ask());
    const node = definition?.nodes.find(({ id }) => id === 'ask');
    return { node, problems, parameters: node?.config['parameters'] as Record<string, unknown> };
  };

  test('is found in the only account, and keeps its name as a label', async () => {
    const account = await connectSlack(user);
    for (const [written, id, name] of [
      ['#General', 'C1', 'general'],
      ['C1', 'C1', 'general'],
      ['Much-later', 'C250', 'much-later'],
    ] as const) {
      const { node, parameters, problems } = await proposed(written);
      expect(parameters['channel'], written).toBe(id);
      expect(node).toMatchObject({ credentialId: account, labels: { 'parameters.channel': name } });
      expect(problems).toEqual([]);
    }
    expect(new Set(seen)).toEqual(new Set(['Bearer canary-at']));
  });

  test.each(['C99', 'twice', 'sales'])(
    'and is not there, or not the only one, is left to the person: %s',
    async (name) => {
      await connectSlack(user);
      const { parameters, problems } = await proposed(name);
      expect(parameters).toEqual({ text: 'Hello' });
      expect(problems).toEqual([
        { field: 'nodes[1].config.parameters.channel', message: expect.stringContaining(`“${name}”`) },
      ]);
    },
  );

  test('is not looked up without an account, or with that of another service', async () => {
    const { parameters, problems } = await proposed('general');
    expect(parameters).toEqual({ text: 'Hello' });
    expect(problems.map(({ field }) => field)).toContain('nodes[1].config.parameters.channel');
    const other = await createCredential(user, 'api_key');
    expect((await proposed('general', { credentialId: other })).parameters).toEqual({ text: 'Hello' });
    expect(seen).toEqual([]);
  });

  test('is found in the poll that starts the workflow; one that is not in the list is left to the person', async () => {
    await connectSlack(user);
    const poll = (channel: string) => ({
      kind: 'poll',
      settings: {
        name: 'Messages',
        node: {
          type: 'connector',
          config: { connectorId: 'slack', operation: 'channels.history', parameters: { channel } },
          credentialId: 'missing',
        },
        items: 'input.body.messages',
        key: 'item.ts',
        intervalMs: 300_000,
      },
    });
    const reply = submit([GOOD], { triggers: [poll('much-later'), poll('sales')] });
    models.sayInTurn(reply, reply);
    const { triggers, problems } = await proposalOf(await ask());
    expect(triggers).toMatchObject([
      {
        settings: {
          node: { config: { parameters: { channel: 'C250' } }, labels: { 'parameters.channel': 'much-later' } },
        },
      },
    ]);
    expect(problems).toEqual([
      {
        field: 'triggers[1].settings.node.config.parameters.channel',
        message: 'needs a choice for “sales”: the account has none of this name',
      },
      { field: 'triggers[1]', message: expect.stringContaining('add it under Triggers') },
    ]);
    // Both names, and every reply, were answered by one reading of the list.
    expect(seen).toHaveLength(2);
  });

  test('ends with the caller, while the service is silent', async () => {
    await connectSlack(user);
    isSilent = true;
    models.sayInTurn(submit([posting('general')]));
    const gone = new AbortController();
    const text = (await ask({}, { signal: gone.signal })).text();
    await expect.poll(() => seen.length).toBe(1);
    gone.abort();
    await expect.poll(() => left).toBe(1);
    await expect(text).resolves.not.toContain('event: proposal');
  });

  test('and computes stays as it is', async () => {
    await connectSlack(user);
    expect((await proposed('{{ input.channel }}')).parameters['channel']).toBe('{{ input.channel }}');
    expect(seen).toEqual([]);
  });
});
