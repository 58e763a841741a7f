import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionResponse, NodeResult } from '@/contract/execution';
import type { LlmProvider } from '@/contract/llm';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { requestCancellation, recordDecision } from '@/server/engine/queue/requests';
import { readExecutionReport } from '@/server/engine/report/report';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { ModelCatalogueSchema } from '@/server/network/models/catalogue';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import {
  buildCredential,
  buildUser,
  buildWorkflow,
  call,
  unique,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { buildPermitted, permit } from '@/server/testing/permitted';
import { listenOn, textOf } from '@/server/testing/listen';
import type { Reply } from '@/server/testing/servers/model-reply';
import { startModels, type Models } from '@/server/testing/servers/models';
import { gate, startRun, until } from '@/server/testing/runs';

useDatabase();

const KEY = 'sk-canary-4711-key-of-an-agent';

let worker: EngineWorker;
let models: Models;
let api: Awaited<ReturnType<typeof listenOn>>;
let user: TestUser;
let credentialId: string;
/** Calls of the API that the tools reach. */
const reached: { method: string; path: string; body: string }[] = [];

beforeAll(async () => {
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 20, kinds, graceMs: 200 });
  models = await startModels();
  api = await listenOn(async (request, response) => {
    const { method = '', url: address = '' } = request;
    reached.push({ method, path: address, body: await textOf(request) });
    if (address.startsWith('/redirect')) return response.writeHead(302, { location: 'http://localhost:1/evil' }).end();
    if (address.startsWith('/broken')) return response.writeHead(500).end('out of order');
    if (address.startsWith('/long')) return response.end('x'.repeat(200_000));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: address, key: KEY }));
  });
});
beforeEach(async () => {
  user = await buildUser();
  credentialId = await credentialOf();
  reached.length = 0;
});
afterAll(async () => {
  await worker.stop();
  await models.close();
  await api.close();
});

const credentialOf = (owner = user, provider: LlmProvider = 'openai_compatible') =>
  buildCredential(owner, 'llm', { provider, apiKey: KEY, baseUrl: `${models.url}/v1` });

const lookUp = (more: object = {}) => ({
  name: 'look_up',
  description: 'Looks up an order.',
  type: 'http_request',
  config: { url: `${api.url}/orders/{{ input.id }}` },
  ...more,
});

const definitionOf = (config: object, node: Partial<WorkflowNode> = {}): WorkflowDefinition =>
  flow(
    { in: { type: 'start' }, agent: { credentialId, ...node, type: 'agent', config: { model: 'model-a', ...config } } },
    ['in>agent'],
  );

async function start(definition: WorkflowDefinition, input: object = {}, owner = user) {
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  return startRun({ workspaceId: owner.workspaceId, workflowId }, input);
}

const run = async (config: object, input: object = { text: 'Where is order 7?' }, node: Partial<WorkflowNode> = {}) =>
  (await start(definitionOf(config, node), input)).finish();

const resultsOf = ({ nodeResults }: ExecutionResponse) => new Map(nodeResults.map((result) => [result.nodeId, result]));
const idsOf = ({ nodeResults }: ExecutionResponse) => nodeResults.map(({ nodeId }) => nodeId);
const calling = (...calls: [string, unknown][]): Reply => ({
  calls: calls.map(([name, given]) => ({ name, arguments: given })),
});
/** The messages of a request, by role. */
const sent = (index: number) =>
  (models.requests.at(index)?.body['messages'] ?? []) as { role: string; content: string; tool_call_id?: string }[];
const save = (definition: WorkflowDefinition, owner = user, status = 'draft') =>
  call<Refused>('POST', '/api/workflows', { token: owner.token, body: { name: unique('w'), status, definition } });

