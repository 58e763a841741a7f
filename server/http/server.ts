import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { PEER_HEADER, REQUEST_HEADER } from '@/server/client-address';
import { corsHeaders } from '@/server/api/cors';
import { arrivalFrom, type Arrival, type RequestNotes } from '@/server/api/incoming';
import type { Reply } from '@/server/pipeline/steps/answer';
import type { Handler } from './handlers';
import { responseOf } from './response';
import { handlerFor, PROBES } from './routes';
import { newId } from '@/server/db/ids';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import { escapedConnection, isEscaped, isTaken } from './escaped-connection';
import { secureHeaders } from './headers';
import { isProcessDraining } from './draining';
import { cutOff, closeWithStatus, refuse } from './malformed';
import { observe } from './observe';
import { drain, sendReply, sendResponse } from './send';

/** Timeouts in milliseconds for slow clients (408): headers, whole request, and the interval of the check. */
export const HTTP_TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };

/** All headers of a request together (431). */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Paths of the development server of Next.js. */
const NEXT = /^\/(_next\/|__nextjs)/;

interface Options {
  /** Timeouts of Node's HTTP server, in milliseconds. */
  timeouts?: typeof HTTP_TIMEOUTS;
  /** False: the route handlers of Next.js answer the API, with the same router. */
  isDirect?: boolean;
}

/**
 * Creates the HTTP server, which answers the API itself and passes reads of pages and files to `pages`. Requests with a
 * body never reach `pages`: `Arrival.readBody` reads every body. An operation through Next.js takes several times the
 * CPU time, with the same router and pipeline.
 */
export function createHttpServer(
  pages: RequestListener,
  { timeouts = HTTP_TIMEOUTS, isDirect = true }: Options = {},
): Server {
  const server = createServer({
    ...timeouts,
    keepAliveTimeout: 30_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Otherwise Node refuses a request without Host with an empty body.
    requireHostHeader: false,
    // Joins duplicate headers like the Headers class; otherwise Node keeps the first one.
    joinDuplicateHeaders: true,
  });
  server.on('request', (request, response) => {
    const { env } = runtime();
    markPeer(request);
    toRelativeUrl(request);
    const requestId = requestIdOf(request);
    overrideHeader(request, REQUEST_HEADER, requestId);
    const common = Object.assign(corsHeaders(request.headers.origin, env.corsOrigins), secureHeaders(env), {
      'X-Request-Id': requestId,
    });
    // The next request of this client opens a connection to a process that stays.
    if (isProcessDraining() || isEscaped(request)) response.shouldKeepAlive = false;
    if (!hasValidTarget(request)) return void answer(refuse(request), response, common, true);
    const handler = isDirect ? handlerOf(request) : undefined;
    const observed = PROBES.has(request.url ?? '') ? undefined : observe(request, response, requestId);
    const serve = () => {
      if (handler) return void answer(handler(arrivalOf(request, observed?.notes)), response, common);
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      drain(response);
      pages(request, response);
    };
    if (observed?.span) observed.span.run(serve);
    else serve();
  });
  // Other expectations than "100-continue" are ignored.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('connect', (_request, socket) => closeWithStatus(socket, 405));
  server.on('clientError', (error, socket) => {
    if (isTaken(socket)) return;
    const escaped = escapedConnection(error, socket);
    if (escaped) server.emit('connection', escaped);
    else cutOff(error, socket);
  });
  return server;
}

function arrivalOf(request: IncomingMessage, notes: RequestNotes | undefined): Arrival {
  const arrival = arrivalFrom(request);
  if (notes) arrival.notes = notes;
  return arrival;
}

/** Sends a reply. Handlers do not reject: an error here is an error of sending. */
async function answer(
  pendingReply: Promise<Reply>,
  response: ServerResponse,
  common: Record<string, string>,
  isLast = false,
): Promise<void> {
  try {
    const reply = await pendingReply;
    if (reply.raw) await sendResponse(response, common, responseOf(reply));
    else await sendReply(response, isLast ? { ...common, Connection: 'close' } : common, reply);
  } catch (error) {
    log().error({ err: error }, 'a request could not be answered');
    response.destroy();
  }
}

function handlerOf({ method = 'GET', url = '/' }: IncomingMessage): Handler | undefined {
  if (NEXT.test(url) && !runtime().env.isProduction) return undefined;
  return handlerFor(method, url.split('?', 1)[0] ?? '/');
}

/** Whether the Host header is valid and the path has no backslash, which some parsers treat as a slash. */
const hasValidTarget = ({ headers: { host }, url = '' }: IncomingMessage): boolean =>
  hasValidHost(host, url) && url.startsWith('/') && !/^[^?]*\\/.test(url);

/** Health checks of load balancers may speak HTTP/1.0 without Host. */
const hasValidHost = (host: string | undefined, url: string): boolean =>
  host === undefined ? PROBES.has(url.split('?', 1)[0] ?? '') : /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The id that a client or a proxy gave the request, for logs across systems; otherwise a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

/** Reduces an absolute URL (as in requests to proxies) to path and query. */
function toRelativeUrl(request: IncomingMessage): void {
  if (!request.url || !/^https?:\/\//i.test(request.url) || !URL.canParse(request.url)) return;
  const { pathname, search } = new URL(request.url);
  request.url = pathname + search;
}

/**
 * Sets the peer address header, from which HTTP and WebSocket handlers read the client's address, in place of a value
 * that the client sent (spoofing).
 */
export const markPeer = (request: IncomingMessage): void =>
  overrideHeader(request, PEER_HEADER, request.socket.remoteAddress ?? 'unknown');

/** Sets a header and removes all values that the client sent under its name. */
function overrideHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  const raw = request.rawHeaders;
  for (let index = raw.length - 2; index >= 0; index -= 2) {
    if (raw[index]?.toLowerCase() === name) raw.splice(index, 2);
  }
  raw.push(name, value);
}
