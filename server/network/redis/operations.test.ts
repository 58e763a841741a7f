import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { REDIS_OPERATIONS, type RedisOperationInput, type RedisOperationName } from './operations';
import { closeRedisPools, withRedisSession } from './redis';
import { ReplyJsonWriter, type ReplyReading } from './reply-json';

useDatabase();

let server: RedisServer;
const warn = vi.fn<(message: string) => void>();

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(async () => {
  await server.client.flushall();
  warn.mockClear();
});
afterEach(() => closeRedisPools());
afterAll(() => server.remove());

const NOTHING: RedisOperationInput = {
  key: 'k',
  value: '',
  ttlMs: undefined,
  onlyIfAbsent: false,
  by: 1,
  end: 'last',
  from: 0,
  to: -1,
  field: '',
  fields: [],
  channel: '',
  pattern: '*',
  limit: 1000,
  command: '',
  arguments: [],
};

async function perform(
  name: RedisOperationName,
  input: Partial<RedisOperationInput> = {},
  reading: ReplyReading = 'text',
) {
  const { hostname, port } = new URL(server.url);
  const config = { host: hostname, port: Number(port), database: 0, tls: 'off' };
  const credential = {
    id: generateId('cred'),
    workspaceId: generateId('ws'),
    name: 'x',
    type: 'redis',
    version: 1,
    config,
  };
  const json = new ReplyJsonWriter(reading, async (bytes, as) =>
    as === 'text' ? bytes.toString() : (JSON.parse(bytes.toString()) as unknown),
  );
  const context = { signal: new AbortController().signal, redact: (text: string) => text };
  const result = await withRedisSession(credential, context, (ask) =>
    REDIS_OPERATIONS[name]({ ...NOTHING, ...input }, { ask, json, warn }),
  );
  return JSON.parse(result) as unknown;
}

it('values', async () => {
  expect(await perform('get')).toBeNull();
  expect(await perform('set', { value: 'ä "x"\r\n' })).toBe(true);
  expect(await perform('get')).toBe('ä "x"\r\n');
  expect(await perform('set', { value: 'other', onlyIfAbsent: true })).toBe(false);
  expect(await perform('set', { key: 'new', value: '', onlyIfAbsent: true, ttlMs: 60_000 })).toBe(true);
  expect([await perform('get', { key: 'new' }), await server.client.pttl('new')]).toEqual([
    '',
    expect.closeTo(60_000, -4),
  ]);
  expect([await perform('delete'), await perform('delete')]).toEqual([true, false]);
});

it('numbers', async () => {
  expect([await perform('increment'), await perform('increment', { by: -5 })]).toEqual([1, -4]);
  expect(await perform('increment', { by: 0.5 })).toBe(-3.5);
  await server.client.set('large', '9007199254740991');
  expect(await perform('increment', { key: 'large', by: 2 })).toBe('9007199254740993');
  await server.client.set('text', 'x');
  await expect(perform('increment', { key: 'text' })).rejects.toMatchObject({
    code: 'REDIS_ERROR',
    message: 'ERR value is not an integer or out of range',
  });
});

it('expiry', async () => {
  expect(await perform('expire', { ttlMs: 5000 })).toBe(false);
  await perform('set', { value: 'x' });
  expect(await perform('expire', { ttlMs: 50_000 })).toBe(true);
  expect(await server.client.pttl('k')).toBeGreaterThan(40_000);
  expect([await perform('expire'), await server.client.ttl('k')]).toEqual([true, -1]);
});

it('lists', async () => {
  expect(await perform('push', { value: 'b' })).toBe(1);
  expect(await perform('push', { value: 'c' })).toBe(2);
  expect(await perform('push', { value: 'a', end: 'first' })).toBe(3);
  expect([await perform('range'), await perform('range', { from: 1, to: 1 })]).toEqual([['a', 'b', 'c'], ['b']]);
  expect([await perform('pop', { end: 'first' }), await perform('pop', { end: 'last' })]).toEqual(['a', 'c']);
  expect(await perform('pop', { key: 'none' })).toBeNull();
});