describe('an agent', () => {
  it.each([
    ['small', ''],
    ['large', 'x'.repeat(80_000)],
  ])('runs for each of %s items, with steps and tools of each', async (_, text) => {
    models.sayInTurn(calling(['look_up', { id: '7' }]), { text: 'one' }, { text: 'two' });
    const config = { tools: [lookUp()], instructions: 'Look up order {{ item.id }}, of {{ $count(items) }}.' };
    const execution = await run(
      config,
      {
        orders: [
          { id: 7, text },
          { id: 8, text },
        ],
      },
      { each: { items: 'input.orders' } },
    );
    expect(execution.error).toBeNull();
    expect(execution.output).toMatchObject([
      { text: 'one', steps: 2 },
      { text: 'two', steps: 1 },
    ]);
    expect(idsOf(execution)).toEqual(
      expect.arrayContaining(['agent', 'agent[0]', 'agent[0][0].look_up', 'agent[1][0].model']),
    );
    const told = models.requests
      .slice(-3)
      .flatMap(({ body }) => (body['messages'] as { content: string }[])[0]?.content);
    expect(told).toEqual(['Look up order 7, of 2.', 'Look up order 7, of 2.', 'Look up order 8, of 2.']);
    expect(reached.map(({ path: address }) => address)).toEqual(['/orders/7']);
  });

  async function expectRefusedCalls(count: number, code: string, message: string): Promise<void> {
    models.sayInTurn(calling(...Array.from({ length: count }, (): [string, unknown] => ['look_up', { id: '7' }])));
    const { error } = await run({ tools: [lookUp()] }, {}, { retry: { maxAttempts: 1, backoffMs: 100 } });
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(reached).toEqual([]);
  }

  it('whose model asks for 20,000 calls at once fails with a clear code', () =>
    expectRefusedCalls(20_000, 'MODEL_ANSWER', 'more than 1000 parts'));
  it('whose model asks for 900 calls at once fails with a clear code', { tags: 'long' }, () =>
    expectRefusedCalls(900, 'TOO_MANY_CALLS', 'asked for 900 calls'),
  );

  it('calls tools until the model has an answer; each call is a step with a result of its own', async () => {
    models.sayInTurn(calling(['look_up', { id: '7' }], ['look_up', { id: '8' }]), {
      text: 'On its way',
      usage: [20, 4],
    });
    const execution = await run({ instructions: 'Help.', input: '{{ input.text }}', tools: [lookUp()] });
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual({
      text: 'On its way',
      steps: 2,
      usage: { inputTokens: 30, outputTokens: 9 },
      finishReason: 'stop',
    });
    expect(idsOf(execution)).toEqual([
      'in',
      'agent',
      'agent[0].look_up',
      'agent[0].look_up#2',
      'agent[0].model',
      'agent[0].start',
      'agent[1].model',
    ]);
    const results = resultsOf(execution);
    expect(results.get('agent[0].look_up')).toMatchObject({
      status: 'completed',
      input: { id: '7' },
      output: { status: 200, body: { path: '/orders/7' } },
    });
    expect(results.get('agent[0].look_up#2')).toMatchObject({ input: { id: '8' } });
    expect(results.get('agent[0].model')).toMatchObject({
      input: { messages: [{ role: 'user', content: 'Where is order 7?' }] },
      output: { calls: [{ name: 'look_up', arguments: { id: '7' } }, { node: 'look_up#2' }] },
    });
    expect(results.get('agent[1].model')).toMatchObject({
      input: { messages: [{ role: 'tool', name: 'look_up' }, { role: 'tool' }] },
    });
    expect(sent(-1).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(sent(-1)[3]?.content).toContain('/orders/7');
    expect(models.requests.at(-1)?.body['tools']).toMatchObject([
      {
        function: {
          name: 'look_up',
          description: 'Looks up an order.',
          parameters: { properties: { id: { type: 'string' } }, required: ['id'] },
        },
      },
    ]);
    // Secrets stay masked in all that is stored and sent on.
    expect(JSON.stringify(execution)).not.toContain(KEY);
    expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain(KEY);
    const logs = await call<{ logs: { nodeId?: string; nodeName?: string }[] }>(
      'GET',
      `/api/executions/${execution.id}/logs`,
      { token: user.token },
    );
    const names = new Map(logs.body.logs.map(({ nodeId, nodeName }) => [nodeId, nodeName]));
    expect(names.get('agent[0].look_up#2')).toBe('look_up');
    expect(names.get('agent[1].model')).toBe('Model');
  });

  it.each(['', 'call_0'])('gives each call its own result if all have the id %j', async (id) => {
    const asked = (order: string) => ({ name: 'look_up', arguments: { id: order }, id });
    models.sayInTurn({ calls: [asked('7'), asked('8')] }, { text: 'Both are there' });
    const execution = await run({ input: 'Hi', tools: [lookUp()] });
    expect(execution.output).toMatchObject({ text: 'Both are there' });
    const told = sent(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => /orders\/\d/.exec(content)?.[0])).toEqual(['orders/7', 'orders/8']);
    expect(new Set(told.map((message) => message.tool_call_id)).size).toBe(2);
  });

  it('finds the object that a model gives in words, and keeps what it thinks aloud apart', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    models.say(() => ({ text: '<think>hmm {"x":1}</think>\nSure! {"a":1,}' }));
    const execution = await run({ input: 'Hi', outputSchema });
    expect(execution.output).toMatchObject({ object: { a: 1 }, reasoning: 'hmm {"x":1}', steps: 1 });
  });

  it.each(['openai', 'anthropic', 'google', 'ollama'] as const)(
    'holds a conversation with tools by %s',
    async (provider) => {
      credentialId = await credentialOf(user, provider);
      models.sayInTurn({ text: 'Let me see', ...calling(['look_up', { id: '7' }]) }, { text: 'Done' });
      const execution = await run({ input: 'Hi', tools: [lookUp()] });
      expect(execution.output).toMatchObject({ text: 'Done', steps: 2 });
      const body = JSON.stringify(models.requests.at(-1)?.body);
      expect(body).toContain('Let me see');
      expect(body).toContain('/orders/7');
    },
  );

  it('gives the model the failures of tools, arguments that do not fit, and names that do not exist', async () => {
    const tools = [
      lookUp({ name: 'broken', config: { url: `${api.url}/broken/{{ input.id }}` } }),
      lookUp({ inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } }),
    ];
    models.sayInTurn(
      calling(['broken', { id: '1' }], ['look_up', { id: 'seven' }], ['look_up', 'no json'], ['unknown', {}]),
      { text: 'Sorry' },
    );
    const execution = await run({ tools });
    expect(execution.output).toMatchObject({ text: 'Sorry' });
    const told = sent(-1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(told[0]).toContain('HTTP_STATUS: GET');
    expect(told[0]).toContain('out of order');
    expect(told[1]).toBe('The arguments do not match the schema: id must be integer.');
    expect(told[2]).toBe('The arguments are not JSON.');
    expect(told[3]).toBe('There is no tool "unknown".');
    const results = resultsOf(execution);
    expect(results.get('agent[0].broken')).toMatchObject({ status: 'failed', port: 'error' });
    expect(results.has('agent[0].look_up')).toBe(false);
  });

  it('cuts long results', async () => {
    const tools = [lookUp({ config: { url: `${api.url}/long?q={{ input.q }}` } })];
    models.sayInTurn(calling(['look_up', { q: 'a' }]), { text: 'Long' });
    const execution = await run({ tools });
    expect(execution.output).toMatchObject({ text: 'Long' });
    const [told] = sent(-1).filter(({ role }) => role === 'tool');
    expect(told?.content.length).toBeLessThan(70_000);
    expect(told?.content).toContain('more characters)');
  });

  it('stops at its steps, and at its budgets', async () => {
    models.say(() => ({ ...calling(['look_up', { id: '1' }]), usage: [100, 10] }));
    const config = { tools: [lookUp()] };
    const before = models.requests.length;
    const steps = await run({ ...config, maxSteps: 3 });
    expect(steps.error).toMatchObject({ code: 'MAX_STEPS', nodeId: 'agent' });
    expect(models.requests.length - before).toBe(3);
    const tokens = await run({ ...config, budget: { tokens: 200 } });
    expect(tokens.error).toMatchObject({ code: 'BUDGET', message: 'The agent has used 220 of 200 tokens.' });
    const unpriced = await run({ ...config, budget: { costUsd: 1 } });
    expect(unpriced.error).toMatchObject({ code: 'BUDGET', nodeId: 'agent[0].model' });
    credentialId = await credentialOf(user, 'openai');
    const dollars = await run({ ...config, model: 'gpt-4o', budget: { costUsd: 0.0005 } });
    expect(dollars.error).toMatchObject({ code: 'BUDGET', message: 'The agent has used $0.0007 of $0.0005.' });
  });

  it('answers with an object, by a tool or in words', async () => {
    const outputSchema = { type: 'object', properties: { mood: { enum: ['good', 'bad'] } }, required: ['mood'] };
    models.sayInTurn({ text: 'Hm' }, calling(['answer', { mood: 'odd' }]), calling(['answer', { mood: 'good' }]));
    const execution = await run({ outputSchema });
    expect(execution.output).toMatchObject({ object: { mood: 'good' }, steps: 3 });
    expect(JSON.stringify(sent(-1))).toContain('This is not the answer yet');
    models.say(() => ({ text: '{"mood": "bad"}' }));
    expect((await run({ outputSchema })).output).toMatchObject({ object: { mood: 'bad' }, steps: 1 });
  });

  it('remembers what was said under a key, as node remember reads it', async () => {
    const config = { input: '{{ input.text }}', memory: { key: '{{ input.user }}', window: 3 } };
    const definition = definitionOf(config);
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
    const say = async (text: string, who: string) => {
      models.say(() => ({ text: `Re: ${text}` }));
      const { output, error } = await (
        await startRun({ workspaceId: user.workspaceId, workflowId }, { text, user: who })
      ).finish();
      expect(error).toBeNull();
      expect(output).toMatchObject({ text: `Re: ${text}` });
      return sent(-1).map(({ content }) => content);
    };
    expect(await say('one', 'ada')).toEqual(['one']);
    expect(await say('two', 'ada')).toEqual(['one', 'Re: one', 'two']);
    expect(await say('three', 'ada')).toEqual(['Re: one', 'two', 'Re: two', 'three']);
    expect(await say('one', 'bob')).toEqual(['one']);
    // The same workflow in another workspace remembers nothing of it.
    const other = await buildUser();
    const own = {
      ...definition,
      nodes: definition.nodes.map((node) => (node.id === 'agent' ? { ...node, credentialId: '' } : node)),
    };
    own.nodes[1] = { ...own.nodes[1]!, credentialId: await credentialOf(other) };
    await (await start(own, { text: 'one', user: 'ada' }, other)).finish();
    expect(sent(-1).map(({ content }) => content)).toEqual(['one']);
  });

  it('is cancelled during a call of the model', async () => {
    const { opened, open } = gate();
    models.say(async () => {
      await opened;
      return { text: 'too late' };
    });
    const before = models.requests.length;
    const started = await start(definitionOf({ input: 'Hi' }));
    await until(async () => models.requests.length > before, 'the call');
    await requestCancellation(prismaClient(), [started.executionId]);
    const execution = await started.finish();
    expect(execution.error?.code).toBe('CANCELLED');
    expect(resultsOf(execution).get('agent[0].model')).toMatchObject({ status: 'failed' });
    open();
  });

  it('retries a call of the model that was refused for now, and gives up on others', async () => {
    models.sayInTurn({ status: 503, error: 'busy' }, { text: 'Now' });
    const retried = await run({ input: 'Hi' }, {}, { retry: { maxAttempts: 2, backoffMs: 0 } });
    expect(retried.output).toMatchObject({ text: 'Now' });
    expect(resultsOf(retried).get('agent[0].model')?.attempts).toBe(2);
    models.say(() => ({ status: 400, error: 'no such model' }));
    const failed = await run({ input: 'Hi' });
    expect(failed.error).toMatchObject({ code: 'HTTP_STATUS', nodeId: 'agent[0].model' });
    const caught = flow(
      {
        in: { type: 'start' },
        agent: { type: 'agent', credentialId, config: { model: 'm' } },
        sorry: { type: 'transform', config: { expression: 'input.code' } },
      },
      ['in>agent', 'agent:error>sorry'],
    );
    expect((await (await start(caught)).finish()).output).toBe('HTTP_STATUS');
  });

  it('works inside a loop', async () => {
    models.say(({ body }) =>
      JSON.stringify(body).includes('"tool"')
        ? { text: 'ok' }
        : calling(['look_up', { id: String(models.requests.length) }]),
    );
    const agent = { type: 'agent', credentialId, config: { model: 'm', input: '{{ input.item }}', tools: [lookUp()] } };
    const body = flow({ in: { type: 'start' }, agent }, ['in>agent']);
    const loop = { type: 'for_each', config: { items: '["a", "b", "c"]', concurrency: 2, body } };
    const execution = await (await start(flow({ in: { type: 'start' }, loop }, ['in>loop']))).finish();
    expect(execution.output).toMatchObject([{ text: 'ok' }, { text: 'ok' }, { text: 'ok' }]);
    expect(idsOf(execution).filter((id) => /^loop\[\d\]\.agent\[0\]\.look_up$/.test(id))).toHaveLength(3);
  });
});

