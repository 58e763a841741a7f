import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { ServerMessage } from '@/contract/channel';
import { Connection, type Patience } from './connection';
import type { Watch } from './watch';

/** A frame above this is refused; one above MAX_PAYLOAD ends its connection before it is all here. */
const MAX_FRAME = 65_536;
const MAX_PAYLOAD = 1_048_576;
/** Bytes under way to a client above which nothing more is read for it. */
const MAX_PENDING = 1_048_576;
/** A client that answers no ping within this is gone. */
const PING_MS = 30_000;
const TRY_LATER = 1013;

/** Plain WebSocket with one JSON message a text frame. */
export interface WebSockets {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Watchers of one run get the same message objects, so each is put into words once. */
const texts = new WeakMap<ServerMessage, string>();
function textOf(message: ServerMessage): string {
  const text = texts.get(message) ?? JSON.stringify(message);
  texts.set(message, text);
  return text;
}

/** JSON of a text frame of fair size; undefined for anything else. */
function parse(data: RawData, isBinary: boolean): unknown {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  if (isBinary || bytes.length > MAX_FRAME) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // No JSON: the connection answers that it didn't understand.
    return undefined;
  }
}

/** `connections` is where they are kept while open; at most `maxStrangers` may be waiting to authenticate. */
export function webSockets(
  watch: Watch,
  connections: Set<Connection>,
  patience: Patience,
  maxStrangers = 1000,
): WebSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD, perMessageDeflate: false });
  const silent = new WeakSet<WebSocket>();

  const strangers = () => {
    let count = 0;
    for (const connection of connections) if (!connection.speaksFor) count += 1;
    return count;
  };

  function begin(socket: WebSocket): void {
    // A broken connection also closes; nothing else is to be done about it.
    socket.on('error', () => undefined);
    if (connections.size >= maxStrangers && strangers() >= maxStrangers) return socket.close(TRY_LATER, 'Too busy');
    const isFull = () => socket.bufferedAmount > MAX_PENDING;
    const connection = new Connection(
      {
        send: (message) => socket.send(textOf(message), () => isFull() || connection.drained()),
        close: (code, reason) => {
          socket.close(code, reason);
          // A client that doesn't close in turn is cut off.
          setTimeout(() => socket.terminate(), 5000).unref();
        },
        isFull,
      },
      watch,
      null,
      patience,
    );
    connections.add(connection);
    socket.on('message', (data, isBinary) => connection.receive(parse(data, isBinary)));
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
