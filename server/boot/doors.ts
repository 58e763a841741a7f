import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { PEER_HEADER } from '../api/address';
import { corsHeaders } from '../api/cors';
import { healthz, readyz } from '../api/health';
import { arrivalFrom, type Arrival } from '../api/incoming';
import { callbackPage } from '../api/oauth-callback';
import { addressAt, methodNotAllowed, refuser, replyTo, responseOf } from '../api/rest';
import type { Reply } from '../api/steps/answer';
import { log } from '../log';
import { runtime } from '../runtime';
import { secureHeaders } from './answer-headers';
import { cutOff, hangUp, refuse } from './malformed';
import { sendPage, sendReply, sendResponse, type Door } from './send';

/** Slow senders are cut off: this long for the headers, this long for the whole request. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;

const doorTo =
  (answer: (arrival: Arrival) => Promise<Reply>): Door =>
  async (request, response, common) => {
    const reply = await answer(arrivalFrom(request));
    if (reply.raw) await sendResponse(response, common, responseOf(reply));
    else sendReply(response, common, reply);
  };

const pageOf =
  (answer: () => Response | Promise<Response>): Door =>
  async (_request, response, common) =>
    sendPage(response, common, await answer());

const operate = doorTo(replyTo);

/** Asked so often, and by machines, that they are looked up first; and a page with a policy of its own. */
const HERE = new Map([
  ['/healthz', pageOf(healthz)],
  ['/readyz', pageOf(readyz)],
  ['/oauth/callback', pageOf(callbackPage)],
]);
const readOnly = doorTo(refuser(() => methodNotAllowed(['GET'])));
const READ_ONLY = new Set([...HERE.keys(), '/metrics', '/openapi.json', '/openapi.yaml']);

/** Below these everything is ours, whether there is something or not; but for what next-auth, tRPC and Next keep there. */
const OURS = /^\/(api|auth|webhooks)(\/|$)/;
const NEXTS = /^\/(api\/(trpc|auth)\/|_next\/|__nextjs)/;

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
    // As web-standard headers have them; else the first one would count.
    joinDuplicateHeaders: true,
  });
  server.on('request', (request, response) => {
    const { env } = runtime();
    markPeer(request);
    relativize(request);
    const common = Object.assign(corsHeaders(request.headers.origin, env.corsOrigins), secureHeaders(env));
    const door = doorOf(request);
    if (door) return void door(request, response, common).catch((error: unknown) => fail(response, error));
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    other(request, response);
  });
  // Whatever else than a "continue" somebody expects, the answer will tell.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('connect', (_request, socket) => hangUp(socket, 405));
  server.on('clientError', cutOff);
  return server;
}

/** Calls never throw; this is for what is around them. */
function fail(response: ServerResponse, error: unknown): void {
  log().error({ err: error }, 'a request could not be answered');
  response.destroy();
}

/** Whose request it is; undefined: the web app's. */
function doorOf(request: IncomingMessage): Door | undefined {
  if (!isAddressed(request)) return refuse;
  const { method, url = '/' } = request;
  const path = url.split('?', 1)[0] ?? '/';
  const isRead = method === 'GET' || method === 'HEAD';
  const here = HERE.get(path);
  if (here && isRead) return here;
  if (READ_ONLY.has(path) && !isRead) return readOnly;
  if (addressAt(path) !== undefined) return operate;
  if (NEXTS.test(path)) return undefined;
  // Pages are only read.
  return isRead && !OURS.test(path) ? undefined : operate;
}

/** A Host as it may be, and a path without what some read as a slash and others don't. */
const isAddressed = ({ headers: { host = '' }, url = '' }: IncomingMessage): boolean =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && url.startsWith('/') && !/^[^?]*\\/.test(url);

/** An address with scheme and host, as proxies get it, is as good as its path. */
function relativize(request: IncomingMessage): void {
  if (!request.url || !/^https?:\/\//i.test(request.url) || !URL.canParse(request.url)) return;
  const { pathname, search } = new URL(request.url);
  request.url = pathname + search;
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