describe('a tool', () => {
  it('may be a workflow, called by its input schema', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const child = flow(
      {
        in: { type: 'start', config: { inputSchema: schema } },
        sum: { type: 'transform', config: { expression: 'input.a * 2' } },
      },
      ['in>sum'],
    );
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: child });
    models.sayInTurn(calling(['double', { a: 21 }], ['double', { a: 'x' }]), { text: 'Done' });
    const execution = await run({ tools: [{ name: 'double', type: 'sub_workflow', config: { workflowId } }] });
    expect(execution.output).toMatchObject({ text: 'Done' });
    expect(models.requests.at(-1)?.body['tools']).toMatchObject([{ function: { parameters: schema } }]);
    const [doubled, refused] = sent(-1).filter(({ role }) => role === 'tool');
    expect(doubled?.content).toBe('42');
    expect(refused?.content).toContain('a must be number');
    expect(resultsOf(execution).get('agent[0].double')).toMatchObject({ output: 42 });
  });

  it('may be a table, whose rows the model finds and changes within what its author allows', async () => {
    const table = await call<{ id: string }>('POST', '/api/tables', {
      token: user.token,
      body: {
        name: unique('orders'),
        columns: [
          { name: 'who', type: 'text' },
          { name: 'total', type: 'number' },
        ],
      },
    });
    const tableId = table.body.id;
    await call('POST', `/api/tables/${tableId}/rows`, {
      token: user.token,
      body: {
        rows: [
          { who: 'ada', total: 1 },
          { who: 'bob', total: 2 },
          { who: 'ada', total: 3 },
        ],
      },
    });
    const filter = { column: 'who', operator: 'eq', value: 'ada' };
    const tools = [
      { name: 'find', type: 'table', config: { tableId, operation: 'find', filter } },
      { name: 'add', type: 'table', config: { tableId, operation: 'insert' } },
      { name: 'remove', type: 'table', config: { tableId, operation: 'delete' } },
    ];
    models.sayInTurn(
      calling(
        ['find', { filter: { column: 'total', operator: 'gt', value: 1 } }],
        ['find', { filter: { column: 'who', operator: 'eq', value: 'bob' } }],
        ['add', { row: { who: 'eve', total: 9 } }],
        ['add', { row: { nobody: 1 } }],
        ['remove', {}],
        ['remove', { all: true }],
      ),
      { text: 'Done' },
    );
    const execution = await run({ tools });
    expect(execution.output).toMatchObject({ text: 'Done' });
    const results = resultsOf(execution);
    expect(results.get('agent[0].find')?.output).toMatchObject([{ who: 'ada', total: 3 }]);
    expect(results.get('agent[0].find#2')?.output).toEqual([]);
    expect(results.get('agent[0].add')?.output).toMatchObject({ who: 'eve' });
    const told = sent(-1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(told[3]).toContain('nobody is not a known field');
    expect(told[4]).toContain('filter is required');
    expect(told[5]).toContain('do not match the schema');
  });

  it('keeps its host: the model changes the rest of the address only', async () => {
    const tools = [
      lookUp(),
      lookUp({ name: 'page', config: { url: `${api.url}/pages/{{ input.path }}` } }),
      lookUp({ name: 'follow', config: { url: `${api.url}/redirect?to={{ input.to }}` } }),
    ];
    models.sayInTurn(
      calling(
        ['look_up', { id: '../admin' }],
        ['page', { path: '/../../x' }],
        ['look_up', { id: '@evil.example/' }],
        ['follow', { to: 'x' }],
      ),
      { text: 'Done' },
    );
    const execution = await run({ tools });
    const results = resultsOf(execution);
    expect(results.get('agent[0].look_up')?.error?.code).toBe('TOOL_HOST');
    expect(results.get('agent[0].page')?.error?.code).toBe('TOOL_HOST');
    expect(reached.map(({ path }) => path).toSorted()).toEqual(['/orders/@evil.example/', '/redirect?to=x']);
    expect(results.get('agent[0].follow')?.output).toMatchObject({ status: 302 });
    for (const url of ['https://{{ input.host }}/x', 'https://api.example.com{{ input.path }}', '{{ input.url }}']) {
      const saved = await save(definitionOf({ tools: [lookUp({ config: { url } })] }));
      expect(
        saved.body.error.details.map(({ field }) => field),
        url,
      ).toEqual(['nodes[1].config.tools[0].config.url']);
    }
  });

  it('fails the run if its credential or permission is missing', async () => {
    const gone = lookUp({ credentialId: 'cred_gone' });
    models.sayInTurn(calling(['look_up', { id: '7' }]), { text: 'Done' });
    const execution = await run({ tools: [gone] });
    expect(execution.error).toMatchObject({ code: 'CREDENTIAL_MISSING', nodeId: 'agent[0].look_up' });
  });

  it('is checked when a workflow is saved and published, like a node', async () => {
    const bad = [
      { name: 'a b', type: 'http_request', config: {} },
      { name: 'x', type: 'approval', config: {} },
      lookUp({ name: 'y', config: { url: `${api.url}/{{ input. }}` } }),
      lookUp({ name: 'z', config: { odd: 1 } }),
      lookUp({ name: 'z' }),
      lookUp({ name: 'w', inputSchema: { type: 'array' } }),
      lookUp({ name: 'v', inputSchema: { type: 'object', properties: { p: { pattern: '(' } } } }),
    ];
    const saved = await save(definitionOf({ tools: bad, approvals: { nothing: 'always', y: 'arguments.(' } }));
    const fields = saved.body.error.details.map(({ field }) => field.replace('nodes[1].config.', ''));
    expect(fields.toSorted()).toEqual([
      'approvals.nothing',
      'approvals.y',
      'tools[0].name',
      'tools[1].type',
      'tools[2].config.url',
      'tools[3].config.odd',
      'tools[4].name',
      'tools[5].inputSchema',
      'tools[6].inputSchema',
    ]);
    const gaps = await save(
      definitionOf({ tools: [lookUp({ config: {} }), { name: 'c', type: 'connector', config: {} }] }),
      user,
      'active',
    );
    expect(gaps.body.error.details.map(({ field }) => field.replace('nodes[1].config.', '')).toSorted()).toEqual([
      'tools[0].config.url',
      'tools[1].config.connectorId',
      'tools[1].config.operation',
      'tools[1].credentialId',
    ]);
  });
});

