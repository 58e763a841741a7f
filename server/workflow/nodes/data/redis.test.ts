import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { closeRedisPools } from '@/server/network/redis/redis';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type TestUser } from '@/server/testing/factories';
import { runNode, saveNode } from '@/server/testing/one-node';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';

useDatabase();

const PASSWORD = 'canary-password-4711';
const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/data/redis.md'), 'utf8');

let worker: EngineWorker;
let server: RedisServer;
let user: TestUser;

beforeAll(async () => {
  server = await startRedis();
  await server.client.call('ACL', 'SETUSER', 'ada', 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 20, kinds, graceMs: 200 });
});
beforeEach(async () => {
  user = await buildUser();
  await server.client.flushall();
});
afterAll(async () => {
  await worker.stop();
  closeRedisPools();
  await server.remove();
});

function credentialOf(owner: TestUser, changes: object = {}): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const config = { host: hostname, port: Number(port), username: 'ada', password: PASSWORD, tls: 'off', ...changes };
  return buildCredential(owner, 'redis', config);
}

const run = (node: Partial<WorkflowNode>, input: object = {}, owner = user) =>
  runNode(owner, { ...node, type: 'redis' }, input);
const save = (node: Partial<WorkflowNode>, status = 'draft') => saveNode(user, { ...node, type: 'redis' }, status);

it('does what docs/data/redis.md shows', async () => {
  const credentialId = await credentialOf(user);
  const [, block = ''] = /```json\n([^]*?)\n```/.exec(docs) ?? [];
  const nodes = JSON.parse(block) as Pick<WorkflowNode, 'config'>[];
  const input = { customer: 'ada', at: '12:00', score: 2.5 };
  const round = async () => {
    const outputs: unknown[] = [];
    for (const { config } of nodes) outputs.push((await run({ credentialId, config }, input)).output);
    return outputs;
  };
  expect(await round()).toEqual([1, true, { at: '12:00' }, '2.5']);
  expect(await round()).toEqual([2, false, { at: '12:00' }, '5']);
});

it('stores texts as they are and other values as JSON, small or large', async () => {
  const credentialId = await credentialOf(user);
  const large = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  const input = { text: '007', number: 7, list: [1, 'a'], large, long: 'x'.repeat(100_000) };
  for (const [name, stored] of [
    ['text', '007'],
    ['number', '7'],
    ['list', '[1,"a"]'],
    ['large', JSON.stringify(large)],
    ['long', input.long],
  ] as const) {
    const config = { operation: 'set', key: name, value: `{{ input.${name} }}` };
    expect((await run({ credentialId, config }, input)).output).toBe(true);
    expect((await server.client.get(name)) === stored).toBe(true);
    const { output } = await run({ credentialId, config: { operation: 'get', key: name, readAs: 'json' } });
    expect(output).toEqual(input[name]);
  }
  const fields = { operation: 'hash_set', key: 'h', fields: { a: '{{ input.list }}', b: 'x', c: '{{ input.large }}' } };
  expect((await run({ credentialId, config: fields }, input)).output).toBe(3);
  expect(await server.client.hgetall('h')).toEqual({ a: '[1,"a"]', b: 'x', c: JSON.stringify(large) });
});

it('fails with what is missing, refused or wrong', async () => {
  const credentialId = await credentialOf(user);
  const get = { operation: 'get', key: '{{ input.key }}' };
  expect(await run({ credentialId, config: get }, { key: '' })).toMatchObject({ code: 'CONFIG' });
  const set = { operation: 'set', key: 'a', value: '{{ input.misspelt }}' };
  expect(await run({ credentialId, config: set })).toMatchObject({
    code: 'CONFIG',
    message: 'config.value: is required',
  });
  await server.client.rpush('list', 'a');
  expect(await run({ credentialId, config: get }, { key: 'list' })).toMatchObject({
    code: 'REDIS_ERROR',
    message: 'WRONGTYPE Operation against a key holding the wrong kind of value',
  });
  const blocked = { operation: 'command', command: 'XREAD', arguments: ['BLOCK', 0, 'STREAMS', 'a', '$'] };
  expect(await run({ credentialId, config: blocked })).toMatchObject({ code: 'CONFIG' });
});

it.each([
  [{}, ['operation']],
  [{ operation: 'get' }, ['key']],
  [{ operation: 'set', key: 'a' }, ['value']],
  [{ operation: 'hash_get', key: 'a' }, ['field']],
  [{ operation: 'hash_set', key: 'a', fields: {} }, ['fields']],
  [{ operation: 'publish', value: 'a' }, ['channel']],
  [{ operation: 'command' }, ['command']],
  [{ operation: 'keys' }, []],
  [{ operation: 'set', key: 'a', value: null }, ['value']],
  [{ operation: 'set', key: 'a', value: '' }, []],
])('%j must be complete when the workflow is activated', async (config, fields) => {
  const credentialId = await credentialOf(user);
  const { status, body } = await save({ credentialId, config }, 'active');
  expect(status).toBe(fields.length > 0 ? 400 : 201);
  expect(fields.length > 0 ? body.error.details.map(({ field }) => field) : []).toEqual(
    fields.map((field) => `nodes[1].config.${field}`),
  );
});

it('a command that is refused cannot be saved', async () => {
  const { status, body } = await save({ config: { operation: 'command', command: 'Config', arguments: ['GET', '*'] } });
  expect(status).toBe(400);
  expect(body.error.details).toEqual([
    { field: 'nodes[1].config.command', message: expect.stringContaining('only commands that read or change data') },
  ]);
});

describe('a credential', () => {
  it('keeps its password to itself', async () => {
    const credentialId = await credentialOf(user);
    const { body } = await call<object>('GET', `/api/credentials/${credentialId}`, { token: user.token });
    expect(body).toMatchObject({ type: 'redis', config: { username: 'ada', tls: 'off' }, secretFields: ['password'] });
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    await server.client.set('echo', PASSWORD);
    expect((await run({ credentialId, config: { operation: 'get', key: 'echo' } })).output).toBe('••••••');
  });

  it('of another workspace is not found', async () => {
    const foreign = await credentialOf(await buildUser());
    const { code } = await run({ credentialId: foreign, config: { operation: 'get', key: 'a' } });
    expect(code).toBe('CREDENTIAL_MISSING');
  });

  it('is tested by a connection', async () => {
    const test = async (id: string) =>
      (await call('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} })).body;
    expect(await test(await credentialOf(user))).toEqual({
      ok: true,
      message: 'The Redis server accepted the credentials.',
    });
    const wrong = await credentialOf(user, { password: 'wrong-password' });
    expect(await test(wrong)).toMatchObject({ ok: false, message: expect.stringContaining('WRONGPASS') });
    getRuntime().env.egressAllowPrivate = false;
    const denied = test(await credentialOf(user));
    expect(await denied.finally(() => (getRuntime().env.egressAllowPrivate = true))).toMatchObject({
      ok: false,
      message: expect.stringContaining('is not a public address'),
    });
  });
});
