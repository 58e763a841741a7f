import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { PASSWORD, buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { routeWebRequest } from '../routes';

useDatabase();
useWorker();

let user: TestUser;
beforeEach(async () => {
  user = await buildUser();
});

const inputSchema = {
  type: 'object',
  properties: { number: { type: 'number' } },
  required: ['number'],
  additionalProperties: false,
};
const start = { type: 'start', config: { inputSchema } };
const DOUBLE = flow({ in: start, out: { type: 'transform', config: { expression: 'input.number * 2' } } }, ['in>out']);
const ASKED = flow({ in: { type: 'start' }, ask: { type: 'approval', config: { message: 'May I?' } } }, ['in>ask']);
const FAILS = flow({ in: { type: 'start' }, out: { type: 'transform', config: { expression: '$error("no")' } } }, [
  'in>out',
]);

/** A workflow that is active and a tool, unless told otherwise. */
async function offered(name: string, definition: WorkflowDefinition, more: object = {}, owner = user): Promise<string> {
  const body = { name, description: '', definition, status: 'active', settings: { isTool: true }, ...more };
  const made = await call<{ id: string } & Refused>('POST', '/api/workflows', { token: owner.token, body });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return made.body.id;
}

async function keyOf(scope: string, owner = user): Promise<string> {
  const body = { name: unique('key'), scopes: [scope] };
  return (await call<{ key: string }>('POST', '/auth/api_keys', { token: owner.token, body })).body.key;
}

/** A client of the protocol's own library. */
async function connected(key: string | Record<string, string>, url = 'http://weft.test/mcp'): Promise<Client> {
  const headers = typeof key === 'string' ? { authorization: `Bearer ${key}` } : key;
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: (input, init) => routeWebRequest(new Request(input, init)),
  });
  await client.connect(transport);
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

/** What a tool says, parsed if it is JSON. */
async function called(client: Client, name: string, given: object = {}) {
  const { content, isError } = await client.callTool({ name, arguments: { ...given } });
  const [{ text }] = content as [{ text: string }];
  return {
    isError: isError ?? false,
    said: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : text,
  };
}

describe('the tools', () => {
  it('are reached as the documentation says', async () => {
    const [, block = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/build/mcp.md', 'utf8')) ?? [];
    const { weft } = (JSON.parse(block) as { mcpServers: { weft: { url: string; headers: Record<string, string> } } })
      .mcpServers;
    const [scheme = ''] = weft.headers['Authorization']?.split(' ') ?? [];
    const headers = { Authorization: `${scheme} ${await keyOf('write')}` };
    const client = await connected(headers, weft.url);
    expect(await namesOf(client)).toEqual(['executions.get', 'executions.resume']);
  });

  it('are the active workflows that are marked, by name, description and input schema', async () => {
    await offered('Café: double it!', DOUBLE, { description: 'Doubles a number.' });
    await offered('Double   it', DOUBLE);
    await offered('double it', DOUBLE);
    await offered('日本', DOUBLE);
    await offered('Not marked', DOUBLE, { settings: {} });
    await offered('Not active', DOUBLE, { status: 'draft' });
    await offered('Of others', DOUBLE, {}, await buildUser());
    const client = await connected(await keyOf('write'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'cafe_double_it',
      'double_it',
      'double_it_2',
      expect.stringMatching(/^workflow_[a-z0-9]+$/),
      'executions.get',
      'executions.resume',
    ]);
    expect(tools[0]).toMatchObject({ title: 'Café: double it!', description: 'Doubles a number.', inputSchema });
    expect(tools[1]).toMatchObject({ description: 'Double   it' });
  });

  it('depend on the scopes of the key, and on the permissions of its user', async () => {
    await offered('Double it', DOUBLE);
    expect(await namesOf(await connected(await keyOf('read')))).toEqual(['executions.get']);
    const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    const client = await connected(viewer.token);
    expect(await namesOf(client)).toEqual(['executions.get']);
    await expect(called(client, 'double_it', { number: 1 })).rejects.toThrow('There is no tool double_it.');
  });
});

describe('a call', () => {
  it('of a workflow runs it with the arguments, and answers with its output', async () => {
    const id = await offered('Double it', DOUBLE);
    const client = await connected(await keyOf('write'));
    const { isError, said } = await called(client, 'double_it', { number: 21 });
    expect([isError, said]).toEqual([
      false,
      { executionId: expect.any(String) as string, status: 'completed', output: 42 },
    ]);
    const refused = await called(client, 'double_it', { number: 'x' });
    expect(refused.isError).toBe(true);
    expect(refused.said).toContain('input.number must be number');
    const entry = await prismaClient().auditEntry.findFirst({
      where: { workspaceId: user.workspaceId, action: 'workflows.execute' },
    });
    expect(entry).toMatchObject({ resource: { id }, actor: { type: 'api_key' } });
  });

  it('tells why a run failed', async () => {
    await offered('Fails', FAILS);
    const { isError, said } = await called(await connected(await keyOf('write')), 'fails');
    expect(isError).toBe(true);
    expect(said).toMatchObject({ status: 'failed', error: { code: 'EXPRESSION' } });
  });

  it('reads executions and decides approvals, of its own workspace only', async () => {
    const workflowId = await offered('Ask', ASKED);
    const started = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
      token: user.token,
      body: {},
    });
    const { executionId } = started.body;
    const client = await connected(await keyOf('write'));
    await expect
      .poll(async () => (await called(client, 'executions.get', { executionId })).said)
      .toMatchObject({ status: 'paused', approvals: [{ nodeId: 'ask', message: 'May I?' }] });
    const stranger = await connected(await keyOf('write', await buildUser()));
    const decision = { executionId, nodeId: 'ask', decision: 'approved' };
    for (const [name, given] of [
      ['executions.get', { executionId }],
      ['executions.resume', decision],
    ] as const) {
      expect(await called(stranger, name, given)).toEqual({ isError: true, said: 'The execution does not exist.' });
    }
    expect((await called(client, 'executions.resume', decision)).isError).toBe(false);
    const ended = await called(client, 'executions.get', { executionId, waitSeconds: 10 });
    expect(ended.said).toMatchObject({ status: 'completed', output: { decision: 'approved' } });
  });
});

describe('the address', () => {
  const post = async (headers: Record<string, string>, body: unknown, method = 'POST') => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } };
    const sent = method === 'POST' ? { ...init, body: JSON.stringify(body) } : init;
    const answer = await routeWebRequest(new Request('http://weft.test/mcp', sent));
    return [answer.status, await answer.json()] as const;
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  it('refuses callers without a key, with a wrong one, and browser sessions', async () => {
    const { headers } = await call('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });
    const cookie = headers.get('set-cookie') ?? '';
    const callers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wk_wrong' },
      { 'x-api-key': 'wk_wrong' },
      { cookie },
    ];
    for (const given of callers) {
      expect(await post(given, list)).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }]);
    }
  });

  it('takes one message at a time, and no other methods', async () => {
    const authorization = `Bearer ${await keyOf('write')}`;
    expect(await post({ authorization }, list)).toMatchObject([200, { id: 1, result: { tools: [{}, {}] } }]);
    expect(await post({ authorization }, [list, list])).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
    expect(await post({ authorization }, { ...list, method: 'tools/unknown' })).toMatchObject([200, { error: {} }]);
    expect(await post({ authorization, 'content-type': 'text/plain' }, list)).toMatchObject([400, {}]);
    for (const method of ['GET', 'DELETE']) expect((await post({ authorization }, list, method))[0]).toBe(405);
  });
});