it('does what docs/build/ai.md shows', async () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../../docs/build/ai.md'), 'utf8');
  const blocks = [...docs.matchAll(/^```json\n([^]*?)\n```/gm)].map(([, text = '']) =>
    text.replaceAll('https://shop.example.com', api.url).replaceAll('cred_of_your_provider', credentialId),
  );
  const [classify, support, prices] = blocks.map((text) => JSON.parse(text) as WorkflowNode & { models?: object[] });
  const whole = (node: WorkflowNode) => flow({ in: { type: 'start' }, [node.id]: node }, [`in>${node.id}`]);
  models.say(() => ({ text: '{"topic": "order", "isUrgent": false}' }));
  const classified = await (await start(whole(classify!), { subject: 'Hello', text: 'Where is it?' })).finish();
  expect(classified.output).toMatchObject({ object: { topic: 'order' }, usage: { inputTokens: 10 } });
  models.sayInTurn(calling(['look_up_order', { number: '7' }], ['refund', { number: '7', amount: 60 }]), {
    text: 'Paid back',
  });
  const started = await start(whole(support!), { question: 'Money back?' });
  await started.reach('paused');
  const approval = { executionId: started.executionId, nodeId: 'support[0].refund.approval' };
  const decision = { decision: 'approved' as const, comment: null, decidedBy: 'ada', workspaceId: user.workspaceId };
  expect(await recordDecision(prismaClient(), { ...approval, ...decision })).toBe('decided');
  expect((await started.finish()).output).toMatchObject({ text: 'Paid back', steps: 2 });
  expect(reached.at(-1)).toEqual({ method: 'POST', path: '/refunds', body: '{"order":"7","amount":60}' });
  expect(ModelCatalogueSchema.safeParse(prices).error).toBeUndefined();
});

