import type { Readable } from 'node:stream';
import { isIP } from 'node:net';
import { Agent, buildConnector, request as send, type Dispatcher } from 'undici';
import { denied, lookupFor } from './lookup';
import { bodyOf, partsOf } from './body';
import { isPublicAddress } from './public-address';
import { traceHeader } from './trace-header';
import { countOutbound } from '@/server/meters/meters';
import { runtime } from '@/server/runtime';
import { awaitStart } from '@/server/starts';
import { NodeFailure } from '@/server/errors/node-failure';
import { failureOf } from './failures';

export interface OutboundRequest {
  /** The workspace whose share of look-ups and connections is used; '' for the service itself. */
  workspaceId: string;
  url: string | URL;
  /** Default: GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | StreamedBody;
  /** Reads the body of a response that it accepts in parts, in place of `body`; what it resolves with becomes `received`. */
  sink?: Sink;
  signal?: AbortSignal;
  /** For the whole request, redirects and body included. Default 60,000; null: only `signal` ends it. */
  timeoutMs?: number | null;
  /** Maximum body size after decompression. Default: 10 MiB. */
  maxBytes?: number;
  /** Waits until there is memory for a response of so many bytes; called once, before a large one is read. */
  reserve?: (bytes: number) => Promise<void>;
  /** The call is one of a workflow's own: it carries the context of its trace, unless TRACE_OUTGOING is false. */
  isTraced?: boolean;
  /** False: redirects are returned like other responses; `same-origin`: those to another origin. */
  followRedirects?: boolean | 'same-origin';
  /** The headers to send in place of those given, for each request until a redirect leads to another origin. */
  sign?: (request: SignableRequest, signal: AbortSignal) => Promise<Record<string, string>>;
}

/** A request as it is about to be sent. Names of headers are in lower case. */
export interface SignableRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: OutboundRequest['body'];
}

/** A body that is not in memory. It may be sent again, after a redirect. */
export interface StreamedBody {
  /** In bytes. */
  length: number;
  open(): Readable;
}

export interface Sink {
  /** More bytes, after decompression, are refused. */
  maxBytes: number;
  accepts(status: number): boolean;
  receive(response: Pick<OutboundResponse, 'headers' | 'url'>, body: AsyncIterable<Buffer>): Promise<unknown>;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; repeated headers are joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** What the sink made of the body. */
  received?: unknown;
  /** The final address after redirects. */
  url: string;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAX_URL = 16_384;

const CONNECT_MS = 10_000;

function agentFor(workspaceId: string, allowsPrivate: boolean): Agent {
  if (allowsPrivate) {
    return new Agent({ ...LIMITS, connect: { lookup: lookupFor(workspaceId, () => true), timeout: CONNECT_MS } });
  }
  const lookup = lookupFor(workspaceId, ({ address }) => isPublicAddress(address));
  const connect = buildConnector({ lookup, timeout: CONNECT_MS });
  return new Agent({
    ...LIMITS,
    // Literal addresses skip the look-up, so they are checked here.
    connect: (options, callback) =>
      isIP(options.hostname) !== 0 && !isPublicAddress(options.hostname)
        ? callback(denied(options.hostname), null)
        : connect(options, callback),
  });
}

const LIMITS = { connections: 256, maxHeaderSize: 65_536, headersTimeout: 0, bodyTimeout: 0, allowH2: false };

/** The connections of one workspace. */
interface Line {
  agent: Agent;
  calls: number;
  usedAt: number;
}

/** Milliseconds without a call after which a workspace's connections are closed. */
const IDLE_MS = 30_000;
const lines = new Map<string, Line>();
let sweptAt = 0;

/**
 * Connections are pooled per workspace, so that no workspace waits for those of others, and per policy: a connection made while private addresses
 * were allowed must not be reused when they are not.
 */
function lineOf(workspaceId: string): Line {
  const { egressAllowPrivate } = runtime().env;
  const now = performance.now();
  if (now - sweptAt > IDLE_MS) closeIdle((sweptAt = now));
  const key = `${egressAllowPrivate} ${workspaceId}`;
  const line = lines.get(key) ?? { agent: agentFor(workspaceId, egressAllowPrivate), calls: 0, usedAt: now };
  lines.set(key, line);
  line.usedAt = now;
  return line;
}

function closeIdle(now: number): void {
  for (const [key, { agent, calls, usedAt }] of lines) {
    if (calls > 0 || now - usedAt < IDLE_MS) continue;
    lines.delete(key);
    void agent.destroy();
  }
}

/** Closes pooled connections at shutdown. */
export async function closeOutbound(): Promise<void> {
  const open = [...lines.values()];
  lines.clear();
  await Promise.all(open.map(({ agent }) => agent.destroy()));
}

function addressOf(address: string | URL, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    throw new NodeFailure('INVALID_URL', `"${String(address).slice(0, 200)}" is not a URL.`, false);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NodeFailure('INVALID_URL', `Only http and https addresses can be called, not ${url.protocol}`, false);
  }
  if (url.username !== '' || url.password !== '') {
    throw new NodeFailure('INVALID_URL', 'A URL may not carry a user name or password; use a credential.', false);
  }
  if (url.href.length > MAX_URL) throw new NodeFailure('INVALID_URL', 'The URL is too long.', false);
  return url;
}

