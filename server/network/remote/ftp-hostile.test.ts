import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getRuntime } from '@/server/platform/runtime';
import { useEvaluation } from '@/server/testing/evaluation';
import { listenRaw } from '@/server/testing/servers/raw';
import { remoteCredential, use } from '@/server/testing/remote';
import { until } from '@/server/testing/runs';
import { checkRemoteServer } from './check';
import { countRemoteConnections } from './credential';
import type { RemoteFiles } from './entries';
import { withRemoteFiles } from './transfer';

useEvaluation();

afterEach(() => {
  getRuntime().env.egressAllowPrivate = true;
});

const USUAL: Record<string, string> = { USER: '331 Password?', PASS: '230 Welcome', CWD: '250 Done', PWD: '257 "/"' };

type Reply = (argument: string, socket: Socket) => string | undefined;

/** An FTP server whose replies a test writes; what it does not write is usual, or refused. Undefined: no reply. */
async function ftpServer(replies: Record<string, Reply>): Promise<{ port: number; commands: string[] }> {
  const commands: string[] = [];
  const port = await listenRaw((socket) => {
    socket.write('220 Ready\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        commands.push(line);
        const [command = '', ...rest] = line.split(' ');
        const own = replies[command];
        const reply = own
          ? own(rest.join(' '), socket)
          : (USUAL[command] ?? (command === 'TYPE' ? '200 Done' : '502 No'));
        if (reply !== undefined) socket.write(`${reply}\r\n`);
      }
    });
  });
  return { port, commands };
}

/** A data connection that sends parts. */
const sending = (parts: Iterable<string>, host?: string) =>
  listenRaw((socket) => {
    const next = parts[Symbol.iterator]();
    const more = () => {
      for (let part = next.next(); socket.writable; part = next.next()) {
        if (part.done) return void socket.end();
        if (!socket.write(part.value)) return;
      }
    };
    socket.on('drain', more);
    more();
  }, host);

const pasv = (host: string, port: number) =>
  `227 Entering Passive Mode (${host.replaceAll('.', ',')},${port >> 8},${port & 255})`;

const config = (port: number, more: object = {}) => ({
  host: '127.0.0.1',
  port,
  username: 'ada',
  password: 'canary-ftp-password',
  tls: 'none',
  ...more,
});
const withServer = <Result>(port: number, work: (files: RemoteFiles) => Promise<Result>, signal?: AbortSignal) =>
  withRemoteFiles(remoteCredential('ftp', config(port)), use(signal), work);

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString();
}
const download = (port: number) => withServer(port, (files) => textOf(files.read('/file')));
const list = (port: number) => withServer(port, (files) => files.list('/'));

const transfer =
  (end = '226 Done') =>
  (_: string, socket: Socket) => {
    socket.write('150 Here it comes\r\n');
    return end;
  };

