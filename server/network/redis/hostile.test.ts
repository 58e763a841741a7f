import { randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { listenRaw } from '@/server/testing/servers/raw';
import { until } from '@/server/testing/runs';
import { closeRedisPools, countRedisConnections, withRedisSession } from './redis';

useDatabase();

afterEach(closeRedisPools);

/** A server that answers each command with the same bytes. */
const answering = (bytes: string | Buffer) => listenRaw((socket) => socket.on('data', () => socket.write(bytes)));

function get(port: number, password?: string) {
  const config = { host: '127.0.0.1', port, database: 0, tls: 'off', ...(password && { password }) };
  const credential = {
    id: generateId('cred'),
    workspaceId: generateId('ws'),
    name: 'x',
    type: 'redis',
    version: 1,
    config,
  };
  const signal = new AbortController().signal;
  return withRedisSession(credential, { signal, redact: (text) => text }, (ask) => ask('GET', 'a'));
}

it.each([
  ['random bytes', randomBytes(5000)],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['a list of a billion values', '*1000000000\r\n'],
  ['lists of millions of values, one in another', '*30000000\r\n'.repeat(1000)],
  ['a list of a negative length', '*-7\r\n'],
  ['a length that is no number', '$1e3\r\n'],
  ['a text of a gigabyte', '$999999999\r\n'],
  ['deep lists', '*1\r\n'.repeat(100_000)],
  ['many values', `*50001\r\n${':1\r\n'.repeat(50_001)}`],
  ['a line without end', `+${'x'.repeat(100_000)}`],
  ['two replies', '+OK\r\n+OK\r\n'],
  ['a reply and the beginning of another', '+OK\r\n*'],
  ['a message of RESP 3', '>3\r\n+message\r\n+a\r\n+b\r\n'],
  ['a number that is none', ':1x\r\n'],
])('a server that answers with %s fails the command only', async (_, bytes) => {
  const port = await answering(bytes);
  await expect(get(port)).rejects.toMatchObject({ code: expect.stringMatching(/^(?:BAD_RESPONSE|TOO_LARGE)$/) });
  await until(async () => countRedisConnections().open === 0, 'the connection to be closed');
});

it('a server that speaks first is cut off', async () => {
  const port = await listenRaw((socket) => socket.write('+OK\r\n+OK\r\n'));
  await expect(get(port)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  await until(async () => countRedisConnections().open === 0, 'the connection to be closed');
});

it('a server that closes at once, or refuses the login, fails the connection', async () => {
  const closing = await listenRaw((socket) => socket.end());
  await expect(get(closing)).rejects.toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) });
  const warn = vi.spyOn(console, 'warn');
  const refusing = await answering('-ERR Client sent AUTH, but no password is set\r\n');
  await expect(get(refusing, 'p')).rejects.toMatchObject({ code: 'CONNECTION_FAILED', retriable: false });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

it('a server that sends without end is cut off', async () => {
  let isCut = false;
  const port = await listenRaw((socket) => {
    socket.once('data', () => {
      socket.write('*40000\r\n');
      const more = () => {
        while (socket.writable && socket.write(`$60000\r\n${'x'.repeat(60_000)}\r\n`));
      };
      socket.on('drain', more);
      socket.on('close', () => (isCut = true));
      more();
    });
  });
  await expect(get(port)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await until(async () => isCut, 'the connection to end');
});

it('the redirection of a cluster is a sentence', async () => {
  const message = 'Another node of the cluster has the key; clusters are not supported.';
  await expect(get(await answering('-MOVED 3999 10.0.0.1:6381\r\n'))).rejects.toMatchObject({
    message,
    retriable: false,
  });
  await expect(get(await answering('-LOADING wait\r\n'))).rejects.toMatchObject({
    code: 'REDIS_ERROR',
    retriable: true,
  });
});
