import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, request as send, type Dispatcher } from 'undici';
import { bodyOf } from './outbound-body';
import { NodeFailure } from './nodes/node';
import { isPublicAddress } from './public-address';
import { runtime } from './runtime';

export interface OutboundRequest {
  url: string | URL;
  /** GET unless given. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** For everything, redirects and body included. 60,000 unless given; null: only `signal` ends it. */
  timeoutMs?: number | null;
  /** Largest body of the answer, counted after decompression. 10 MiB unless given. */
  maxBytes?: number;
  /** Waits until there is memory for an answer of so many bytes; asked once, before a large one is read. */
  reserve?: (bytes: number) => Promise<void>;
  /** False: a redirect is an answer like any other. */
  followRedirects?: boolean;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; what came more than once is joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAX_URL = 16_384;

const denied = (host: string) =>
  new NodeFailure('EGRESS_DENIED', `${host} is not a public address; this service may not call it.`, false);

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** Resolves a name and answers only its public addresses, so that what was checked is what is connected to. */
function publicLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error);
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (!first) return callback(denied(hostname));
    return options.all ? callback(null, open) : callback(null, first.address, first.family);
  });
}

function guardedAgent(): Agent {
  const connect = buildConnector({ lookup: publicLookup as typeof resolve, timeout: 10_000 });
  return new Agent({
    ...LIMITS,
    // Literal addresses never pass through a lookup.
    connect: (options, callback) =>
      isIP(options.hostname) !== 0 && !isPublicAddress(options.hostname)
        ? callback(denied(options.hostname), null)
        : connect(options, callback),
  });
}

const LIMITS = { connections: 256, maxHeaderSize: 65_536, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
const agents = new Map<boolean, Agent>();

/** Connections are kept per policy: one made where private addresses were allowed is of no use where they are not. */
function agent(): Agent {
  const { egressAllowPrivate } = runtime().env;
  const known = agents.get(egressAllowPrivate);
  if (known) return known;
  const made = egressAllowPrivate ? new Agent({ ...LIMITS, connect: { timeout: 10_000 } }) : guardedAgent();
  agents.set(egressAllowPrivate, made);
  return made;
}

/** Closes kept connections, when the process stops. */
export async function closeOutbound(): Promise<void> {
  const open = [...agents.values()];
  agents.clear();
  await Promise.all(open.map((each) => each.destroy()));
}

function addressOf(given: string | URL, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(given, base);
  } catch {
    throw new NodeFailure('INVALID_URL', `"${String(given).slice(0, 200)}" is not a URL.`, false);
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

/** Those of one connection, which are the client's own business. */
const HOP_BY_HOP = new Set(
  'connection content-length expect host keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** What may follow a redirect to another origin; any other header may be a secret of the first one's. */
const HARMLESS = new Set('accept accept-encoding accept-language content-type idempotency-key user-agent'.split(' '));

function headersOf(given: Record<string, string>, isAllowed: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => isAllowed(name)));
}

const flat = (headers: Dispatcher.ResponseData['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));

interface Step {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** What a browser would do next; undefined when the answer is no redirect. */
function redirected(
  { url, method, headers, body }: Step,
  status: number,
  location: string | undefined,
): Step | undefined {
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
 * The only way out to the network. Refuses what is not http or https, and, unless EGRESS_ALLOW_PRIVATE, every
 * address that isn't public: however it is spelt, whatever name leads to it, also after redirects. Throws NodeFailure:
 * EGRESS_DENIED, INVALID_URL, INVALID_REQUEST, TOO_MANY_REDIRECTS, TOO_LARGE, BAD_RESPONSE, TLS (all final), DNS,
 * CONNECT, TIMEOUT (worth another try).
 */
export async function request(given: OutboundRequest): Promise<OutboundResponse> {
  const { signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, followRedirects = true } = given;
  const clock = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const ends = AbortSignal.any([signal, clock].filter((each) => each !== undefined));
  let step: Step = {
    url: addressOf(given.url),
    method: given.method ?? 'GET',
    headers: headersOf(
      { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Weft', ...given.headers },
      (name) => !HOP_BY_HOP.has(name),
    ),
    body: given.body,
  };
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { url, method, headers, body } = step;
      const answer = await send(url, { method, headers, body, signal: ends, dispatcher: agent() } as Parameters<
        typeof send
      >[1]);
      const received = flat(answer.headers);
      const next = followRedirects ? redirected(step, answer.statusCode, received['location']) : undefined;
      if (!next) {
        const bytes =
          method === 'HEAD'
            ? Buffer.alloc(0)
            : await bodyOf(answer.body, {
                encoding: received['content-encoding'],
                length: received['content-length'],
                maxBytes,
                reserve: given.reserve,
              });
        return { status: answer.statusCode, headers: received, body: bytes, url: url.href };
      }
      answer.body.on('error', () => undefined).destroy();
      if (redirects === MAX_REDIRECTS) {
        throw new NodeFailure('TOO_MANY_REDIRECTS', `More than ${MAX_REDIRECTS} redirects.`, false);
      }
      step = next;
    }
  } catch (error) {
    if (signal?.aborted) throw new NodeFailure('ABORTED', 'The call was stopped.', false);
    if (clock?.aborted) throw new NodeFailure('TIMEOUT', `${step.url.host} took longer than ${timeoutMs} ms.`);
    throw failureOf(error, step.url);
  }
}

/** Error codes of Node and undici, by what they mean for a caller. */
const CODES: [RegExp, string, boolean][] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL)$/, 'DNS', true],
  [/TIMEOUT$|^ETIMEDOUT$/, 'TIMEOUT', true],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, 'TOO_LARGE', false],
  [/^HPE_|^UND_ERR_RES/, 'BAD_RESPONSE', false],
  [/^UND_ERR_(INVALID_ARG|REQ_CONTENT|NOT_SUPPORTED)/, 'INVALID_REQUEST', false],
  [/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|SELF_SIGNED/, 'TLS', false],
  [/^Z_|^ERR_BROTLI|^ERR__/, 'BAD_RESPONSE', false],
];

function failureOf(error: unknown, url: URL): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { code = '', message = '', cause } = error as { code?: string; message?: string; cause?: unknown };
  if (cause instanceof NodeFailure) return cause;
  const [, word = 'CONNECT', isRetriable = true] = CODES.find(([pattern]) => pattern.test(code)) ?? [];
  return new NodeFailure(word, `${url.host}: ${message || code || 'the connection failed'}`, isRetriable);
}
