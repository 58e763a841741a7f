import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ListServerToolsResponse } from '@/contract/mcp';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { requestCancellation } from '@/server/engine/queue/requests';
import { prismaClient } from '@/server/platform/db/client';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { runNode, startNode } from '@/server/testing/one-node';
import { startMcpServer, type McpParty } from '@/server/testing/servers/mcp';
import { startModels, type Models } from '@/server/testing/servers/models';
import { gate, until } from '@/server/testing/runs';

useDatabase();

const KEY = 'canary-4711-key-of-an-mcp-server';
const door = gate();

let worker: EngineWorker;
let party: McpParty;
let models: Models;
let user: TestUser;
let credentialId: string;

beforeAll(async () => {
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 10, kinds, graceMs: 200 });
  party = await startMcpServer(KEY, door.opened);
  models = await startModels();
});
beforeEach(async () => {
  party.refuse(undefined);
  user = await buildUser();
  credentialId = await credentialOf(KEY);
});
afterAll(async () => {
  door.open();
  await worker.stop();
  await party.close();
  await models.close();
});

const create = (body: object, owner = user) =>
  call<{ id: string } & Refused>('POST', '/api/credentials', {
    token: owner.token,
    body: { name: unique('c'), ...body },
  });

const credentialOf = (key: string, owner = user) =>
  buildCredential(owner, 'mcp', { url: party.url, headers: { Authorization: `Bearer ${key}` } });
const whole = (node: Partial<WorkflowNode>) => ({ type: 'mcp', credentialId, ...node });
const start = (node: Partial<WorkflowNode>) => startNode(user, whole(node), { number: 2 });
const run = (node: Partial<WorkflowNode>) => runNode(user, whole(node), { number: 2 });

const tools = (id: string, owner = user) =>
  call<ListServerToolsResponse & Refused>('GET', `/api/credentials/${id}/tools`, { token: owner.token });

it('calls a tool with its arguments; secrets stay masked', async () => {
  const config = { tool: 'add', arguments: { a: '{{ input.number }}', b: 40 } };
  const { output } = await run({ config });
  expect(output).toEqual({ text: expect.stringMatching(/^42, (?!canary)/) as string, structured: { sum: 42 } });
  expect(party.requests.map(({ body }) => body.method)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/call',
  ]);
  expect(await run({ config: { tool: 'picture' } })).toMatchObject({
    output: { text: '', content: [{ type: 'image', mimeType: 'image/png' }] },
  });
});

it.each([
  [{ tool: 'fail' }, 'MCP_TOOL', /^fail: Out of order: (?!canary)/],
  [{ tool: 'nothing' }, 'MCP_TOOL', /nothing not found/],
  [{ tool: 'add', arguments: { a: 'x' } }, 'MCP_TOOL', /Invalid arguments/],
])('fails for %j with %s', async (config, code, message) => {
  expect(await run({ config })).toMatchObject({
    status: 'failed',
    code,
    message: expect.stringMatching(message) as string,
  });
});

it('says why a server refuses, and may be tried again if that can pass', async () => {
  const config = { tool: 'add', arguments: { a: 1, b: 2 } };
  party.refuse(503);
  expect(await run({ config })).toMatchObject({ code: 'HTTP_STATUS', message: 'The MCP server answered 503: not now' });
  party.refuse(undefined);
  credentialId = await credentialOf('wrong');
  expect(await run({ config })).toMatchObject({ code: 'CREDENTIAL_REFUSED' });
});

it('is ended by a cancellation', async () => {
  const { executionId, finish } = await start({ config: { tool: 'wait' } });
  const before = party.requests.length;
  await until(async () => party.requests.slice(before).some(({ body }) => body.method === 'tools/call'), 'the call');
  await requestCancellation(prismaClient(), [executionId]);
  expect((await finish()).error).toMatchObject({ code: 'CANCELLED' });
});

it('reaches no private address where that is not permitted', async () => {
  const { env } = getRuntime();
  const before = env.egressAllowPrivate;
  env.egressAllowPrivate = false;
  try {
    expect(await run({ config: { tool: 'add' } })).toMatchObject({ code: 'EGRESS_DENIED' });
  } finally {
    env.egressAllowPrivate = before;
  }
});

it('the tools of a server are listed, for its own workspace only; a test counts them', async () => {
  const { body } = await tools(credentialId);
  expect(body.problem).toBeNull();
  expect(body.data.map(({ name }) => name)).toEqual(['add', 'echo', 'fail', 'picture', 'wait']);
  expect(body.data[0]).toMatchObject({
    description: 'Adds two numbers',
    inputSchema: { type: 'object', required: ['a', 'b'] },
  });
  expect((await tools(credentialId, await buildUser())).status).toBe(404);
  const test = (id: string) => call('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} });
  expect((await test(credentialId)).body).toEqual({ ok: true, message: 'The server offers 5 tools.' });
  const wrong = await credentialOf('wrong');
  expect((await test(wrong)).body).toEqual({ ok: false, message: 'The MCP server answered 401.' });
  expect((await tools(wrong)).body).toEqual({ data: [], problem: 'The MCP server answered 401.' });
  const other = await create({ type: 'api_key', config: { apiKey: 'k' } });
  expect((await tools(other.body.id)).status).toBe(400);
});

it('asks for the headers again when the address changes', async () => {
  const config = { url: 'https://elsewhere.example/mcp' };
  const changed = await call<Refused>('PUT', `/api/credentials/${credentialId}`, {
    token: user.token,
    body: { config },
  });
  expect([changed.status, changed.body.error.details]).toMatchObject([400, [{ field: 'config.headers' }]]);
});

it('is a tool of an agent, which chooses the arguments that its author left out', async () => {
  const { url } = models;
  const config = { provider: 'openai_compatible', apiKey: 'sk-test', baseUrl: `${url}/v1` };
  const model = (await create({ type: 'llm', config })).body.id;
  const [add] = (await tools(credentialId)).body.data;
  const tool = {
    name: 'add_to_forty',
    description: add?.description,
    type: 'mcp',
    credentialId,
    config: { tool: 'add', arguments: { b: 40 } },
    inputSchema: add?.inputSchema,
  };
  models.sayInTurn({ calls: [{ name: 'add_to_forty', arguments: { a: 2, b: 1 } }] }, { text: 'It is 42.' });
  const { output } = await run({ type: 'agent', credentialId: model, config: { model: 'm', tools: [tool] } });
  expect(output).toMatchObject({ text: 'It is 42.', steps: 2 });
  expect(JSON.stringify(models.requests.at(-1)?.body)).toContain('42, ');
  expect(party.requests.at(-1)?.body.params).toMatchObject({ name: 'add', arguments: { a: 2, b: 40 } });
});
