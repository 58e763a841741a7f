import { createServer } from 'node:http';
import next from 'next';
import type { Logger } from 'pino';
import * as visitors from '@/server/people/accounts/visitor';
import * as documentation from '@/server/api/documentation';
import { routeWebRequest } from '@/server/api/http/routes';
import { getRuntime } from '@/server/platform/runtime';
import { setTimeout as pause } from 'node:timers/promises';
import { beginDraining } from '@/server/api/http/draining';
import { listenOnPort } from './listen';
import { attachLiveChannel } from '@/server/api/channel/attach';
import type { ServiceEnv } from '@/server/platform/env/env';
import { setPageSecurityPolicy } from '@/server/api/http/headers';
import { setPeerHeader, createHttpServer } from '@/server/api/http/server';
import { closeWithStatus } from '@/server/api/http/malformed';

/** The web part of a process: HTTP, pages and the live channel on one port. */
export interface WebServer {
  /** Finishes requests in progress, closes the channel's connections, and stops. */
  close(): Promise<void>;
}

/**
 * The time for requests in progress after listening has ended. Together with the seconds of draining it stays below the
 * limit of a shutdown.
 */
const REQUEST_GRACE_MS = 15_000;

/** Opens the web part of a process. It listens when the promise resolves. */
export async function openWebServer(env: ServiceEnv, root: string, log: Logger): Promise<WebServer> {
  // Next adds an upgrade listener to its server that closes unknown WebSockets; this server does not use that listener.
  const decoy = createServer();
  const app = next({ dev: !env.isProduction, dir: root, hostname: env.host, port: env.port, httpServer: decoy });
  getRuntime().web = { ...visitors, ...documentation, dispatch: routeWebRequest };
  await app.prepare();
  const pages = app.getRequestHandler();
  const http = createHttpServer(
    (request, response) => {
      setPageSecurityPolicy(request, response, env);
      pages(request, response).catch((error: unknown) => {
        log.error({ err: error, path: request.url }, 'a page could not be served');
        response.destroy();
      });
    },
    { isDirect: !env.isApiThroughNext },
  );
  const channel = await attachLiveChannel(http);
  // Socket.IO removes its requests before the HTTP handlers see them.
  http.prependListener('request', (request) => {
    if (request.url?.startsWith('/socket.io')) setPeerHeader(request);
  });
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    setPeerHeader(request);
    if (channel.handleUpgrade(request, socket, head)) return;
    if (!env.isProduction && request.url?.startsWith('/_next/')) decoy.emit('upgrade', request, socket, head);
    else closeWithStatus(socket, 404);
  });
  const close = async () => {
    // Balancers notice the answer of /readyz and send requests elsewhere, while this process still takes them.
    beginDraining();
    await pause(env.drainSeconds * 1000);
    const closed = new Promise((resolve) => http.close(resolve));
    await getRuntime().waitingCallers?.close();
    await getRuntime().replyTextRelay?.close();
    await channel.close();
    http.closeIdleConnections();
    const timeout = setTimeout(() => http.closeAllConnections(), REQUEST_GRACE_MS);
    await closed;
    clearTimeout(timeout);
    await app.close();
  };
  try {
    await listenOnPort(http, 'PORT', env);
  } catch (error) {
    await channel.close();
    await app.close();
    throw error;
  }
  return { close };
}
