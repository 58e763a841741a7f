import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { unsentHeaderReason } from '@/contract/unsent-headers';
import { findWorkspaceConnections } from './connections';
import { readResponseBody } from './body';
import { RedirectCookies } from './cookies';
import { decodeBodyChunks } from './encodings';
import { parseHttpUrl, nextRequestHop, type RequestHop } from './redirects';
import { filterHeaders } from './request-headers';
import { toResponseHeaders, type ResponseHeaders } from './response-headers';
import { requestTarget } from './query';
import { outgoingTraceHeader } from './trace-header';
import { countOutboundRequest } from '@/server/platform/counters/meters';
import { awaitPermittedStart } from '@/server/platform/timers/starts';
import { getRuntime } from '@/server/platform/runtime';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { toRequestFailure } from './failures';

export interface OutboundRequest {
  /** The workspace whose share of look-ups and connections is used; '' for the service itself. */
  workspaceId: string;
  url: string | URL;
  /** Default: GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | StreamedBody;
  /**
   * Reads the body of a response that it accepts in parts, in place of `body`; what it resolves with becomes
   * `received`.
   */
  sink?: BodySink;
  signal?: AbortSignal;
  /** Limits the whole request, redirects and body included. Default: 60,000; null: only `signal` ends it. */
  timeoutMs?: number | null;
  /** Maximum body size after decompression. Default: 10 MiB. */
  maxBytes?: number;
  /** Waits until there is memory for a response of so many bytes; called once, before a large one is read. */
  reserve?: (bytes: number) => Promise<void>;
  /** The call is one of a workflow's own: it carries the context of its trace, unless TRACE_OUTGOING is false. */
  isTraced?: boolean;
  /**
   * False: redirects are returned like other responses; `same-origin`: those to another origin. Cookies set on the way
   * are sent as a browser does.
   */
  followRedirects?: boolean | 'same-origin';
  /**
   * Any certificate of a server is accepted, also of those of redirects, so the identity of the server is not known.
   * Which addresses may be called is another question. Refused unless the operator permits it.
   */
  acceptsAnyCertificate?: boolean;
  /** The headers to send in place of those given, for each request until a redirect leads to another origin. */
  sign?: (request: SignableRequest, signal: AbortSignal) => Promise<Record<string, string>>;
}

/** A request as it is about to be sent. */
export type SignableRequest = RequestHop<OutboundRequest['body']>;

/** A body that is not in memory. It may be sent again, after a redirect. */
export interface StreamedBody {
  /** In bytes. */
  length: number;
  open(): Readable;
}

export interface BodySink {
  /** A body with more bytes after decompression is refused. */
  maxBytes: number;
  accepts(status: number): boolean;
  receive(response: Pick<OutboundResponse, 'headers' | 'url'>, body: AsyncIterable<Buffer>): Promise<unknown>;
}

export interface OutboundResponse {
  status: number;
  headers: ResponseHeaders;
  body: Buffer;
  /** The result of the sink that received the body. */
  received?: unknown;
  /** The final address after redirects. */
  url: string;
}

export const MAX_HTTP_RESPONSE_BYTES = 10 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
/** Browsers follow as many. */
export const MAX_REDIRECTS = 20;

/** Ends the reading of a body; a late error of it would end the process. */
const abandonBody = ({ body }: { body: Readable }) => body.on('error', () => undefined).destroy();

/** A streamed body has a length, which receivers such as object storages ask for. */
function openRequestBody(body: OutboundRequest['body'], headers: Record<string, string>) {
  if (typeof body !== 'object' || body instanceof Uint8Array) return { body, headers };
  return { body: body.open(), headers: { ...headers, 'content-length': String(body.length) } };
}

/**
 * The only way out to the network by HTTP. Refuses other protocols than http and https, and every address that is
 * neither public nor permitted by the operator: in any spelling, through any name, also after redirects and through a
 * proxy. Throws NodeFailure: EGRESS_DENIED, INVALID_URL, INVALID_REQUEST, TOO_MANY_REDIRECTS, TOO_LARGE, BAD_RESPONSE,
 * TLS (all final), DNS, CONNECT, TIMEOUT (retriable).
 */
export async function sendOutboundRequest(outbound: OutboundRequest): Promise<OutboundResponse> {
  const startedAt = performance.now();
  let result: number | string = 'OTHER';
  try {
    const answer = await followRedirectChain(outbound);
    result = answer.status;
    return answer;
  } catch (error) {
    if (error instanceof NodeFailure) result = error.code;
    throw error;
  } finally {
    countOutboundRequest(result, (performance.now() - startedAt) / 1000);
  }
}

