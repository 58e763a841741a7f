import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LlmProvider } from '@/contract/llm';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { getRuntime } from '@/server/platform/runtime';
import { storeUpload } from '@/server/data/files/store';
import { requestCancellation } from '@/server/engine/queue/requests';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { runNode, saveNode, startNode } from '@/server/testing/one-node';
import { startModels, type Models } from '@/server/testing/servers/models';
import { gate, until } from '@/server/testing/runs';

useDatabase();

const KEY = 'sk-canary-4711-key-of-a-model';

let worker: EngineWorker;
let models: Models;
let user: TestUser;

beforeAll(async () => {
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 20, kinds, graceMs: 200 });
  models = await startModels();
});
beforeEach(async () => {
  user = await buildUser();
  models.say(() => ({ text: 'Hello' }));
});
afterAll(async () => {
  await worker.stop();
  await models.close();
});

const createCredential = (config: object, owner = user) =>
  call<{ id: string } & Refused>('POST', '/api/credentials', {
    token: owner.token,
    body: { name: unique('model'), type: 'llm', config },
  });

const credentialOf = (provider: LlmProvider, owner = user) =>
  buildCredential(owner, 'llm', { provider, apiKey: KEY, baseUrl: `${models.url}/v1` });
const start = (node: Partial<WorkflowNode>) => startNode(user, { ...node, type: 'llm' });
const run = (node: Partial<WorkflowNode>, input: object = {}, owner = user) =>
  runNode(owner, { ...node, type: 'llm' }, input);

const last = () => models.requests.at(-1)!;

describe('a credential of a language model', () => {
  it('needs a key for a hosted provider, and an address for any other', async () => {
    const refused = await createCredential({ provider: 'openai' });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'config.apiKey' }] } } });
    const nowhere = await createCredential({ provider: 'ollama' });
    expect(nowhere).toMatchObject({ status: 400, body: { error: { details: [{ field: 'config.baseUrl' }] } } });
    expect((await createCredential({ provider: 'ollama', baseUrl: models.url })).status).toBe(201);
    expect((await createCredential({ provider: 'anthropic', apiKey: KEY })).status).toBe(201);
  });

  it('asks for the key again when the provider or the address changes', async () => {
    const id = await credentialOf('openai');
    const put = (config: object) =>
      call<Refused>('PUT', `/api/credentials/${id}`, { token: user.token, body: { config } });
    const same = { provider: 'openai', baseUrl: `${models.url}/v1` };
    expect((await put(same)).status).toBe(200);
    for (const moved of [
      { ...same, provider: 'anthropic' },
      { ...same, baseUrl: 'https://evil.example/v1' },
      { provider: 'openai' },
    ]) {
      const answer = await put(moved);
      expect(answer.status).toBe(400);
      expect(answer.body.error.details[0]?.field).toBe('config.apiKey');
    }
  });

  it('is tested with the list of models', async () => {
    for (const provider of ['openai', 'anthropic', 'google', 'openai_compatible', 'ollama'] as const) {
      const id = await credentialOf(provider);
      const tested = await call<{ ok: boolean; message: string }>('POST', `/api/credentials/${id}/test`, {
        token: user.token,
        body: {},
      });
      expect(tested.body).toMatchObject({ ok: true, message: expect.stringContaining('2 models') });
    }
  });
});

const ASKED = { system: 'Be brief.', prompt: 'Say hello to {{ input.name }}.', model: 'model-a' };

