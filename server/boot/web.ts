import { createServer } from 'node:http';
import next from 'next';
import type { Logger } from 'pino';
import * as visitors from '@/server/accounts/visitor';
import * as documentation from '@/server/documentation';
import { dispatch } from '@/server/http/routes';
import { runtime } from '@/server/runtime';
import { setTimeout as pause } from 'node:timers/promises';
import { beginDraining } from '@/server/http/draining';
import { listen } from './listen';
import { attachChannel } from '@/server/channel/attach';
import type { Env } from '@/server/env/env';
import { securePage } from '@/server/http/headers';
import { markPeer, createHttpServer } from '@/server/http/server';
import { closeWithStatus } from '@/server/http/malformed';

/** The web part of a process: HTTP, pages and the live channel on one port. */
export interface Web {
  /** Finishes requests in progress, closes the channel's connections, and stops. */
  close(): Promise<void>;
}

/** For requests in progress, after the end of listening. With the seconds of draining it stays below the limit of a shutdown. */
const GRACE_MS = 15_000;

/** Listens when it resolves. */
export async function openWeb(env: Env, root: string, log: Logger): Promise<Web> {
  // Next adds an upgrade listener to its server that closes unknown WebSockets; this server does not use that listener.
  const decoy = createServer();
  const app = next({ dev: !env.isProduction, dir: root, hostname: env.host, port: env.port, httpServer: decoy });
  runtime().web = { ...visitors, ...documentation, dispatch };
  await app.prepare();
  const pages = app.getRequestHandler();
  const http = createHttpServer(
    (request, response) => {
      securePage(request, response, env);
      pages(request, response).catch((error: unknown) => {
        log.error({ err: error, path: request.url }, 'a page could not be served');
        response.destroy();
      });
    },
    { isDirect: !env.isApiThroughNext },
  );
  const channel = await attachChannel(http);
  // Socket.IO removes its requests before the HTTP handlers see them.
  http.prependListener('request', (request) => {
    if (request.url?.startsWith('/socket.io')) markPeer(request);
  });
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    markPeer(request);
    if (channel.handleUpgrade(request, socket, head)) return;
    if (!env.isProduction && request.url?.startsWith('/_next/')) decoy.emit('upgrade', request, socket, head);
    else closeWithStatus(socket, 404);
  });
  const close = async () => {
    // Balancers notice the answer of /readyz and send requests elsewhere, while this process still takes them.
    beginDraining();
    await pause(env.drainSeconds * 1000);
    const closed = new Promise((resolve) => http.close(resolve));
    await runtime().waitingCallers?.close();
    await runtime().answerTexts?.close();
    await channel.close();
    http.closeIdleConnections();
    const timeout = setTimeout(() => http.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(timeout);
    await app.close();
  };
  try {
    await listen(http, 'PORT', env);
  } catch (error) {
    await channel.close();
    await app.close();
    throw error;
  }
  return { close };
}
