import { connect } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { attachLiveChannel, type AttachedChannel } from '@/server/api/channel/attach';
import { createHttpServer, setPeerHeader } from '@/server/api/http/server';
import { getRuntime } from '@/server/platform/runtime';

/**
 * The HTTP server and the live channel of this process: what reads from strangers runs in the thread that is measured.
 */
export interface Listener {
  port: number;
}

/** Before the tests of a file, which has a database that trusts one proxy. */
export function useListener(): Listener {
  const listener: Listener = { port: 0 };
  let http: Server | undefined;
  let channel: AttachedChannel | undefined;
  beforeAll(async () => {
    // What tests compare is not to be measured.
    delete getRuntime().inspectReply;
    const server = createHttpServer((_request, response) => response.writeHead(404).end());
    const live = await attachLiveChannel(server);
    server.on('upgrade', (request, socket, head) => {
      setPeerHeader(request);
      if (!live.handleUpgrade(request, socket, head)) socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    listener.port = (server.address() as AddressInfo).port;
    [http, channel] = [server, live];
  });
  afterAll(async () => {
    await channel?.close();
    http?.closeAllConnections();
    await new Promise((resolve) => (http ? http.close(resolve) : resolve(undefined)));
  });
  return listener;
}

export interface RawRequest {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The sender waits for the end of the answer, which may be large; else for its head. */
  isReadToEnd?: boolean;
}

let callers = 0;
/** Each request comes from another network, so that no limit of rates refuses it before it is read. */
export function nextAddress(): string {
  callers += 1;
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
}

function bytesOf({ method, target, headers = {}, body }: RawRequest): Buffer {
  const content = body === undefined ? undefined : Buffer.from(body as string);
  const all: Record<string, string> = { host: 'localhost', 'x-forwarded-for': nextAddress(), connection: 'close' };
  if (content) all['content-length'] = String(content.length);
  Object.assign(all, headers);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    content ?? Buffer.of(),
  ]);
}

const MOST_HEAD = 8192;
/** By a limit of rates. Guesses of a password are refused with the same status, but are read. */
const NOTHING_LEFT = /^x-ratelimit-remaining: 0\r$/im;

/**
 * Prepares a request. What is returned sends its bytes over a connection of its own, and resolves with the status of
 * the answer. The sender shares the measured thread, so it does no more than a socket must.
 */
export function prepareRequest({ port }: Listener, request: RawRequest): () => Promise<number> {
  const bytes = bytesOf(request);
  return () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let head = '';
      socket.on('data', (chunk: Buffer) => {
        if (head.length >= MOST_HEAD || head.includes('\r\n\r\n')) return;
        head += chunk.toString('latin1', 0, MOST_HEAD);
        if (!head.includes('\r\n\r\n') && head.length < MOST_HEAD) return;
        if (!request.isReadToEnd) socket.destroy();
        const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
        if (status >= 500) reject(new Error(`was answered ${status}`));
        else if (status === 429 && NOTHING_LEFT.test(head)) reject(new Error('was refused before it was read'));
        else if (request.isReadToEnd) socket.on('end', () => resolve(status));
        else resolve(status);
      });
      // The service closes the connection of a request that is too large; what has arrived of its answer counts.
      socket.on('error', () => undefined);
      socket.on('close', () => reject(new Error('the connection was closed without an answer')));
    });
}
