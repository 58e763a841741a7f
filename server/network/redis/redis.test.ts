import path from 'node:path';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import type { ServerCredential } from '@/server/network/pools/pool';
import { getRuntime } from '@/server/platform/runtime';
import { buildCertificate, type TestCertificate } from '@/server/testing/certificates';
import { useDatabase } from '@/server/testing/database';
import { buildWorkspace } from '@/server/testing/factories';
import { freePort } from '@/server/testing/listen';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { storeCertificate } from '@/server/testing/servers/sql';
import { until } from '@/server/testing/runs';
import {
  closeRedisPools,
  countRedisConnections,
  sweepRedisPools,
  withRedisSession,
  type SendRedisCommand,
} from './redis';

useDatabase();

let server: RedisServer;
let tls: TestCertificate;
let tlsPort: number;
let folder: string;

beforeAll(async () => {
  tls = await buildCertificate();
  folder = storeCertificate(tls, tmpdir());
  tlsPort = await freePort();
  const file = (name: string) => path.join(folder, name);
  const files = ['--tls-ca-cert-file', file('ca.pem'), '--tls-cert-file', file('cert.pem')];
  const options = ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--tls-key-file', file('key.pem')];
  server = await startRedis(...options, ...files);
  await server.client.call('ACL', 'SETUSER', 'ada', 'on', '>a-password', '~*', '&*', '+@all', '-flushall');
});
beforeEach(async () => {
  await server.client.flushall();
});
afterEach(() => closeRedisPools());
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true });
});

function credential(config: object = {}, more: Partial<ServerCredential> = {}): ServerCredential {
  const { hostname, port } = new URL(server.url);
  const own = { host: hostname, port: Number(port), database: 0, tls: 'off', ...config };
  return {
    id: generateId('cred'),
    workspaceId: generateId('ws'),
    name: 'Test',
    type: 'redis',
    version: 1,
    config: own,
    ...more,
  };
}

const use = <Result>(
  mine: ServerCredential,
  work: (ask: SendRedisCommand) => Promise<Result>,
  signal = new AbortController().signal,
) => withRedisSession(mine, { signal, redact: (text) => text.replaceAll('a-password', '••') }, work);
const ping = (mine: ServerCredential) => use(mine, async (ask) => String(await ask('PING')));

describe('a connection', () => {
  it('signs in as a user, and chooses the database', async () => {
    const mine = credential({ username: 'ada', password: 'a-password', database: 3 });
    await use(mine, (ask) => ask('SET', 'a', '1'));
    expect(await use(mine, async (ask) => String(await ask('ACL', 'WHOAMI')))).toBe('ada');
    await server.client.select(3);
    expect(await server.client.get('a').finally(() => server.client.select(0))).toBe('1');
  });

  it.each([
    [{ username: 'ada', password: 'wrong' }, 'CONNECTION_FAILED', 'WRONGPASS', false],
    [{ password: 'a-password' }, 'CONNECTION_FAILED', '127.0.0.1: ', false],
    [{ database: 9999 }, 'CONNECTION_FAILED', 'DB index is out of range', false],
    [{ host: 'no-such-host.invalid' }, 'DNS', 'no-such-host.invalid', true],
    [{ port: 1 }, 'CONNECTION_FAILED', 'ECONNREFUSED', true],
  ])('with %j fails with %s', async (config, code, part, retriable) => {
    const failed = ping(credential(config));
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(part), retriable });
    expect(countRedisConnections()).toEqual({ open: 0, idle: 0 });
  });

  it('is encrypted, and verifies the certificate unless told otherwise', async () => {
    const secure = { port: tlsPort, tls: 'verify', ca: tls.ca };
    expect(await ping(credential(secure))).toBe('PONG');
    expect(await ping(credential({ ...secure, tls: 'require', ca: undefined }))).toBe('PONG');
    const unknown = ping(credential({ ...secure, ca: undefined }));
    await expect(unknown).rejects.toMatchObject({ code: 'TLS', retriable: false });
  });

  it('goes to public addresses only, unless the operator allows others', async () => {
    getRuntime().env.egressAllowPrivate = false;
    try {
      await expect(ping(credential())).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
      await expect(ping(credential({ host: 'localhost' }))).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
      await expect(ping(credential({ tls: 'verify' }))).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    } finally {
      getRuntime().env.egressAllowPrivate = true;
    }
  });

  it('is used again, and replaced when the server has closed it', async () => {
    const mine = credential();
    const idOf = () => use(mine, async (ask) => String(await ask('CLIENT', 'ID')));
    const isIdle = () => until(async () => countRedisConnections().idle === 1, 'the connection to be idle');
    const first = await idOf();
    await isIdle();
    expect(await idOf()).toBe(first);
    await isIdle();
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    const replaced = await until(async () => idOf().catch(() => undefined), 'another connection');
    expect(replaced).not.toBe(first);
  });

  it('that ends before the reply fails what waits for it, which may be tried again', async () => {
    const mine = credential();
    const waiting = use(mine, (ask) => ask('BLPOP', 'none', '0'));
    await until(async () => String(await server.client.call('CLIENT', 'LIST')).includes('cmd=blpop'), 'it to wait');
    // Together: it may fail before the answer to KILL arrives.
    const [lost] = await Promise.allSettled([
      waiting,
      server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'CONNECTION_LOST', retriable: true } });
    expect(countRedisConnections().open).toBe(0);
  });

  it('of a node that is stopped is closed', async () => {
    const stop = new AbortController();
    const waiting = use(credential(), (ask) => ask('BLPOP', 'none', '0'), stop.signal);
    await until(async () => String(await server.client.call('CLIENT', 'LIST')).includes('cmd=blpop'), 'it to wait');
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await until(async () => !String(await server.client.call('CLIENT', 'LIST')).includes('cmd=blpop'), 'it to end');
    expect(countRedisConnections().open).toBe(0);
  });

  it('of a credential of another kind is refused', async () => {
    const message = 'The credential "Test" is not one of a Redis server.';
    await expect(ping(credential({}, { type: 'postgres' }))).rejects.toMatchObject({
      code: 'CREDENTIAL_KIND',
      message,
    });
  });
});

