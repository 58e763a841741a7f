import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP proxy in front of a server. */
export interface Proxy {
  /** The address of the server, through the proxy. */
  url: string;
  /**
   * Stops forwarding, in both directions, and keeps all connections open: as when a machine loses power, or a network
   * is split.
   */
  freeze(): void;
  /** Freezes when a client has sent these texts one after the other; the last one is not forwarded. Resolves then. */
  freezeAt(...texts: string[]): Promise<void>;
  /** Forwards new connections; those that are frozen stay so. */
  thaw(): void;
  /** Closes all connections, and refuses new ones until `restore`. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** From now on new connections lead to another server, as those to a name that moves. */
  redirect(address: string): void;
  close(): Promise<void>;
}

/** Starts a proxy to the server of an address with host and port. */
export async function startProxy(address: string): Promise<Proxy> {
  let target = new URL(address);
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let isFrozen = false;
  let trap: { texts: string[]; spring: () => void } | undefined;

  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) {
      frozen.add(socket);
      socket.pause();
    }
  };
  const link = (from: Socket, to: Socket, isClient: boolean) => {
    sockets.add(from);
    let seen = 0;
    from.on('data', (data: Buffer) => {
      if (isClient && trap && data.includes(trap.texts[seen] ?? '')) seen += 1;
      if (isClient && trap && seen === trap.texts.length) {
        freeze();
        trap.spring();
        trap = undefined;
      }
      if (!frozen.has(from)) to.write(data);
    });
    // The other side's end is told only while the proxy forwards.
    from.on('end', () => !frozen.has(from) && to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      if (!frozen.has(from)) to.destroy();
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    link(client, upstream, true);
    link(upstream, client, false);
    if (isFrozen) freeze();
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  const url = new URL(address);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    freeze,
    thaw: () => void (isFrozen = false),
    freezeAt: (...texts) => new Promise((spring) => (trap = { texts, spring })),
    cut: stop,
    restore: async () => void (await listen(port)),
    redirect: (other) => void (target = new URL(other)),
    close: stop,
  };
}
