import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { serviceLog } from '@/server/platform/log';
import { currentMaintenance } from '@/server/platform/maintenance';
import { ConnectionAllowances } from './allowance';
import { CONNECTION_TIMEOUTS, type ChannelConnection, type ConnectionTimeouts } from './connection';
import { findRevokedIdentities } from './identity';
import { startPresence } from './presence';
import { openSocketIo } from './socketio';
import { UnauthenticatedConnections } from './unauthenticated-connections';
import { startRunWatch } from './watch';
import { openWebSockets } from './websocket';

/** The live channel of one process. */
export interface AttachedChannel {
  /** Takes an upgrade for /ws or /socket.io and returns true; false: the path belongs to another handler. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes all connections with a close code. */
  close(): Promise<void>;
}

/** Interval of the check of open sessions, in milliseconds. Permissions are checked before every message. */
const SESSION_REVIEW_INTERVAL_MS = 2000;

/** Maximum number of unauthenticated connections. */
export const MAX_UNAUTHENTICATED_CONNECTIONS = 1000;

const requestPathname = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

/**
 * Opens /ws and /socket.io on a server. The owner of the server passes upgrades to `handleUpgrade`, and calls `close`
 * before it closes the server.
 */
export async function attachLiveChannel(
  http: Server,
  timeouts: ConnectionTimeouts = CONNECTION_TIMEOUTS,
): Promise<AttachedChannel> {
  const connections = new Set<ChannelConnection>();
  const onError = (error: unknown) => {
    // Presence can't be written then.
    if (!currentMaintenance()) serviceLog().error({ err: error }, 'the live channel could not read the database');
  };
  const watch = startRunWatch({ onError });
  const presence = startPresence({ onError });
  const listener = await currentDispatcher().watch({
    onChanged: watch.changed,
    onPresence: presence.changed,
    onWebhookCalls: (ids) => presence.hint('webhook_called', ids),
    onPointer: presence.pointed,
    onStored: (part, ids) => presence.hint(part === 'pins' ? 'pins_changed' : 'workflow_saved', ids),
    onGap() {
      watch.recheckAll();
      presence.recheckAll();
    },
  });
  const wiring = {
    watch,
    connections,
    timeouts,
    allowances: new ConnectionAllowances(),
    unauthenticated: new UnauthenticatedConnections(MAX_UNAUTHENTICATED_CONNECTIONS),
  };
  const plain = openWebSockets(wiring);
  const io = openSocketIo({ ...wiring, http, presence });
  const review = setInterval(() => {
    wiring.allowances.sweep();
    void endRevokedConnections(connections).catch(onError);
  }, SESSION_REVIEW_INTERVAL_MS);
  review.unref();

  return {
    handleUpgrade(request, socket, head) {
      const path = requestPathname(request);
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
async function endRevokedConnections(connections: ReadonlySet<ChannelConnection>): Promise<void> {
  const authenticated = [...connections].flatMap((connection) => {
    const identity = connection.currentIdentity;
    return identity ? [{ connection, identity }] : [];
  });
  if (authenticated.length === 0) return;
  const over = await findRevokedIdentities(authenticated.map(({ identity }) => identity));
  for (const { connection, identity } of authenticated) if (over.has(identity)) connection.revoke();
}