describe('the connections of a workspace', () => {
  it('are five of a credential and ten of all; others do not wait for them', async () => {
    const hostile = generateId('ws');
    const mine = [1, 2, 3].map(() => credential({}, { workspaceId: hostile }));
    const wait = (one: ServerCredential) => use(one, async (ask) => String(await ask('BLPOP', 'gate', '0')));
    const waiting = mine.flatMap((one) => Array.from({ length: 8 }, () => wait(one)));
    await until(async () => countRedisConnections().open === 10, 'the workspace to have its connections');
    expect(await ping(credential())).toBe('PONG');
    expect(countRedisConnections().open).toBe(11);
    await server.client.rpush('gate', ...Array.from({ length: 24 }, String));
    await expect(Promise.all(waiting)).resolves.toHaveLength(24);
  });

  it('are closed when their credential is changed or deleted', async () => {
    const workspaceId = await buildWorkspace();
    const row = { name: 'x', type: 'redis', status: 'active', config: {}, sealed: '', secretFields: [], version: 1 };
    const [changed, deleted, kept] = [generateId('cred'), generateId('cred'), generateId('cred')];
    for (const id of [changed, deleted, kept]) {
      await prismaClient().credential.create({ data: { ...row, id, workspaceId } });
      await ping(credential({}, { id, workspaceId }));
    }
    await until(async () => countRedisConnections().idle === 3, 'the connections to be idle');
    await prismaClient().credential.update({ where: { id: changed }, data: { version: 2 } });
    await prismaClient().credential.delete({ where: { id: deleted } });
    await sweepRedisPools();
    expect(countRedisConnections()).toEqual({ open: 1, idle: 1 });
  });
});

describe('a reply', () => {
  it('that is large arrives whole, after memory is reserved', async () => {
    const text = 'ä'.repeat(2_000_000);
    await server.client.set('large', text);
    const reserve = vi.fn<(bytes: number) => Promise<void>>(async () => undefined);
    const context = { signal: new AbortController().signal, redact: (all: string) => all, reserve };
    const mine = credential();
    expect(String(await withRedisSession(mine, context, (ask) => ask('GET', 'large'))) === text).toBe(true);
    expect(reserve).toHaveBeenCalledTimes(1);
    await withRedisSession(mine, context, (ask) => ask('STRLEN', 'large'));
    expect(reserve).toHaveBeenCalledTimes(1);
  });

  it('that is too large ends the connection', async () => {
    await server.client.set('huge', Buffer.alloc(11 * 1024 * 1024));
    const mine = credential();
    const tooLarge = { code: 'TOO_LARGE', message: 'The reply of the server is larger than 10 MiB.', retriable: false };
    await expect(use(mine, (ask) => ask('GET', 'huge'))).rejects.toMatchObject(tooLarge);
    await server.client.rpush('many', ...Array.from({ length: 50_001 }, String));
    const tooMany = { code: 'TOO_LARGE', message: 'The reply of the server has more than 50,000 values.' };
    await expect(use(mine, (ask) => ask('LRANGE', 'many', '0', '-1'))).rejects.toMatchObject(tooMany);
    expect(await ping(mine)).toBe('PONG');
  });

  it('that is an error leaves the connection open, and hides secrets', async () => {
    const mine = credential();
    await server.client.set('text', 'x');
    const wrong = use(mine, (ask) => ask('LPUSH', 'text', 'y'));
    await expect(wrong).rejects.toMatchObject({
      code: 'REDIS_ERROR',
      message: 'WRONGTYPE Operation against a key holding the wrong kind of value',
      retriable: false,
    });
    await until(async () => countRedisConnections().idle === 1, 'the connection to be idle');
    const echoed = use(mine, (ask) => ask('a-password\r\n'));
    await expect(echoed).rejects.toMatchObject({ message: expect.not.stringContaining('a-password') });
  });
});
