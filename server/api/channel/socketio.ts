import type { Server as HttpServer, IncomingHttpHeaders } from 'node:http';
import { Server, type Socket } from 'socket.io';
import {
  PointerFrame,
  PresenceSubscription,
  type PointerUpdate,
  type PresenceUpdate as PresenceMessage,
  type SocketServerMessage,
  type WorkflowHint,
} from '@/contract/channel';
import { serviceLog } from '@/server/platform/log';
import type { ConnectionAllowances } from './allowance';
import { ChannelConnection, type ConnectionTimeouts } from './connection';
import { identifyByBrowser, identifyByToken, type ChannelIdentity } from './identity';
import { clientNetwork } from './network';
import { createPollingGuard } from './polling';
import type { WorkflowPresence } from './presence';
import type { UnauthenticatedConnections } from './unauthenticated-connections';
import { JoinedWorkflows } from './joined-workflows';
import type { RunWatch } from './watch';

const SOCKET_IO_PATH = '/socket.io';
const MAX_SOCKET_IO_FRAME_BYTES = 65_536;
/** Backpressure: with more unsent messages than this, no more pages are read for the client. */
const MAX_PENDING_MESSAGES = 64;

type SocketIoMessage = SocketServerMessage | PresenceMessage | PointerUpdate | WorkflowHint;
type SocketIoEvents = {
  [Type in SocketIoMessage['type']]: (message: Extract<SocketIoMessage, { type: Type }>) => void;
};
interface SocketIoFrames {
  subscribe(frame: unknown): void;
  unsubscribe(frame: unknown): void;
  pointer(frame: unknown): void;
}
/** A connection of the engine below Socket.IO. */
interface EngineSocket {
  id: string;
  once(event: 'close', listener: () => void): unknown;
}

interface SocketIoData {
  identity: ChannelIdentity;
}
type SocketIoClient = Socket<SocketIoFrames, SocketIoEvents, Record<string, never>, SocketIoData>;

export interface SocketIoEndpoint {
  owns(pathname: string): boolean;
  close(): void;
}

const toWebHeaders = (headers: IncomingHttpHeaders) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
    ),
  );

/** Authenticates by the handshake's token, or else by the browser's session cookie. */
function identifyHandshake({ handshake }: SocketIoClient): Promise<ChannelIdentity | null> {
  const token: unknown = handshake.auth['token'];
  return typeof token === 'string' ? identifyByToken(token) : identifyByBrowser(toWebHeaders(handshake.headers));
}

interface SocketIoOptions {
  http: HttpServer;
  watch: RunWatch;
  presence: WorkflowPresence;
  connections: Set<ChannelConnection>;
  timeouts: ConnectionTimeouts;
  allowances: ConnectionAllowances;
  unauthenticated: UnauthenticatedConnections;
}

/** The maximum number of handshakes of a connection, because each one queries the database. */
const MAX_CONNECTION_HANDSHAKES = 10;

type SocketIoServer = Server<SocketIoFrames, SocketIoEvents, Record<string, never>, SocketIoData>;
type EngineConnection = SocketIoClient['conn'];

/** An engine connection that is not authenticated yet: its handshakes, and the function that ends its limit. */
interface UnauthenticatedConnection {
  handshakes: number;
  leave: () => void;
}

/** Admits engine connections within the limit of unauthenticated connections. */
function admitConnections(
  io: SocketIoServer,
  unauthenticated: UnauthenticatedConnections,
): WeakMap<EngineConnection, UnauthenticatedConnection> {
  const pendingConnections = new WeakMap<EngineConnection, UnauthenticatedConnection>();
  io.engine.on('connection', (conn: EngineConnection) => {
    const leave = unauthenticated.enter(clientNetwork(conn.request), () => conn.close());
    if (!leave) return void conn.close();
    pendingConnections.set(conn, { handshakes: 0, leave });
    conn.once('close', leave);
  });
  return pendingConnections;
}