it('hashes', async () => {
  const fields: [string, string][] = [
    ['name', 'Ada'],
    ['__proto__', '{"a":1}'],
    ['toString', '007'],
  ];
  expect(await perform('hash_set', { fields })).toBe(3);
  expect(await perform('hash_get', { field: 'name' })).toBe('Ada');
  expect(await perform('hash_get', { field: 'none' })).toBeNull();
  expect(Object.entries((await perform('hash_get_all')) as object)).toEqual(fields);
  expect(Object.entries((await perform('hash_get_all', {}, 'json')) as object)).toEqual([
    ['name', 'Ada'],
    ['__proto__', { a: 1 }],
    ['toString', '007'],
  ]);
  expect(await perform('hash_get_all', { key: 'none' })).toEqual({});
});

it('sets', async () => {
  expect([await perform('set_add', { value: 'a' }), await perform('set_add', { value: 'a' })]).toEqual([true, false]);
  await perform('set_add', { value: '{"b": [1]}' });
  expect(await perform('set_members', {}, 'json')).toEqual(expect.arrayContaining(['a', { b: [1] }]));
});

it('messages', async () => {
  expect(await perform('publish', { channel: 'c', value: 'hello' })).toBe(0);
  const listener = server.client.duplicate();
  const message = new Promise((resolve) => void listener.on('message', (...got) => resolve(got)));
  await listener.subscribe('c');
  expect(await perform('publish', { channel: 'c', value: 'hello' })).toBe(1);
  expect(await message).toEqual(['c', 'hello']);
  listener.disconnect();
});

it('keys, by a pattern and up to a limit', async () => {
  const names = Array.from({ length: 2500 }, (_, index) => `order:${index}`);
  await server.client.mset(...names.flatMap((name) => [name, '1']), 'other', '1', '7', '1');
  const found = await perform('keys', { pattern: 'order:*', limit: 10_000 });
  expect((found as string[]).toSorted()).toEqual(names.toSorted());
  expect(warn).not.toHaveBeenCalled();
  expect(await perform('keys', { pattern: 'order:*', limit: 100 })).toHaveLength(100);
  expect(warn).toHaveBeenCalledWith('There are more keys: only 100 were read');
  expect(await perform('keys', { pattern: '?' }, 'json')).toEqual(['7']);
  expect(await perform('keys', { pattern: 'none' })).toEqual([]);
});

describe('another command', () => {
  const command = (name: string, ...values: string[]) =>
    perform('command', { command: name, arguments: values }, 'json');

  it('gives its reply', async () => {
    expect(await command(' zadd ', 's', '1.5', 'a', '2', 'b')).toBe(2);
    expect(await command('ZRANGE', 's', '0', '-1', 'WITHSCORES')).toEqual(['a', 1.5, 'b', 2]);
    expect(await command('PING')).toBe('PONG');
    expect(await command('XADD', 'x', '1-1', 'a', '{"b":1}')).toBe('1-1');
    expect(await command('XRANGE', 'x', '-', '+')).toEqual([['1-1', ['a', { b: 1 }]]]);
    expect(await command('MGET', 'none', 's2')).toEqual([null, null]);
    expect(await command('HGETALL', 'none')).toEqual([]);
  });

  it('that is refused is not sent', async () => {
    await perform('set', { value: 'kept' });
    await expect(command('flushall')).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('config.command: FLUSHALL is not a command that workflows may send'),
    });
    await expect(command('XREAD', 'BLOCK', '0', 'STREAMS', 'a', '0')).rejects.toMatchObject({ code: 'CONFIG' });
    expect(await perform('get')).toBe('kept');
  });

  it('cannot be changed by its arguments', async () => {
    await perform('set', { value: 'kept' });
    expect(await command('GET', 'k\r\nFLUSHALL\r\n')).toBeNull();
    expect(await perform('get')).toBe('kept');
  });
});

it('values that are nested too deep, and results that are too large', async () => {
  await server.client.set('deep', '['.repeat(2000) + ']'.repeat(2000));
  await expect(perform('get', { key: 'deep' }, 'json')).rejects.toMatchObject({ code: 'OUTPUT_TOO_DEEP' });
  expect(await perform('get', { key: 'deep' })).toHaveLength(4000);
  // Each of these bytes is six characters of JSON.
  await server.client.set('control', '\u0001'.repeat(2_000_000));
  await expect(perform('get', { key: 'control' })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: 'The result is larger than 10 MiB.',
  });
  await server.client.set('json', JSON.stringify({ text: 'x'.repeat(100_000) }));
  expect(await perform('get', { key: 'json' }, 'json')).toEqual({ text: 'x'.repeat(100_000) });
});
