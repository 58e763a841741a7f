import type { Server as HttpServer, IncomingHttpHeaders } from 'node:http';
import { Server, type Socket } from 'socket.io';
import {
  WatchPresence,
  type Presence as PresenceMessage,
  type ServerMessage,
  type WorkflowHint,
} from '@/contract/channel';
import { log } from '@/server/log';
import type { Allowances } from './allowance';
import { Connection, type Timeouts } from './connection';
import { fromBrowser, fromToken, type Identity } from './identity';
import { networkBehind } from './network';
import { pollingRules } from './polling';
import type { Presence } from './presence';
import type { UnauthenticatedConnections } from './unauthenticated-connections';
import { JoinedWorkflows } from './joined-workflows';
import type { Watch } from './watch';

const PATH = '/socket.io';
const MAX_FRAME = 65_536;
/** Backpressure: with more unsent messages than this, no more pages are read for the client. */
const MAX_PENDING = 64;

type Message = ServerMessage | PresenceMessage | WorkflowHint;
type Events = { [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => void };
interface Frames {
  subscribe(frame: unknown): void;
  unsubscribe(frame: unknown): void;
}
/** A connection of the engine below Socket.IO. */
interface EngineSocket {
  id: string;
  once(event: 'close', listener: () => void): unknown;
}

interface SocketData {
  identity: Identity;
}
type Client = Socket<Frames, Events, Record<string, never>, SocketData>;

export interface SocketIo {
  owns(pathname: string): boolean;
  close(): void;
}

const webHeaders = (headers: IncomingHttpHeaders) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
    ),
  );

/** Authenticates by the handshake's token, or else by the browser's session cookie. */
function identify({ handshake }: Client): Promise<Identity | null> {
  const token: unknown = handshake.auth['token'];
  return typeof token === 'string' ? fromToken(token) : fromBrowser(webHeaders(handshake.headers));
}

interface Wiring {
  http: HttpServer;
  watch: Watch;
  presence: Presence;
  connections: Set<Connection>;
  timeouts: Timeouts;
  allowances: Allowances;
  unauthenticated: UnauthenticatedConnections;
}

/** Handshakes per connection, because each queries the database. */
const MAX_HANDSHAKES = 10;

type IoServer = Server<Frames, Events, Record<string, never>, SocketData>;
type EngineConnection = Client['conn'];

/** An engine connection that is not authenticated yet: its handshakes, and the function that ends its limit. */
interface UnauthenticatedConnection {
  handshakes: number;
  leave: () => void;
}

/** Admits engine connections within the limit of unauthenticated connections. */
function admitConnections(
  io: IoServer,
  unauthenticated: UnauthenticatedConnections,
): WeakMap<EngineConnection, UnauthenticatedConnection> {
  const pendingConnections = new WeakMap<EngineConnection, UnauthenticatedConnection>();
  io.engine.on('connection', (conn: EngineConnection) => {
    const leave = unauthenticated.enter(networkBehind(conn.request), () => conn.close());
    if (!leave) return void conn.close();
    pendingConnections.set(conn, { handshakes: 0, leave });
    conn.once('close', leave);
  });
  return pendingConnections;
}

/** Checks polling requests before the engine, which needs the ids of the open connections. */
function checkPolling(io: IoServer): void {
  const ids = new Set<string>();
  io.engine.on('connection', (transport: EngineSocket) => {
    ids.add(transport.id);
    transport.once('close', () => ids.delete(transport.id));
  });
  io.engine.use(pollingRules((id) => ids.has(id), MAX_FRAME));
}

/** Authenticates each handshake, and refuses people with too many connections. */
function authenticateClients(
  io: IoServer,
  pendingConnections: WeakMap<EngineConnection, UnauthenticatedConnection>,
  allowances: Allowances,
): void {
  io.use((client, next) => {
    const pending = pendingConnections.get(client.conn);
    if (!pending || (pending.handshakes += 1) > MAX_HANDSHAKES) return void client.conn.close();
    const refuse = (code: string) => {
      next(new Error(code));
      // After the answer, because a refused client starts a new handshake.
      setImmediate(() => client.conn.close());
    };
    identify(client).then(
      (identity) => {
        if (!identity) return refuse('UNAUTHORIZED');
        if (!allowances.hasRoomFor(identity.userId)) return refuse('RATE_LIMITED');
        pending.leave();
        client.data.identity = identity;
        next();
      },
      (error: unknown) => {
        log().error({ err: error }, 'a socket could not be authenticated');
        refuse('INTERNAL_ERROR');
      },
    );
  });
}

/** Connects an authenticated client with the watch and the presence. */
function serveClient(client: Client, { watch, presence, connections, timeouts, allowances }: Wiring): void {
  let pending = 0;
  const send = <Type extends Message['type']>(message: Extract<Message, { type: Type }>) => {
    pending += 1;
    client.emit(message.type as Type, ...([message] as Parameters<Events[Type]>));
  };
  const isFull = () => pending > MAX_PENDING;
  const { identity } = client.data;
  const pipe = { send, close: () => client.disconnect(true), isFull };
  const connection = new Connection(pipe, watch, allowances.connection(), identity, timeouts);
  const onUnknown = () => connection.onUnknown();
  const joined = new JoinedWorkflows({ presence, identity, send, isFull, onUnknown });
  // Counts every event before it is processed, known or not. None is larger than MAX_FRAME.
  client.use((_, next) => {
    if (connection.admits(0)) next();
  });
  connections.add(connection);
  client.conn.on('drain', () => {
    pending = 0;
    connection.drained();
  });
  for (const type of ['subscribe', 'unsubscribe'] as const) {
    client.on(type, (frame) => {
      const workflowId = WatchPresence.safeParse(frame).data?.workflowId;
      if (!workflowId) connection.receive(frame && typeof frame === 'object' ? { ...frame, type } : undefined);
      else if (type === 'subscribe') joined.join(workflowId);
      else joined.leave(workflowId);
    });
  }
  client.on('disconnect', () => {
    connections.delete(connection);
    connection.closed();
    joined.leaveAll();
  });
}

/**
 * The same messages over Socket.IO, for the web app: event names are the message types, the payload is the message. In
 * addition, presence and webhook calls at workflows, which are for people only. Attaches itself to `http` for requests and upgrades below
 * /socket.io.
 */
export function socketIo(wiring: Wiring): SocketIo {
  const io: IoServer = new Server(wiring.http, {
    path: PATH,
    serveClient: false,
    // Other handlers take the upgrades of other paths.
    destroyUpgrade: false,
    maxHttpBufferSize: MAX_FRAME,
    connectTimeout: wiring.timeouts.authMs,
  });
  const pendingConnections = admitConnections(io, wiring.unauthenticated);
  checkPolling(io);
  authenticateClients(io, pendingConnections, wiring.allowances);
  io.on('connection', (client: Client) => serveClient(client, wiring));
  return {
    owns: (pathname) => pathname === PATH || pathname.startsWith(`${PATH}/`),
    close() {
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}