const results = (execution: ExecutionResponse, status: NodeResult['status']) =>
  execution.nodeResults.filter((result) => result.status === status).map(({ nodeId }) => nodeId);

describe('an approval of a tool call', () => {
  const refund = () =>
    lookUp({
      name: 'refund',
      config: { url: `${api.url}/refund`, method: 'POST', body: { amount: '{{ input.amount }}' } },
      inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    });
  const config = () => ({ tools: [refund(), lookUp()], approvals: { refund: 'arguments.amount > 100' } });
  const decideAt = (
    executionId: string,
    nodeId: string,
    decision: 'approved' | 'rejected',
    comment: string | null = null,
  ) =>
    recordDecision(prismaClient(), {
      workspaceId: user.workspaceId,
      executionId,
      nodeId,
      decision,
      comment,
      decidedBy: 'ada',
    });

  it('pauses the run, which holds nothing, until a person decides', async () => {
    models.sayInTurn(
      calling(
        ['refund', { amount: 500 }],
        ['refund', { amount: 5 }],
        ['look_up', { id: '1' }],
        ['refund', { amount: 700 }],
      ),
      { text: 'Done' },
    );
    const started = await start(definitionOf(config()));
    const paused = await started.reach('paused');
    expect(results(paused, 'paused')).toEqual(['agent[0].refund.approval', 'agent[0].refund#3.approval']);
    expect(resultsOf(paused).get('agent[0].refund.approval')).toMatchObject({
      asked: { message: expect.stringContaining('"amount": 500') },
    });
    expect(reached.map(({ body }) => body).filter(Boolean)).toEqual(['{"amount":5}']);
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: started.executionId } });
    expect(row.workerId).toBeNull();
    // Another worker goes on where this one stopped.
    await worker.stop();
    worker = await startWorker({
      concurrency: 20,
      kinds: new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind])),
      graceMs: 200,
    });
    expect(await decideAt(started.executionId, 'agent[0].refund.approval', 'approved')).toBe('decided');
    expect(await decideAt(started.executionId, 'agent[0].refund#3.approval', 'rejected', 'Too much')).toBe('decided');
    expect(await decideAt(started.executionId, 'agent[0].nothing.approval', 'approved')).toBe('unknown-node');
    const execution = await started.finish();
    expect(execution.output).toMatchObject({ text: 'Done', steps: 2 });
    expect(reached.map(({ body }) => body).filter(Boolean)).toEqual(['{"amount":5}', '{"amount":500}']);
    const told = sent(-1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(told[3]).toBe('A person rejected this call: Too much');
  });

  it('is not replaced by what the model says', async () => {
    models.sayInTurn(calling(['refund', { amount: 500, approved: true, needsApproval: false }]), { text: 'Done' });
    const started = await start(definitionOf(config()));
    expect(results(await started.reach('paused'), 'paused')).toEqual(['agent[0].refund.approval']);
    expect(reached).toEqual([]);
    await requestCancellation(prismaClient(), [started.executionId]);
    expect((await started.finish()).error?.code).toBe('CANCELLED');
  });

  it('stops the run where its expression is neither true nor false', async () => {
    models.sayInTurn(calling(['refund', { amount: 500 }]), { text: 'Done' });
    const { error } = await run({ ...config(), approvals: { refund: 'arguments.amout' } });
    expect(error).toMatchObject({ code: 'EXPRESSION', expression: { field: 'config.approvals.refund' } });
    expect(reached).toEqual([]);
  });
});

