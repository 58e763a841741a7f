import { createServer, type Server } from 'node:http';
import next from 'next';
import type { Logger } from 'pino';
import { attachChannel } from '../channel/attach';
import { ConfigurationError, type Env } from '../env';
import { securePage } from './answer-headers';
import { markPeer, openDoors } from './doors';

/** The web half of a process: HTTP, pages and the live channel on one port. */
export interface Web {
  /** Lets requests under way finish, says goodbye to the channel's clients, and ends. */
  close(): Promise<void>;
}

const GRACE_MS = 5000;

/** Listens when it resolves. */
export async function openWeb(env: Env, root: string, log: Logger): Promise<Web> {
  // Next adds an upgrade listener to its server that ends WebSockets it doesn't know; ours never meets it.
  const decoy = createServer();
  const app = next({ dev: !env.isProduction, dir: root, hostname: env.host, port: env.port, httpServer: decoy });
  await app.prepare();
  const pages = app.getRequestHandler();
  const http = openDoors((request, response) => {
    securePage(request, response, env);
    pages(request, response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'a page could not be served');
      response.destroy();
    });
  });
  const channel = await attachChannel(http);
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    markPeer(request);
    if (channel.handleUpgrade(request, socket, head)) return;
    if (!env.isProduction && request.url?.startsWith('/_next/')) decoy.emit('upgrade', request, socket, head);
    else socket.destroy();
  });
  const close = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    await channel.close();
    http.closeIdleConnections();
    const impatience = setTimeout(() => http.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(impatience);
    await app.close();
  };
  try {
    await listen(http, env);
  } catch (error) {
    await channel.close();
    await app.close();
    throw error;
  }
  return { close };
}

/** Fails early, before anything else is touched, when the port is somebody else's. */
export async function claimPort(env: Env): Promise<void> {
  const probe = createServer();
  await listen(probe, env);
  await new Promise((resolve) => probe.close(resolve));
}

const listen = (server: Server, { port, host }: Env) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message;
      reject(new ConfigurationError([`PORT ${port} on HOST ${host} can't be listened on: ${why}`]));
    });
    server.listen(port, host, resolve);
  });

const WHY: Partial<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'that is not allowed',
  EADDRNOTAVAIL: 'this machine has no such address',
};