async function followRedirectChain(outbound: OutboundRequest): Promise<OutboundResponse> {
  const { signal, timeoutMs = REQUEST_TIMEOUT_MS, followRedirects = true } = outbound;
  const clock = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const ends = AbortSignal.any([signal, clock].filter((each) => each !== undefined));
  let step = firstRequestHop(outbound);
  const firstOrigin = step.url.origin;
  let isSigned = true;
  const cookies = new RedirectCookies();
  const { acceptsAnyCertificate = false } = outbound;
  if (acceptsAnyCertificate && !getRuntime().env.egressAllowUnverified)
    throw new NodeFailure('TLS', 'The operator permits no calls that accept any certificate.', false);
  const connections = findWorkspaceConnections(outbound.workspaceId, !acceptsAnyCertificate);
  connections.calls += 1;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { url } = step;
      // Another origin could redirect back to an address of its choice, so nothing is signed after the first origin was
      // left.
      isSigned &&= url.origin === firstOrigin;
      const cookie = cookies.headerFor(url, step.headers['cookie']);
      const current = { ...step, headers: { ...step.headers, ...(cookie === undefined ? {} : { cookie }) } };
      const headers = outbound.sign && isSigned ? await outbound.sign(current, ends) : current.headers;
      const guard = awaitPermittedStart(signal);
      if (guard) await guard;
      const answer = await dispatchRequest({ ...current, headers }, connections.agent, ends);
      const received = toResponseHeaders(answer.headers);
      const target = followRedirects ? nextRequestHop(step, answer.statusCode, received['location']) : undefined;
      const next = followRedirects === 'same-origin' && target?.url.origin !== url.origin ? undefined : target;
      if (!next) return await readOutboundResponse(outbound, current, answer, received);
      abandonBody(answer);
      if (redirects === MAX_REDIRECTS) {
        throw new NodeFailure('TOO_MANY_REDIRECTS', `More than ${MAX_REDIRECTS} redirects.`, false);
      }
      cookies.keep(url, received['set-cookie']);
      step = next;
    }
  } catch (error) {
    if (signal?.aborted) throw new NodeFailure('ABORTED', 'The call was stopped.', false);
    if (timeoutMs !== null && clock?.aborted)
      throw createNodeFailure('TIMEOUT', { subject: step.url.host, timeoutMs }, { isRetriable: true });
    throw toRequestFailure(error, step.url);
  } finally {
    connections.calls -= 1;
    connections.usedAt = performance.now();
  }
}

function firstRequestHop(outbound: OutboundRequest): SignableRequest {
  const url = parseHttpUrl(outbound.url);
  const headers = {
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Weft',
    ...(outbound.isTraced && outgoingTraceHeader()),
    ...outbound.headers,
  };
  return {
    url,
    target: requestTarget(outbound.url, url),
    method: outbound.method ?? 'GET',
    headers: filterHeaders(headers, (name, value) => unsentHeaderReason(name, value) === undefined),
    body: outbound.body,
  };
}

const HOST_HEADER_PATTERN = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * Sends one request. The address of `url` is connected to, whatever the header Host says; TLS asks for its name, too.
 */
function dispatchRequest(
  { url, target, method, headers, body }: SignableRequest,
  agent: Dispatcher,
  signal: AbortSignal,
) {
  const { host } = headers;
  if (host !== undefined && !HOST_HEADER_PATTERN.test(host))
    throw new NodeFailure('INVALID_REQUEST', `The header Host must be a host, with a port or without.`, false);
  const names = host === undefined || isIP(url.hostname.replace(/^\[|\]$/g, '')) ? {} : { servername: url.hostname };
  const content = openRequestBody(body, headers);
  const options = { origin: url.origin, path: target, method, ...content, ...names, signal };
  return agent.request(options as unknown as Dispatcher.RequestOptions);
}

/** Statuses whose responses have no body, whatever their headers say. */
const hasNoResponseBody = (method: string, status: number) => method === 'HEAD' || status === 204 || status === 304;

async function readOutboundResponse(
  { sink, maxBytes = MAX_HTTP_RESPONSE_BYTES, reserve }: OutboundRequest,
  { url, method }: SignableRequest,
  answer: Dispatcher.ResponseData,
  headers: ResponseHeaders,
): Promise<OutboundResponse> {
  const about = { status: answer.statusCode, headers, url: url.href };
  if (hasNoResponseBody(method, about.status)) {
    // Some servers send one: the connection ends then, the response is whole.
    answer.body.on('error', () => undefined).resume();
    return { ...about, body: Buffer.alloc(0) };
  }
  const encoding = headers['content-encoding'];
  if (sink?.accepts(about.status)) {
    const parts = decodeBodyChunks(answer.body, encoding, sink.maxBytes);
    const received = await sink.receive({ headers, url: about.url }, parts).finally(() => abandonBody(answer));
    return { ...about, body: Buffer.alloc(0), received };
  }
  const length = headers['content-length'];
  return { ...about, body: await readResponseBody(answer.body, { encoding, length, maxBytes, reserve }) };
}
