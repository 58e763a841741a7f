import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { dispatcher } from '../dispatch/dispatcher';
import { log } from '../log';
import { PATIENCE, type Connection, type Patience } from './connection';
import { revoked } from './identity';
import { openPresence } from './presence';
import { socketIo } from './socketio';
import { openWatch } from './watch';
import { webSockets } from './websocket';

/** The live channel of one process. */
export interface Channel {
  /** Takes an upgrade for /ws or /socket.io and answers true; false: it is somebody else's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Says goodbye to all clients. */
  close(): Promise<void>;
}

/** How often sessions are looked at, in milliseconds. What they may see is asked before every message. */
const REVIEW_MS = 2000;

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

/** Opens /ws and /socket.io on a server. Its owner passes upgrades to `handleUpgrade`, and closes before the server. */
export async function attachChannel(http: Server, patience: Patience = PATIENCE): Promise<Channel> {
  const connections = new Set<Connection>();
  const onError = (error: unknown) => log().error({ err: error }, 'the live channel could not read the database');
  const watch = openWatch({ onError });
  const presence = openPresence({ onError });
  const listener = await dispatcher().watch({
    onChanged: watch.changed,
    onVisited: presence.visited,
    onGap() {
      watch.lookAgain();
      presence.lookAgain();
    },
  });
  const plain = webSockets(watch, connections, patience);
  const io = socketIo({ http, watch, presence, connections, patience });
  const review = setInterval(() => void endRevoked(connections).catch(onError), REVIEW_MS);
  review.unref();

  return {
    handleUpgrade(request, socket, head) {
      const path = pathOf(request);
      if (path === '/ws') plain.handleUpgrade(request, socket, head);
      // Socket.IO has a listener of its own on the server.
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

/** Ends connections whose session or token is over: nobody keeps watching after a logout. */
async function endRevoked(connections: ReadonlySet<Connection>): Promise<void> {
  const known = [...connections].flatMap((connection) => {
    const identity = connection.speaksFor;
    return identity ? [{ connection, identity }] : [];
  });
  if (known.length === 0) return;
  const over = await revoked(known.map(({ identity }) => identity));
  for (const { connection, identity } of known) if (over.has(identity)) connection.revoke();
}