describe('a run of an agent that is repeated from a step', () => {
  const rerun = async (execution: ExecutionResponse, body: object) => {
    const answer = await call<{ executionId: string } & Refused>('POST', `/api/executions/${execution.id}/rerun`, {
      token: user.token,
      body,
    });
    if (answer.status !== 202) return answer.body.error.details;
    return until(async () => {
      const found = await readExecutionReport(user.workspaceId, answer.body.executionId);
      return found && ['completed', 'failed'].includes(found.status) && found;
    }, 'the end of the repetition');
  };

  it('reuses the steps before, and tells the model what a person has edited', async () => {
    models.sayInTurn(calling(['look_up', { id: '1' }]), calling(['look_up', { id: '2' }]), { text: 'Old' });
    const first = await run({ input: 'Hi', tools: [lookUp()], maxSteps: 4 });
    expect(first.output).toMatchObject({ text: 'Old', steps: 3 });
    const step = resultsOf(first).get('agent[1].model')?.input as { messages: { content: string }[] };
    const messages = [
      { ...step.messages[0], content: 'edited result' },
      { role: 'user', content: 'Be quick' },
    ];
    models.sayInTurn(calling(['look_up', { id: '3' }]), { text: 'New' });
    const before = reached.length;
    const again = await rerun(first, { fromNodeId: 'agent[1].model', input: { messages } });
    expect(again).toMatchObject({ status: 'completed', output: { text: 'New', steps: 3 } });
    expect(reached.slice(before).map(({ path }) => path)).toEqual(['/orders/3']);
    // The edited messages stay a part of the conversation.
    expect(sent(-1).map(({ role, content }) => (role === 'assistant' ? role : content))).toEqual([
      'Hi',
      'assistant',
      'edited result',
      'Be quick',
      'assistant',
      expect.stringContaining('/orders/3'),
    ]);
    expect((again as ExecutionResponse).output).toMatchObject({ usage: { inputTokens: 30 } });
  });

  it('begins again with the opening, or goes on where it failed', async () => {
    models.sayInTurn(calling(['look_up', { id: '1' }]), { status: 400, error: 'no' });
    const first = await run({ input: 'Hi', tools: [lookUp()] });
    expect(first.error).toMatchObject({ nodeId: 'agent[1].model' });
    models.say(() => ({ text: 'Now' }));
    const on = await rerun(first, { fromNodeId: 'agent[1].model' });
    expect(on).toMatchObject({ output: { text: 'Now', steps: 2 } });
    expect(reached).toHaveLength(1);
    const opening = { messages: [{ role: 'user', content: 'Hello instead' }] };
    expect(await rerun(first, { fromNodeId: 'agent[0].model', input: opening })).toMatchObject({
      output: { steps: 1 },
    });
    expect(sent(-1).map(({ content }) => content)).toEqual(['Hello instead']);
    expect(await rerun(first, { fromNodeId: 'agent[0].model', input: 'odd' })).toMatchObject({
      error: { code: 'CONFIG' },
    });
    expect(await rerun(first, { fromNodeId: 'agent[7].model' })).toMatchObject([{ field: 'fromNodeId' }]);
    expect(await rerun(first, { fromNodeId: 'agent[0].look_up' })).toMatchObject([{ field: 'fromNodeId' }]);
  });
});

