import type { Server as HttpServer, IncomingHttpHeaders } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { Visit, type Presence as Told, type ServerMessage } from '@/contract/channel';
import { log } from '../log';
import { Connection, type Patience } from './connection';
import { fromBrowser, fromToken, type Identity } from './identity';
import type { Presence } from './presence';
import { Visits } from './visiting';
import type { Watch } from './watch';

const PATH = '/socket.io';
const MAX_FRAME = 65_536;
/** Messages under way to a client above which nothing more is read for it. */
const MAX_PENDING = 64;

type Message = ServerMessage | Told;
type Events = { [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => void };
interface Frames {
  subscribe(what: unknown): void;
  unsubscribe(what: unknown): void;
}
interface Facts {
  identity: Identity;
}
type Client = Socket<Frames, Events, Record<string, never>, Facts>;

export interface SocketIo {
  owns(pathname: string): boolean;
  close(): void;
}

const webHeaders = (headers: IncomingHttpHeaders) =>
  new Headers(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

/** The handshake's token speaks, or else the browser's session cookie. */
function identify({ handshake }: Client): Promise<Identity | null> {
  const token: unknown = handshake.auth['token'];
  return typeof token === 'string' ? fromToken(token) : fromBrowser(webHeaders(handshake.headers));
}

interface Wiring {
  http: HttpServer;
  watch: Watch;
  presence: Presence;
  connections: Set<Connection>;
  patience: Patience;
}

/**
 * The same messages over Socket.IO, for the web app: event names are the message types, the payload is the message. And
 * who else is at a workflow, which is for people alone. Attaches itself to `http` for requests and upgrades below
 * /socket.io.
 */
export function socketIo({ http, watch, presence, connections, patience }: Wiring): SocketIo {
  const io = new Server<Frames, Events, Record<string, never>, Facts>(http, {
    path: PATH,
    serveClient: false,
    // Other paths' upgrades are other people's.
    destroyUpgrade: false,
    maxHttpBufferSize: MAX_FRAME,
    connectTimeout: patience.authMs,
  });

  io.use((client, next) => {
    identify(client).then(
      (identity) => {
        if (!identity) return next(new Error('UNAUTHORIZED'));
        client.data.identity = identity;
        next();
      },
      (error: unknown) => {
        log().error({ err: error }, 'a socket could not be authenticated');
        next(new Error('INTERNAL_ERROR'));
      },
    );
  });

  io.on('connection', (client: Client) => {
    let pending = 0;
    const send = <Type extends Message['type']>(message: Extract<Message, { type: Type }>) => {
      pending += 1;
      client.emit(message.type as Type, ...([message] as Parameters<Events[Type]>));
    };
    const isFull = () => pending > MAX_PENDING;
    const { identity } = client.data;
    const pipe = { send, close: () => client.disconnect(true), isFull };
    const connection = new Connection(pipe, watch, identity, patience);
    const visits = new Visits({ presence, identity, send, isFull });
    connections.add(connection);
    client.conn.on('drain', () => {
      pending = 0;
      connection.drained();
    });
    for (const type of ['subscribe', 'unsubscribe'] as const) {
      client.on(type, (what) => {
        const visit = Visit.safeParse(what).data;
        if (!visit) connection.receive(what && typeof what === 'object' ? { ...what, type } : undefined);
        else if (type === 'subscribe') visits.begin(visit.workflowId);
        else visits.end(visit.workflowId);
      });
    }
    client.on('disconnect', () => {
      connections.delete(connection);
      connection.closed();
      visits.endAll();
    });
  });

  return {
    owns: (pathname) => pathname === PATH || pathname.startsWith(`${PATH}/`),
    close() {
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}
