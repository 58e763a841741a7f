import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { PEER_HEADER } from '../api/address';
import { healthz, readyz } from '../api/health';
import { callbackPage } from '../api/oauth-callback';
import { invalid } from '../api/problem';
import { addressAt, dispatch } from '../api/rest';

const listenerOf = (handler: (request: Request) => Promise<Response>) =>
  getRequestListener(handler, { overrideGlobalObjects: false, errorHandler: refuse });

/** Slow senders are cut off: this long for the headers, this long for the whole request. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;

const operate = listenerOf(dispatch);
/** Carries a policy of its own, stricter than that of the web app's pages. */
const callback = listenerOf(async () => callbackPage());
const noHost = listenerOf(async () => refuse());
/** Asked so often, and by machines, that they are looked up first. */
const PROBES = new Map([
  ['/healthz', listenerOf(healthz)],
  ['/readyz', listenerOf(readyz)],
]);

/**
 * An HTTP server that answers the operations by itself and leaves the rest (pages, files, tRPC) to `other`. Through Next
 * an operation costs several times the processor time; the functions called are the same.
 */
export function openDoors(other: RequestListener): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 5000,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 16 * 1024,
    // Node would refuse with an empty body.
    requireHostHeader: false,
  });
  server.on('request', (request, response) => {
    markPeer(request);
    const probe = request.method === 'GET' ? PROBES.get(request.url ?? '') : undefined;
    if (probe) void probe(request, response);
    else if (!request.headers.host) void noHost(request, response);
    else if (isOperation(request)) void operate(request, response);
    else if (isCallback(request)) void callback(request, response);
    else other(request, response);
  });
  server.on('clientError', cutOff);
  return server;
}

/**
 * Every door reads the client's address from this header, so what the client itself sent under its name must go. For
 * upgrades, too.
 */
export function markPeer(request: IncomingMessage): void {
  const address = request.socket.remoteAddress ?? 'unknown';
  request.headers[PEER_HEADER] = address;
  const raw = request.rawHeaders;
  for (let index = raw.length - 2; index >= 0; index -= 2) {
    if (raw[index]?.toLowerCase() === PEER_HEADER) raw.splice(index, 2);
  }
  raw.push(PEER_HEADER, address);
}

/** HEAD is Next's: it knows how to answer a GET without its body. */
function isOperation({ method, url = '/' }: IncomingMessage): boolean {
  return method !== 'HEAD' && addressAt(url.split('?', 1)[0] ?? '/') !== undefined;
}

const isCallback = ({ method, url = '/' }: IncomingMessage): boolean =>
  method === 'GET' && url.split('?', 1)[0] === '/oauth/callback';

const malformed = () => invalid([], 'The address or the headers of the request are malformed.');

/** For what can't even be made a request of: a Host or an address that is none. */
function refuse(): Response {
  return Response.json(malformed().body, { status: 400, headers: { 'Cache-Control': 'no-store' } });
}

/** For what isn't HTTP, is too long, or doesn't arrive. */
function cutOff(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const body = JSON.stringify(malformed().body);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
