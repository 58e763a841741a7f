import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that answers one client of the service with as much as `size` says. */
export interface HostileServer {
  /** Bytes, or items where the name says so, of the largest answer that the client accepts, or a larger one. */
  largest: number;
  start(size: number): Promise<RunningServer>;
}

export interface RunningServer {
  /**
   * What a credential of the service needs in order to call it; `call` uses it as well. Absent: clients that have no
   * credentials.
   */
  credential?: { type: string; config: Record<string, unknown> };
  /** The address of a server that is called by HTTP. */
  url?: string;
  /**
   * Lets the client call the server once. Rejects if the client refuses what it gets. `runtime()` must be set and allow
   * private addresses.
   */
  call(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A server that keeps to no protocol: `act` has each connection. All it sends is made beforehand, so that its own work
 * is small.
 */
export async function startRawServer(
  act: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    act(socket);
  });
  await once(server.listen(0, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** So many bytes of a text that is repeated. */
export const repeated = (text: string, bytes: number): string =>
  text.repeat(Math.max(1, Math.ceil(bytes / text.length)));

/** The signal of a call that nobody stops. */
export const neverAborted = (): AbortSignal => new AbortController().signal;

/** Whose calls these are. */
export const GROWTH_WORKSPACE = 'ws_growth';
