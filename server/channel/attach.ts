import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { log } from '@/server/log';
import { maintenance } from '@/server/maintenance';
import { Allowances } from './allowance';
import { TIMEOUTS, type Connection, type Timeouts } from './connection';
import { revoked } from './identity';
import { openPresence } from './presence';
import { socketIo } from './socketio';
import { UnauthenticatedConnections } from './unauthenticated-connections';
import { openWatch } from './watch';
import { webSockets } from './websocket';

/** The live channel of one process. */
export interface Channel {
  /** Takes an upgrade for /ws or /socket.io and returns true; false: the path belongs to another handler. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes all connections with a close code. */
  close(): Promise<void>;
}

/** Interval of the check of open sessions, in milliseconds. Permissions are checked before every message. */
const REVIEW_MS = 2000;

/** Maximum number of unauthenticated connections. */
export const MAX_UNAUTHENTICATED = 1000;

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

/**
 * Opens /ws and /socket.io on a server. The owner of the server passes upgrades to `handleUpgrade`, and calls `close` before it closes the
 * server.
 */
export async function attachChannel(http: Server, timeouts: Timeouts = TIMEOUTS): Promise<Channel> {
  const connections = new Set<Connection>();
  const onError = (error: unknown) => {
    // Presence can't be written then.
    if (!maintenance()) log().error({ err: error }, 'the live channel could not read the database');
  };
  const watch = openWatch({ onError });
  const presence = openPresence({ onError });
  const listener = await dispatcher().watch({
    onChanged: watch.changed,
    onPresence: presence.changed,
    onWebhookCalls: (ids) => presence.hint('webhook_called', ids),
    onPins: (ids) => presence.hint('pins_changed', ids),
    onGap() {
      watch.lookAgain();
      presence.lookAgain();
    },
  });
  const wiring = {
    watch,
    connections,
    timeouts,
    allowances: new Allowances(),
    unauthenticated: new UnauthenticatedConnections(MAX_UNAUTHENTICATED),
  };
  const plain = webSockets(wiring);
  const io = socketIo({ ...wiring, http, presence });
  const review = setInterval(() => {
    wiring.allowances.sweep();
    void endRevoked(connections).catch(onError);
  }, REVIEW_MS);
  review.unref();

  return {
    handleUpgrade(request, socket, head) {
      const path = pathOf(request);
      if (path === '/ws') plain.handleUpgrade(request, socket, head);
      // Socket.IO registers its own listener on the server.
      return path === '/ws' || io.owns(path);
    },
    async close() {
      clearInterval(review);
      for (const connection of connections) connection.stop();
      plain.close();
      io.close();
      await Promise.all([listener.close(), watch.close(), presence.close()]);
    },
  };
}

/** Closes connections whose session or token has expired: a logout ends all watching. */
async function endRevoked(connections: ReadonlySet<Connection>): Promise<void> {
  const authenticated = [...connections].flatMap((connection) => {
    const identity = connection.currentIdentity;
    return identity ? [{ connection, identity }] : [];
  });
  if (authenticated.length === 0) return;
  const over = await revoked(authenticated.map(({ identity }) => identity));
  for (const { connection, identity } of authenticated) if (over.has(identity)) connection.revoke();
}