describe('two workspaces', () => {
  it('reach no private addresses by tools where that is not allowed', async () => {
    models.sayInTurn(calling(['look_up', { id: '7' }]), { text: 'Done' });
    const { opened, open } = gate();
    models.say(async (_, index) => {
      if (index > 0) return { text: 'Done' };
      await opened;
      return calling(['look_up', { id: '7' }]);
    });
    const before = models.requests.length;
    const started = await start(definitionOf({ tools: [lookUp()] }));
    await until(async () => models.requests.length > before, 'the call');
    const { env } = getRuntime();
    env.egressAllowPrivate = false;
    open();
    try {
      const { error } = await started.finish();
      // The next call of the model is refused as well: it has the same address.
      expect(error?.code).toBe('EGRESS_DENIED');
      expect(reached).toEqual([]);
    } finally {
      env.egressAllowPrivate = true;
    }
  });

  it('use no credential, workflow or table of each other as tools', async () => {
    const stranger = await buildUser();
    const theirs = await buildWorkflow({ workspaceId: stranger.workspaceId });
    const tools = [{ name: 'theirs', type: 'sub_workflow', config: { workflowId: theirs } }];
    models.say(() => ({ text: 'Done' }));
    expect((await run({ tools })).error).toMatchObject({ code: 'WORKFLOW_NOT_FOUND', nodeId: 'agent[0].start' });
    const table = await call<{ id: string }>('POST', '/api/tables', {
      token: stranger.token,
      body: { name: unique('t'), columns: [{ name: 'a', type: 'text' }] },
    });
    const rows = [{ name: 'rows', type: 'table', config: { tableId: table.body.id, operation: 'find' } }];
    expect((await save(definitionOf({ tools: rows }))).body.error.details).toMatchObject([
      { field: 'nodes[1].config.tools[0].config.tableId' },
    ]);
    const key = await credentialOf(stranger);
    const published = await save(definitionOf({ tools: [lookUp({ credentialId: key })] }), user, 'active');
    expect(published.body.error.details).toMatchObject([{ field: 'nodes[1].config.tools[0].credentialId' }]);
  });

  it('use what tools name with the permissions of the publisher only, at save and at run', async () => {
    const key = (
      await call<{ id: string }>('POST', '/api/credentials', {
        token: user.token,
        body: { name: unique('key'), type: 'api_key', config: { apiKey: 'key-of-a-tool-4711' } },
      })
    ).body.id;
    const child = await buildWorkflow({ workspaceId: user.workspaceId });
    const tools = [
      lookUp({ credentialId: key }),
      { name: 'child', type: 'sub_workflow', config: { workflowId: child } },
    ];
    const definition = definitionOf({ tools });
    const may = { resource: 'workflow' as const, action: 'create' as const };
    const outsider = await buildPermitted(user.workspaceId, [may]);
    const refused = await save(definition, outsider);
    expect(refused.status).toBe(403);
    expect(refused.body.error.details.map(({ field }) => field)).toEqual([
      'nodes[1].credentialId',
      'nodes[1].config.tools[0].credentialId',
      'nodes[1].config.tools[1].config.workflowId',
    ]);
    const publisher = await buildUser({ workspaceId: user.workspaceId, role: 'editor' });
    const saved = await save(definition, publisher);
    const { id } = saved.body as unknown as { id: string };
    const execute = async () => {
      const started = await call<{ executionId: string }>('POST', `/api/workflows/${id}/execute`, {
        token: user.token,
        body: {},
      });
      return until(async () => {
        const found = await readExecutionReport(user.workspaceId, started.body.executionId);
        return found && ['completed', 'failed'].includes(found.status) && found;
      }, 'the end');
    };
    models.say(({ body }) =>
      JSON.stringify(body).includes('"tool"') ? { text: 'Done' } : calling(['look_up', { id: '7' }]),
    );
    expect(await execute()).toMatchObject({ status: 'completed' });
    await prismaClient().roleAssignment.deleteMany({ where: { userId: publisher.id } });
    const before = models.requests.length;
    expect((await execute()).error).toMatchObject({ code: 'FORBIDDEN', nodeId: 'agent[0].start' });
    const allow = (resource: 'workflow' | 'credential', action: 'execute' | 'use', on: string) =>
      permit(publisher, [{ resource, action, on: { type: resource, id: on } }]);
    await allow('workflow', 'execute', child);
    expect((await execute()).error).toMatchObject({ code: 'FORBIDDEN', nodeId: 'agent[0].model' });
    expect(models.requests).toHaveLength(before);
    await allow('credential', 'use', credentialId);
    reached.length = 0;
    expect((await execute()).error).toMatchObject({ code: 'FORBIDDEN', nodeId: 'agent[0].look_up' });
    expect(reached).toEqual([]);
  });
});