/** Hop-by-hop headers, which the client sets itself. */
const HOP_BY_HOP = new Set(
  'connection content-length expect host keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** Headers that may follow a redirect to another origin; any other header may be a secret of the first one. */
const HARMLESS = new Set('accept accept-encoding accept-language content-type idempotency-key user-agent'.split(' '));

function headersOf(headers: Record<string, string>, isAllowed: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => isAllowed(name)));
}

/** The headers of a request that may go to another origin than the one that they were written for. */
export const harmlessHeaders = (headers: Record<string, string>): Record<string, string> =>
  headersOf(headers, (name) => HARMLESS.has(name));

const flat = (headers: Dispatcher.ResponseData['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));

/** Ends the reading of a body; a late error of it would end the process. */
const abandon = ({ body }: { body: Readable }) => body.on('error', () => undefined).destroy();

/** A streamed body has a length, which receivers such as object storages ask for. */
function contentOf(body: OutboundRequest['body'], headers: Record<string, string>) {
  if (typeof body !== 'object' || body instanceof Uint8Array) return { body, headers };
  return { body: body.open(), headers: { ...headers, 'content-length': String(body.length) } };
}

/** The next request of a browser; undefined if the response is no redirect. */
function redirected(
  { url, method, headers, body }: SignableRequest,
  status: number,
  location: string | undefined,
): SignableRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  const next = addressOf(location, url);
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  const isKept = (name: string) =>
    (next.origin === url.origin || HARMLESS.has(name)) && !(becomesGet && name.startsWith('content-'));
  return {
    url: next,
    method: becomesGet ? 'GET' : method,
    headers: headersOf(headers, isKept),
    body: becomesGet ? undefined : body,
  };
}

/**
 * The only way out to the network. Refuses other protocols than http and https, and, unless EGRESS_ALLOW_PRIVATE, every address that is not
 * public: in any spelling, through any name, also after redirects. Throws NodeFailure: EGRESS_DENIED, INVALID_URL, INVALID_REQUEST,
 * TOO_MANY_REDIRECTS, TOO_LARGE, BAD_RESPONSE, TLS (all final), DNS, CONNECT, TIMEOUT (retriable).
 */
export async function request(outbound: OutboundRequest): Promise<OutboundResponse> {
  const startedAt = performance.now();
  let result: number | string = 'OTHER';
  try {
    const answer = await exchange(outbound);
    result = answer.status;
    return answer;
  } catch (error) {
    if (error instanceof NodeFailure) result = error.code;
    throw error;
  } finally {
    countOutbound(result, (performance.now() - startedAt) / 1000);
  }
}

async function exchange(outbound: OutboundRequest): Promise<OutboundResponse> {
  const { signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, followRedirects = true } = outbound;
  const clock = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const ends = AbortSignal.any([signal, clock].filter((each) => each !== undefined));
  let step: SignableRequest = {
    url: addressOf(outbound.url),
    method: outbound.method ?? 'GET',
    headers: headersOf(
      {
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Weft',
        ...(outbound.isTraced && traceHeader()),
        ...outbound.headers,
      },
      (name) => !HOP_BY_HOP.has(name),
    ),
    body: outbound.body,
  };
  const firstOrigin = step.url.origin;
  let isSigned = true;
  const line = lineOf(outbound.workspaceId);
  line.calls += 1;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { url, method, body } = step;
      // Another origin could lead back to an address of its choice: once left, nothing is signed any more.
      isSigned &&= url.origin === firstOrigin;
      const headers = outbound.sign && isSigned ? await outbound.sign(step, ends) : step.headers;
      const guard = awaitStart(signal);
      if (guard) await guard;
      const content = contentOf(body, headers);
      const options = { method, ...content, signal: ends, dispatcher: line.agent };
      const answer = await send(url, options as Parameters<typeof send>[1]);
      const received = flat(answer.headers);
      const target = followRedirects ? redirected(step, answer.statusCode, received['location']) : undefined;
      const next = followRedirects === 'same-origin' && target?.url.origin !== url.origin ? undefined : target;
      if (!next && outbound.sink?.accepts(answer.statusCode) && method !== 'HEAD') {
        const { sink } = outbound;
        const parts = partsOf(answer.body, received['content-encoding'], sink.maxBytes);
        const stored = await sink.receive({ headers: received, url: url.href }, parts).finally(() => abandon(answer));
        return { status: answer.statusCode, headers: received, body: Buffer.alloc(0), received: stored, url: url.href };
      }
      if (!next) {
        const bytes =
          method === 'HEAD'
            ? Buffer.alloc(0)
            : await bodyOf(answer.body, {
                encoding: received['content-encoding'],
                length: received['content-length'],
                maxBytes,
                reserve: outbound.reserve,
              });
        return { status: answer.statusCode, headers: received, body: bytes, url: url.href };
      }
      abandon(answer);
      if (redirects === MAX_REDIRECTS) {
        throw new NodeFailure('TOO_MANY_REDIRECTS', `More than ${MAX_REDIRECTS} redirects.`, false);
      }
      step = next;
    }
  } catch (error) {
    if (signal?.aborted) throw new NodeFailure('ABORTED', 'The call was stopped.', false);
    if (clock?.aborted) throw new NodeFailure('TIMEOUT', `${step.url.host} took longer than ${timeoutMs} ms.`);
    throw failureOf(error, step.url);
  } finally {
    line.calls -= 1;
    line.usedAt = performance.now();
  }
}
