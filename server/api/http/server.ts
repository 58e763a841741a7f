import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { PEER_ADDRESS_HEADER, REQUEST_ID_HEADER } from '@/server/platform/messages/client-address';
import { apiCorsHeaders } from '@/server/api/operation/cors';
import { receivedFromNode, type ReceivedRequest, type RequestNotes } from '@/server/api/operation/incoming';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import type { RequestHandler } from './handlers';
import { toWebResponse } from './response';
import { findRequestHandler, PROBE_ADDRESSES } from './routes';
import { generateId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import { reparseEscaped, isEscapedConnection, isParserReplaced } from './escaped-connection';
import { secureResponseHeaders } from './headers';
import { isProcessDraining } from './draining';
import { closeUnreadableSocket, closeWithStatus, refuseMalformedRequest } from './malformed';
import { observeRequest } from './observe';
import { drainRequestBody, sendJsonResponse, sendWebResponse } from './send';

/** Timeouts in milliseconds for slow clients (408): headers, whole request, and the interval of the check. */
export const SLOW_CLIENT_TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
};

/** All headers of a request together (431). */
export const MAX_REQUEST_HEADER_BYTES = 16 * 1024;

/** Paths of the development server of Next.js. */
const NEXT_DEVELOPMENT_PATHS = /^\/(_next\/|__nextjs)/;

interface HttpServerOptions {
  /** Timeouts of Node's HTTP server, in milliseconds. */
  timeouts?: typeof SLOW_CLIENT_TIMEOUTS;
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
  { timeouts = SLOW_CLIENT_TIMEOUTS, isDirect = true }: HttpServerOptions = {},
): Server {
  const server = createServer({
    ...timeouts,
    keepAliveTimeout: 30_000,
    maxHeaderSize: MAX_REQUEST_HEADER_BYTES,
    // Otherwise Node refuses a request without Host with an empty body.
    requireHostHeader: false,
    // Joins duplicate headers like the Headers class; otherwise Node keeps the first one.
    joinDuplicateHeaders: true,
  });
  server.on('request', (request, response) => {
    const { env } = getRuntime();
    setPeerHeader(request);
    toRelativeUrl(request);
    const requestId = chooseRequestId(request);
    overrideHeader(request, REQUEST_ID_HEADER, requestId);
    const common = Object.assign(apiCorsHeaders(request.headers.origin, env.corsOrigins), secureResponseHeaders(env), {
      'X-Request-Id': requestId,
    });
    // The next request of this client opens a connection to a process that stays.
    if (isProcessDraining() || isEscapedConnection(request)) response.shouldKeepAlive = false;
    if (!hasValidTarget(request))
      return void sendPendingResponse(refuseMalformedRequest(request), response, common, true);
    const handler = isDirect ? findNodeRequestHandler(request) : undefined;
    const observed = PROBE_ADDRESSES.has(request.url ?? '') ? undefined : observeRequest(request, response, requestId);
    const serve = () => {
      if (handler)
        return void sendPendingResponse(handler(receivedWithNotes(request, observed?.notes)), response, common);
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      drainRequestBody(response);
      pages(request, response);
    };
    if (observed?.span) observed.span.run(serve);
    else serve();
  });
  // Other expectations than "100-continue" are ignored.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('connect', (_request, socket) => closeWithStatus(socket, 405));
  server.on('clientError', (error, socket) => {
    if (isParserReplaced(socket)) return;
    const escaped = reparseEscaped(error, socket);
    if (escaped) server.emit('connection', escaped);
    else closeUnreadableSocket(error, socket);
  });
  return server;
}

function receivedWithNotes(request: IncomingMessage, notes: RequestNotes | undefined): ReceivedRequest {
  const arrival = receivedFromNode(request);
  if (notes) arrival.notes = notes;
  return arrival;
}

/** Sends a reply. Handlers do not reject: an error here is an error of sending. */
async function sendPendingResponse(
  pendingReply: Promise<OperationResponse>,
  response: ServerResponse,
  common: Record<string, string>,
  isLast = false,
): Promise<void> {
  try {
    const reply = await pendingReply;
    if (reply.raw) await sendWebResponse(response, common, toWebResponse(reply));
    else await sendJsonResponse(response, isLast ? { ...common, Connection: 'close' } : common, reply);
  } catch (error) {
    serviceLog().error({ err: error }, 'a request could not be answered');
    response.destroy();
  }
}

function findNodeRequestHandler({ method = 'GET', url = '/' }: IncomingMessage): RequestHandler | undefined {
  if (NEXT_DEVELOPMENT_PATHS.test(url) && !getRuntime().env.isProduction) return undefined;
  return findRequestHandler(method, url.split('?', 1)[0] ?? '/');
}

/** Whether the Host header is valid and the path has no backslash, which some parsers treat as a slash. */
const hasValidTarget = ({ headers: { host }, url = '' }: IncomingMessage): boolean =>
  hasValidHost(host, url) && url.startsWith('/') && !/^[^?]*\\/.test(url);

/** Health checks of load balancers may speak HTTP/1.0 without Host. */
const hasValidHost = (host: string | undefined, url: string): boolean =>
  host === undefined
    ? PROBE_ADDRESSES.has(url.split('?', 1)[0] ?? '')
    : /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);

const REQUEST_ID_PATTERN = /^[\w.:-]{1,128}$/;

/** The id that a client or a proxy gave the request, for logs across systems; otherwise a new one. */
function chooseRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : generateId('req');
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
export const setPeerHeader = (request: IncomingMessage): void =>
  overrideHeader(request, PEER_ADDRESS_HEADER, request.socket.remoteAddress ?? 'unknown');

/** Sets a header and removes all values that the client sent under its name. */
function overrideHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  const raw = request.rawHeaders;
  for (let index = raw.length - 2; index >= 0; index -= 2) {
    if (raw[index]?.toLowerCase() === name) raw.splice(index, 2);
  }
  raw.push(name, value);
}