/** Checks polling requests before the engine, which needs the ids of the open connections. */
function guardPollingRequests(io: SocketIoServer): void {
  const ids = new Set<string>();
  io.engine.on('connection', (transport: EngineSocket) => {
    ids.add(transport.id);
    transport.once('close', () => ids.delete(transport.id));
  });
  io.engine.use(createPollingGuard((id) => ids.has(id), MAX_SOCKET_IO_FRAME_BYTES));
}

/** Authenticates each handshake, and refuses people with too many connections. */
function authenticateClients(
  io: SocketIoServer,
  pendingConnections: WeakMap<EngineConnection, UnauthenticatedConnection>,
  allowances: ConnectionAllowances,
): void {
  io.use((client, next) => {
    const pending = pendingConnections.get(client.conn);
    if (!pending || (pending.handshakes += 1) > MAX_CONNECTION_HANDSHAKES) return void client.conn.close();
    const refuse = (code: string) => {
      next(new Error(code));
      // After the answer, because a refused client starts a new handshake.
      setImmediate(() => client.conn.close());
    };
    identifyHandshake(client).then(
      (identity) => {
        if (!identity) return refuse('UNAUTHORIZED');
        if (!allowances.hasRoomFor(identity.userId)) return refuse('RATE_LIMITED');
        pending.leave();
        client.data.identity = identity;
        next();
      },
      (error: unknown) => {
        serviceLog().error({ err: error }, 'a socket could not be authenticated');
        refuse('INTERNAL_ERROR');
      },
    );
  });
}

/** Connects an authenticated client with the watch and the presence. */
function serveClient(
  client: SocketIoClient,
  { watch, presence, connections, timeouts, allowances }: SocketIoOptions,
): void {
  let pending = 0;
  const send = <Type extends SocketIoMessage['type']>(message: Extract<SocketIoMessage, { type: Type }>) => {
    pending += 1;
    client.emit(message.type as Type, ...([message] as Parameters<SocketIoEvents[Type]>));
  };
  const isFull = () => pending > MAX_PENDING_MESSAGES;
  const { identity } = client.data;
  const pipe = { send, close: () => client.disconnect(true), isFull };
  const connection = new ChannelConnection(pipe, watch, allowances.connection(), identity, timeouts);
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
      const workflowId = PresenceSubscription.safeParse(frame).data?.workflowId;
      if (!workflowId) connection.receive(frame && typeof frame === 'object' ? { ...frame, type } : undefined);
      else if (type === 'subscribe') joined.join(workflowId);
      else joined.leave(workflowId);
    });
  }
  client.on('pointer', (frame) => {
    const { data } = PointerFrame.safeParse(frame);
    if (data) joined.point(data);
  });
  client.on('disconnect', () => {
    connections.delete(connection);
    connection.closed();
    joined.leaveAll();
  });
}

/**
 * The same messages over Socket.IO, for the web app: event names are the message types, the payload is the message. In
 * addition, presence and webhook calls at workflows, which are for people only. Attaches itself to `http` for requests
 * and upgrades below /socket.io.
 */
export function openSocketIo(wiring: SocketIoOptions): SocketIoEndpoint {
  const io: SocketIoServer = new Server(wiring.http, {
    path: SOCKET_IO_PATH,
    serveClient: false,
    // Other handlers take the upgrades of other paths.
    destroyUpgrade: false,
    maxHttpBufferSize: MAX_SOCKET_IO_FRAME_BYTES,
    connectTimeout: wiring.timeouts.authMs,
  });
  const pendingConnections = admitConnections(io, wiring.unauthenticated);
  guardPollingRequests(io);
  authenticateClients(io, pendingConnections, wiring.allowances);
  io.on('connection', (client: SocketIoClient) => serveClient(client, wiring));
  return {
    owns: (pathname) => pathname === SOCKET_IO_PATH || pathname.startsWith(`${SOCKET_IO_PATH}/`),
    close() {
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}
