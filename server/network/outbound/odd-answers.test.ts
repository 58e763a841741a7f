import { afterAll, describe, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { startRawServer } from '@/server/testing/growth/hostile-server';
import { closeOutboundConnections } from './connections';
import { sendOutboundRequest } from './outbound';

useDatabase({ egressAllowPrivate: true });
afterAll(closeOutboundConnections);

/** What a request gets from a server that sends these bytes, whole and byte by byte. */
async function answered(text: string, method = 'GET', size = Infinity) {
  const bytes = Buffer.from(text, 'latin1');
  const server = await startRawServer((socket) =>
    socket.once('data', () => {
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size));
      socket.end();
    }),
  );
  const url = `http://127.0.0.1:${server.port}/`;
  return sendOutboundRequest({ workspaceId: 'ws_odd', url, method })
    .then(({ status, headers, body }) => ({ status, headers, body: body.toString() }))
    .finally(() => server.close());
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('what curl takes is taken', () => {
  test.each<[string, string, object?]>([
    ['an ordinary answer', `${OK}content-length: 2\r\n\r\nok`],
    ['no blank after the colon', `${OK}content-length:2\r\nx-a:b\r\n\r\nok`, { 'x-a': 'b' }],
    ['a blank before the colon', `${OK}content-length : 2\r\nx-a\t: b\r\n\r\nok`, { 'x-a': 'b' }],
    ['folded lines', `${OK}x-a: b\r\n c\r\n\td\r\ncontent-length: 2\r\n\r\nok`, { 'x-a': 'b c d' }],
    ['equal lengths', `${OK}content-length: 2\r\nContent-Length: 2\r\n\r\nok`, { 'content-length': '2' }],
    ['equal lengths in a line', `${OK}content-length: 2, 2\r\n\r\nok`, { 'content-length': '2' }],
    ['a length beside chunks', `${OK}content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['a coding that is none', `${OK}transfer-encoding: identity\r\ncontent-length: 2\r\n\r\nok`],
    ['no reason', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
    ['a reason in lower case', 'HTTP/1.1 200 ok\r\ncontent-length: 2\r\n\r\nok'],
    ['the protocol in lower case', 'http/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['two blanks', 'HTTP/1.1  200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nx-a: b\r\n\r\nok', { 'x-a': 'b' }],
    ['another version', 'HTTP/2 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['lines that end with LF', 'HTTP/1.1 200 OK\ncontent-length: 2\nx-a: b\n\nok', { 'x-a': 'b' }],
    ['some lines that end with LF', `${OK}content-length: 2\nx-a: b\r\n\nok`, { 'x-a': 'b' }],
    ['control characters', `${OK}content-length: 2\r\nx-a: b\u0001c\r\n\r\nok`, { 'x-a': 'b c' }],
    ['no length', `${OK}x-a: b\r\n\r\nok`, { 'x-a': 'b' }],
    ['an interim answer that nobody asked for', `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nok`],
    ['several', `HTTP/1.1 103 Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 x\n\n${OK}x-a: b\r\n\r\nok`, { 'x-a': 'b' }],
    ['more than announced', `${OK}content-length: 2\r\n\r\nokay`],
    ['an empty line first', `\r\n${OK}content-length: 2\r\n\r\nok`],
  ])('%s', async (_, text, headers = {}) => {
    for (const size of [Infinity, 1, 7])
      expect(await answered(text, 'GET', size)).toMatchObject({ status: 200, body: 'ok', headers });
  });

  test.each([
    ['GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'],
    ['GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'],
    ['GET', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 No Content\r\nContent-Encoding: compress\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 200\r\n\r\n'],
    ['HEAD', `${OK}Content-Length: 200\r\nContent-Encoding: gzip\r\n\r\n`],
    ['HEAD', `${OK}Content-Length: 2\r\n\r\n{}`],
    ['POST', `${OK}Content-Length: 0\r\nContent-Encoding: gzip\r\n\r\n`],
  ])('%s %s has no body', async (method, text) => {
    expect(await answered(text, method)).toMatchObject({ body: '' });
  });
});

test.each([
  ['different lengths', `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`],
  ['a line without a colon', `${OK}content-length: 2\r\ngarbage\r\n\r\nok`],
  ['another protocol', 'SSH-2.0-OpenSSH_9\r\n'],
  ['half a head of another', 'ICY 200 OK\r\ncontent-length: 2\r\n\r\nok'],
  ['a length that is none', `${OK}content-length: -1\r\n\r\nok`],
  ['chunks that end with LF', `${OK}transfer-encoding: chunked\r\n\r\n2\nok\n0\n\n`],
])('%s: the answer cannot be read, and is not asked for again', async (_, text) => {
  await expect(answered(text)).rejects.toMatchObject({ code: 'BAD_RESPONSE', retriable: false });
});

test('a head without end is refused', async () => {
  await expect(answered(`${OK}x: ${'y'.repeat(200_000)}`)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a connection is used again after an odd answer', async () => {
  let connections = 0;
  const server = await startRawServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\ncontent-length : 2\n\nok'));
  });
  const call = async () =>
    (await sendOutboundRequest({ workspaceId: 'ws_odd', url: `http://127.0.0.1:${server.port}/` })).body;
  for (let round = 0; round < 6; round += 1) expect((await call()).toString()).toBe('ok');
  // A second one, if the first was still being freed.
  expect(connections).toBeLessThan(3);
  await closeOutboundConnections();
  await server.close();
});
