import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { SocketServerMessage } from '@/contract/channel';
import type { ConnectionAllowances } from './allowance';
import { ChannelConnection, type ConnectionTimeouts } from './connection';
import { clientNetwork } from './network';
import type { UnauthenticatedConnections } from './unauthenticated-connections';
import type { RunWatch } from './watch';

/** A larger frame is refused; one above MAX_PAYLOAD_BYTES ends its connection before it is received completely. */
export const MAX_FRAME_BYTES = 65_536;
export const MAX_PAYLOAD_BYTES = 1_048_576;
/** Backpressure: with more unsent bytes than this, no more pages are read for the client. */
const MAX_PENDING_BYTES = 1_048_576;
/** A client that does not answer a ping within this time is disconnected. */
const PING_INTERVAL_MS = 30_000;
const CLOSE_TRY_LATER = 1013;

/** Plain WebSocket with one JSON message per text frame. */
export interface WebSocketEndpoint {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Watchers of one run share message objects, so each is serialized once. */
const serializedMessages = new WeakMap<SocketServerMessage, string>();
function serializeMessage(message: SocketServerMessage): string {
  const text = serializedMessages.get(message) ?? serializeJson(message) ?? '';
  serializedMessages.set(message, text);
  return text;
}

const frameSize = (data: RawData): number => (Array.isArray(data) ? Buffer.concat(data).length : data.byteLength);

/** Parses the JSON of a text frame of allowed size; undefined for anything else. */
function parseTextFrame(data: RawData, isBinary: boolean): unknown {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  if (isBinary || bytes.length > MAX_FRAME_BYTES) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Not JSON: the connection answers with an error.
    return undefined;
  }
}

interface WebSocketOptions {
  watch: RunWatch;
  /** The set of open connections. */
  connections: Set<ChannelConnection>;
  timeouts: ConnectionTimeouts;
  allowances: ConnectionAllowances;
  unauthenticated: UnauthenticatedConnections;
}

export function openWebSockets({
  watch,
  connections,
  timeouts,
  allowances,
  unauthenticated,
}: WebSocketOptions): WebSocketEndpoint {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false });
  const silent = new WeakSet<WebSocket>();

  function begin(socket: WebSocket, request: IncomingMessage): void {
    // An error is always followed by `close`, which does the work.
    socket.on('error', () => undefined);
    const leave = unauthenticated.enter(clientNetwork(request), () => socket.close(CLOSE_TRY_LATER, 'Too busy'));
    if (!leave) return socket.close(CLOSE_TRY_LATER, 'Too busy');
    const isFull = () => socket.bufferedAmount > MAX_PENDING_BYTES;
    const connection = new ChannelConnection(
      {
        send: (message) => socket.send(serializeMessage(message), () => isFull() || connection.drained()),
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
      if (connection.admits(frameSize(data))) connection.receive(parseTextFrame(data, isBinary));
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
  }, PING_INTERVAL_MS);
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