describe('an llm node', () => {
  it.each(['openai_compatible', 'ollama'] as const)(
    'keeps what %s thinks aloud apart from its answer',
    async (provider) => {
      const credentialId = await credentialOf(provider);
      const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
      for (const [text, output] of [
        ['<think>hmm {"x":1}</think>\n{"a":1}', { object: { a: 1 }, reasoning: 'hmm {"x":1}' }],
        ['Sure! {"a":1}', { object: { a: 1 } }],
        ['{"a":1,}', { object: { a: 1 } }],
      ] as const) {
        models.say(() => ({ text }));
        const before = models.requests.length;
        expect((await run({ credentialId, config: { ...ASKED, outputSchema } })).output).toMatchObject(output);
        expect(models.requests.length - before).toBe(1);
      }
      models.say(() => ({ text: '<think>hmm</think>\n\nHello' }));
      expect((await run({ credentialId, config: ASKED })).output).toMatchObject({ text: 'Hello', reasoning: 'hmm' });
    },
  );

  it.each([
    ['openai', 'chat', '/v1/chat/completions'],
    ['anthropic', 'messages', '/v1/messages'],
    ['google', 'gemini', '/v1/models/model-a:generateContent'],
    ['openai_compatible', 'chat', '/v1/chat/completions'],
    ['ollama', 'chat', '/v1/chat/completions'],
  ] as const)('speaks the protocol of %s', async (provider, protocol, path) => {
    models.say(() => ({ text: 'Hello Ada', usage: [12, 3] }));
    const credentialId = await credentialOf(provider);
    const { output, text } = await run({ credentialId, config: ASKED }, { name: 'Ada' });
    expect(output).toEqual({ text: 'Hello Ada', usage: { inputTokens: 12, outputTokens: 3 }, finishReason: 'stop' });
    expect(last()).toMatchObject({ protocol, path });
    const sent = JSON.stringify(last().body);
    expect(sent).toContain('Be brief.');
    expect(sent).toContain('Say hello to Ada.');
    expect(JSON.stringify(last().headers)).toContain(KEY);
    expect(last().headers['user-agent']).toBe('Weft');
    expect(text).not.toContain(KEY);
  });

  it('returns an object that matches the schema, after one repair at most', async () => {
    const outputSchema = {
      type: 'object',
      properties: { score: { type: 'integer' } },
      required: ['score'],
      additionalProperties: false,
    };
    for (const provider of ['openai', 'anthropic', 'google', 'openai_compatible', 'ollama'] as const) {
      const credentialId = await credentialOf(provider);
      const config = { ...ASKED, outputSchema };
      // Anthropic answers through a tool where a model has no schemas.
      const object = (value: object) =>
        provider === 'anthropic' ? { calls: [{ name: 'json', arguments: value }] } : { text: JSON.stringify(value) };
      models.sayInTurn(object({ score: 'high' }), object({ score: 7 }));
      const repaired = await run({ credentialId, config });
      expect(repaired.output, provider).toEqual({
        object: { score: 7 },
        usage: { inputTokens: 20, outputTokens: 10 },
        finishReason: 'stop',
      });
      expect(JSON.stringify(last().body)).toContain('score must be integer');
      expect(JSON.stringify(models.requests.at(-2)?.body)).toContain('integer');
      models.sayInTurn(object({ score: 'high' }));
      const before = models.requests.length;
      expect(await run({ credentialId, config })).toMatchObject({ code: 'OUTPUT_SCHEMA' });
      expect(models.requests.length - before).toBe(2);
    }
  });

  it('asks for any object, if the schema has no properties', async () => {
    for (const provider of ['openai', 'anthropic', 'google', 'openai_compatible', 'ollama'] as const) {
      models.say(() => ({ text: '{"score":1}' }));
      const credentialId = await credentialOf(provider);
      const { output } = await run({ credentialId, config: { ...ASKED, outputSchema: { type: 'object' } } });
      expect(output, provider).toMatchObject({ object: { score: 1 } });
      const sent = JSON.stringify(last().body);
      expect(sent).toContain('Answer with one JSON object');
      expect(sent).not.toContain('json_schema');
      if (provider === 'openai') expect(last().body).toMatchObject({ response_format: { type: 'json_object' } });
    }
  });

  it('reads an object out of a code block, and refuses schemas of anything else', async () => {
    const credentialId = await credentialOf('openai_compatible');
    models.say(() => ({ text: 'Here it is:\n```json\n{"score": 1}\n```' }));
    const config = { ...ASKED, outputSchema: { type: 'object', properties: { score: { type: 'number' } } } };
    expect((await run({ credentialId, config })).output).toMatchObject({ object: { score: 1 } });
    const saved = await saveNode(user, { type: 'llm', config: { ...ASKED, outputSchema: { type: 'array' } } });
    expect(saved.body.error.details).toEqual([
      { field: 'nodes[1].config.outputSchema', message: 'must describe an object: its type must be "object"' },
    ]);
  });

  it('takes a conversation, and files with the last message', async () => {
    const credentialId = await credentialOf('anthropic');
    const { workspaceId } = user;
    const upload = (content: string, name: string, contentType: string) =>
      storeUpload(bytes(content), { workspaceId, name, contentType });
    const files = [
      await upload('fake image', 'a.png', 'image/png'),
      await upload('%PDF-1.4', 'b.pdf', 'application/pdf'),
      await upload('one,two', 'c.csv', 'text/csv; charset=utf-8'),
    ];
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'What is in {{ input.what }}?' },
    ];
    const config = { model: 'claude-haiku-4-5', messages, files: '{{ input.files }}' };
    const { output, status } = await run({ credentialId, config }, { files, what: 'them' });
    expect(status).toBe('completed');
    expect(output).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.000035 } });
    const sent = (last().body['messages'] as { role: string; content: { type: string; text?: string }[] }[]).at(-1)!;
    expect(sent.content.map(({ type }) => type)).toEqual(['image', 'document', 'text', 'text']);
    expect(sent.content[0]).toMatchObject({ source: { data: Buffer.from('fake image').toString('base64') } });
    expect(sent.content[2]?.text).toContain('one,two');
    expect(sent.content[3]?.text).toBe('What is in them?');
    const odd = await upload('x', 'd.zip', 'application/zip');
    expect(await run({ credentialId, config: { ...config, files: odd } })).toMatchObject({ code: 'CONFIG' });
    const other = await buildUser();
    const theirs = await run(
      { credentialId: await credentialOf('openai', other), config: { ...config, files } },
      {},
      other,
    );
    expect(theirs.code).toBe('FILE_NOT_FOUND');
  });

  it('leaves retries to the node, and waits as the provider asks', async () => {
    const credentialId = await credentialOf('openai');
    models.sayInTurn(
      { status: 429, error: 'Rate limit reached', headers: { 'retry-after-ms': '30' } },
      { text: 'Now' },
    );
    const retried = await run({ credentialId, config: ASKED, retry: { maxAttempts: 2, backoffMs: 0 } });
    expect(retried.output).toMatchObject({ text: 'Now' });
    models.say(() => ({ status: 529, error: 'Overloaded' }));
    const before = models.requests.length;
    expect(await run({ credentialId, config: ASKED })).toMatchObject({
      code: 'HTTP_STATUS',
      message: 'OpenAI answered 529: Overloaded',
    });
    expect(models.requests.length - before).toBe(1);
    models.say(() => ({ status: 401, error: `Incorrect API key provided: ${KEY}` }));
    const refused = await run({ credentialId, config: ASKED, retry: { maxAttempts: 3, backoffMs: 0 } });
    expect(refused.code).toBe('CREDENTIAL_REFUSED');
    expect(refused.text).not.toContain(KEY);
  });

  it('aborts the call when the run is cancelled', async () => {
    const credentialId = await credentialOf('openai');
    const { opened, open } = gate();
    models.say(async () => {
      await opened;
      return { text: 'too late' };
    });
    const before = models.requests.length;
    const started = await start({ credentialId, config: ASKED });
    await until(async () => models.requests.length > before, 'the call');
    await requestCancellation(prismaClient(), [started.executionId]);
    expect(await started.finish()).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    open();
  });

  it('reaches no private address where that is not allowed, and no credential of another workspace', async () => {
    const credentialId = await credentialOf('openai');
    const { env } = getRuntime();
    env.egressAllowPrivate = false;
    try {
      expect(await run({ credentialId, config: ASKED })).toMatchObject({ code: 'EGRESS_DENIED' });
    } finally {
      env.egressAllowPrivate = true;
    }
    const stranger = await buildUser();
    expect(await run({ credentialId, config: ASKED }, {}, stranger)).toMatchObject({ code: 'CREDENTIAL_MISSING' });
    const saved = await saveNode(stranger, { type: 'llm', credentialId, config: ASKED }, 'active');
    expect(saved.status).toBe(400);
    expect(saved.body.error.details[0]?.field).toBe('nodes[1].credentialId');
  });

  it('needs a credential of a model', async () => {
    const key = await buildCredential(user, 'api_key', { apiKey: 'secret' });
    expect(await run({ credentialId: key, config: ASKED })).toMatchObject({ code: 'CREDENTIAL_KIND' });
    expect(await run({ config: ASKED })).toMatchObject({ code: 'CREDENTIAL_MISSING' });
    const http = {
      type: 'http_request',
      config: { url: `${models.url}/x` },
      credentialId: await credentialOf('openai'),
    };
    expect(await runNode(user, http)).toMatchObject({ code: 'CREDENTIAL_KIND' });
  });
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}
