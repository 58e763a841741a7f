import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonOf } from '@/server/expressions/large-json';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { ServerMessage } from '@/contract/channel';
import type { Allowances } from './allowance';
import { Connection, type Timeouts } from './connection';
import { networkBehind } from './network';
import type { UnauthenticatedConnections } from './unauthenticated-connections';
import type { Watch } from './watch';

/** A larger frame is refused; one above MAX_PAYLOAD_BYTES ends its connection before it is received completely. */
export const MAX_FRAME_BYTES = 65_536;
export const MAX_PAYLOAD_BYTES = 1_048_576;
/** Backpressure: with more unsent bytes than this, no more pages are read for the client. */
const MAX_PENDING = 1_048_576;
/** A client that does not answer a ping within this time is disconnected. */
const PING_MS = 30_000;
const TRY_LATER = 1013;

/** Plain WebSocket with one JSON message per text frame. */
export interface WebSockets {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Watchers of one run share message objects, so each is serialized once. */
const texts = new WeakMap<ServerMessage, string>();
function textOf(message: ServerMessage): string {
  const text = texts.get(message) ?? jsonOf(message) ?? '';
  texts.set(message, text);
  return text;
}

const sizeOf = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data).length : data.byteLength);

/** Parses the JSON of a text frame of allowed size; undefined for anything else. */
function parse(data: RawData, isBinary: boolean): unknown {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  if (isBinary || bytes.length > MAX_FRAME_BYTES) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Not JSON: the connection answers with an error.
    return undefined;
  }
}

interface Wiring {
  watch: Watch;
  /** The set of open connections. */
  connections: Set<Connection>;
  timeouts: Timeouts;
  allowances: Allowances;
  unauthenticated: UnauthenticatedConnections;
}

export function webSockets({ watch, connections, timeouts, allowances, unauthenticated }: Wiring): WebSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false });
  const silent = new WeakSet<WebSocket>();

  function begin(socket: WebSocket, request: IncomingMessage): void {
    // An error is always followed by `close`, which does the work.
    socket.on('error', () => undefined);
    const leave = unauthenticated.enter(networkBehind(request), () => socket.close(TRY_LATER, 'Too busy'));
    if (!leave) return socket.close(TRY_LATER, 'Too busy');
    const isFull = () => socket.bufferedAmount > MAX_PENDING;
    const connection = new Connection(
      {
        send: (message) => socket.send(textOf(message), () => isFull() || connection.drained()),
        close: (code, reason) => {
          socket.close(code, reason);
          // A client that does not close in turn is terminated.
          setTimeout(() => socket.terminate(), 5000).unref();
        },
        isFull,
      },
      watch,
      allowances.connection(),
      null,
      timeouts,
      leave,
    );
    connections.add(connection);
    socket.on('message', (data, isBinary) => {
      if (connection.admits(sizeOf(data))) connection.receive(parse(data, isBinary));
    });
    socket.on('pong', () => silent.delete(socket));
    socket.on('close', () => {
      connections.delete(connection);
      connection.closed();
    });
  }

  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate();
      silent.add(socket);
      socket.ping();
    }
  }, PING_MS);
  heartbeat.unref();

  return {
    handleUpgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, begin),
    close() {
      clearInterval(heartbeat);
      server.close();
      for (const socket of server.clients) socket.terminate();
    },
  };
}