describe('a data connection', () => {
  it('goes to the server itself, also if it names another address', async () => {
    const data = await sending(['the file']);
    const { port } = await ftpServer({ PASV: () => pasv('192.0.2.1', data), RETR: transfer() });
    expect(await download(port)).toBe('the file');
  });

  it('is not opened to a port that is none', async () => {
    const { port } = await ftpServer({ EPSV: () => '229 (|||999999|)', PASV: () => '227 (1,2,3)', RETR: transfer() });
    await expect(download(port)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  it('that ends early is no whole file', async () => {
    const data = await sending(['the fi']);
    const { port } = await ftpServer({ PASV: () => pasv('127.0.0.1', data), RETR: transfer('426 Aborted') });
    await expect(download(port)).rejects.toMatchObject({ code: 'TRANSFER_REFUSED', retriable: true });
  });
});

describe('a server that', () => {
  it.each([
    ['speaks no FTP', 'SSH-2.0-x\r\n', 'CONNECTION_LOST'],
    ['sends a reply without end', `220-${'x'.repeat(100_000)}`, 'BAD_RESPONSE'],
    ['is full', '421 Too many users\r\n', 'CONNECTION_FAILED'],
  ])('%s fails the node only', async (_, greeting, code) => {
    const port = await listenRaw((socket) => void socket.end(greeting));
    const failed = { code: expect.stringMatching(`${code}|CONNECTION_FAILED`) as string };
    await expect(list(port)).rejects.toMatchObject(failed);
    expect(countRemoteConnections()).toBe(0);
  });

  it('offers no TLS gets no password', async () => {
    const { port, commands } = await ftpServer({});
    const tested = checkRemoteServer(remoteCredential('ftp', config(port, { tls: 'explicit' })), use());
    await expect(tested).rejects.toMatchObject({ code: 'TLS', retriable: false });
    expect(commands.filter((line) => /^(?:USER|PASS)/.test(line))).toEqual([]);
  });

  it('is not public is not called', async () => {
    const { port, commands } = await ftpServer({});
    getRuntime().env.egressAllowPrivate = false;
    await expect(list(port)).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    expect(commands).toEqual([]);
  });

  it('lists without end is given up', async () => {
    function* lines() {
      for (let count = 0; ; count += 1) yield `type=file;size=1;modify=20260101000000; file-${count}\r\n`.repeat(100);
    }
    const data = await sending(lines());
    const { port } = await ftpServer({ PASV: () => pasv('127.0.0.1', data), LIST: transfer() });
    await expect(list(port)).rejects.toMatchObject({ code: 'TOO_LARGE', retriable: false });
  });

  it.each([
    ['a long line', `-rw-r--r-- 1 ${'a '.repeat(50_000)}\r\n`],
    ['a listing of its own', 'neither one nor the other\r\n'],
  ])('sends %s fails the node only', async (_, line) => {
    const data = await sending([line]);
    const { port } = await ftpServer({ PASV: () => pasv('127.0.0.1', data), LIST: transfer() });
    await expect(list(port)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  it('lists names that lead elsewhere has them left out', async () => {
    const names = ['..', '../../etc/passwd', 'a'].map((name) => `type=file;size=1;modify=20260101000000; ${name}\r\n`);
    const data = await sending([...names, 'type=file;size=x;modify=99999999999999; b\r\n']);
    const { port } = await ftpServer({ PASV: () => pasv('127.0.0.1', data), LIST: transfer() });
    expect(await list(port)).toEqual([
      { name: 'a', path: '/a', type: 'file', size: 1, modifiedAt: '2026-01-01T00:00:00.000Z' },
      { name: 'b', path: '/b', type: 'file', size: null, modifiedAt: null },
    ]);
  });

  it('never answers is given up when the node is stopped', async () => {
    const stop = new AbortController();
    const { port } = await ftpServer({
      CWD() {
        stop.abort();
        return undefined;
      },
    });
    const listed = withServer(port, (files) => files.list('/'), stop.signal);
    await expect(listed).rejects.toMatchObject({ code: 'ABORTED' });
    expect(countRemoteConnections()).toBe(0);
  });
});

it('a path is one argument of one command', async () => {
  const { port, commands } = await ftpServer({ DELE: () => '250 Done' });
  await withServer(port, (files) => files.remove('* -R ~/ a'));
  expect(commands).toContain('DELE * -R ~/ a');
  await expect(withServer(port, (files) => files.remove('a\r\nDELE b'))).rejects.toThrow();
  expect(commands).not.toContain('DELE b');
});

it('content that can not be read ends the upload', async () => {
  const data = await listenRaw((socket) => void socket.resume());
  const content = new Readable({ read() {} });
  const { port } = await ftpServer({
    PASV: () => pasv('127.0.0.1', data),
    STOR(_, socket) {
      socket.write('150 Send it\r\n', () => content.destroy(new NodeFailure('FILE_STORAGE', 'gone')));
      return undefined;
    },
  });
  const sent = withServer(port, (files) => files.write('/file', content));
  await expect(sent).rejects.toMatchObject({ code: 'FILE_STORAGE' });
  await until(async () => countRemoteConnections() === 0, 'the connection to end');
});
