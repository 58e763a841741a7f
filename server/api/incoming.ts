import type { IncomingMessage } from 'node:http';
import { newId } from '@/server/db/ids';
import { runtime } from '@/server/runtime';
import type { Connection } from '@/server/disconnect';
import { bodyDecoder, collectParts } from './content-encoding';
import { clientAddress, PEER_HEADER, REQUEST_HEADER, type CallHeaders } from '@/server/client-address';
import { invalid, invalidField, Problem } from '@/server/errors/problem';

/** A request from any transport. Its content is not validated, and its body is not read yet. */
export interface Incoming extends Arrival {
  params: Record<string, string>;
  /** Set if the rate limiter has counted the call before its body was read: the rate limit headers of the answer. */
  rateLimitHeaders?: Record<string, string>;
}

/** What the access log and traces say about a request, besides what the listener knows. */
export interface RequestNotes {
  operation?: string;
  /** The path of the operation, with the names of its parameters. */
  route?: string;
  ipAddress?: string;
}

/** The same before the path is parsed. */
export interface Arrival {
  requestId: string;
  method: string;
  /** Without the query; part of the scope of an idempotency key. */
  path: string;
  query: URLSearchParams;
  /** The raw query string, which some signatures cover. */
  rawQuery: string;
  headers: CallHeaders;
  ipAddress: string;
  connection?: Connection;
  /** Set if the request is logged or traced. */
  notes?: RequestNotes;
  /** Reads the body, decompressed if it was sent compressed. Throws a Problem as soon as there are more than `max` bytes. */
  readBody(max: number): Promise<Uint8Array>;
  /** The same in parts, for what is too large for memory. Throws a Problem if it is incomplete. */
  streamBody(max: number): AsyncIterable<Uint8Array>;
  /** Reads the exact bytes that were sent, which signatures cover. */
  readSentBody(max: number): Promise<Uint8Array>;
  /** The same in parts. The reader counts the bytes. */
  streamSentBody(): AsyncIterable<Uint8Array>;
}

type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

const arrival = (
  method: string,
  { pathname, search, searchParams }: Address,
  headers: CallHeaders,
  connection: Connection,
  sent: Pick<Arrival, 'readSentBody' | 'streamSentBody'>,
): Arrival => ({
  requestId: headers.get(REQUEST_HEADER) ?? newId('req'),
  method,
  path: pathname,
  query: searchParams,
  rawQuery: search.slice(1),
  headers,
  ipAddress: clientAddress(headers, runtime().env.trustProxy),
  connection,
  async readBody(max) {
    requireOneType(headers);
    const decode = bodyDecoder(headers);
    if (!decode) return sent.readSentBody(max);
    if (Number(headers.get('content-length')) > max) throw tooLarge(max);
    return collectParts(decode(sent.streamSentBody(), max));
  },
  streamBody(max) {
    requireOneType(headers);
    const parts = sent.streamSentBody();
    return bodyDecoder(headers)?.(parts, max) ?? parts;
  },
  async readSentBody(max) {
    requireOneType(headers);
    return sent.readSentBody(max);
  },
  streamSentBody() {
    requireOneType(headers);
    return sent.streamSentBody();
  },
});

const TYPE = 'content-type';

/** The different content types of a request. Repeated headers arrive joined by commas; some senders set the same one twice. */
function contentTypes(value: string): string[] {
  const types = value.match(/(?:"(?:\\.|[^"\\])*"|[^,])+/g)?.map((type) => type.trim()) ?? [];
  return types.filter((type, at) => types.findIndex((one) => one.toLowerCase() === type.toLowerCase()) === at);
}

/** Whether a content type may be several. */
const isJoined = (value: string | null | undefined): value is string => value?.includes(',') ?? false;

/** Throws 400 where a body could be read as one thing or another. */
function requireOneType(headers: CallHeaders): void {
  const value = headers.get(TYPE);
  if (!isJoined(value)) return;
  const [first = '', second] = contentTypes(value);
  if (second === undefined) return;
  const message = `must be given once: this request says ${first.slice(0, 100)} and ${second.slice(0, 100)}`;
  throw invalidField('Content-Type', message);
}

/** The one content type that was sent repeatedly; undefined: it was not, or there are several. */
function repeatedType(value: string | null | undefined): string | undefined {
  const [type, other] = isJoined(value) ? contentTypes(value) : [];
  return other === undefined ? type : undefined;
}

function withOneType(headers: Headers): Headers {
  const type = repeatedType(headers.get(TYPE));
  if (type === undefined) return headers;
  const single = new Headers(headers);
  single.set(TYPE, type);
  return single;
}

/** Converts a web-standard request, as Next's route handlers receive it. */
export const arrivalOf = ({ method, url, headers, body, signal }: Request): Arrival =>
  arrival(method, new URL(url), withOneType(headers), signal, {
    readSentBody: (max) => readBody(body ?? [], headers.get('content-length'), max),
    streamSentBody: () => complete(body ?? []),
  });

const incomplete = () => invalid([], 'The body is incomplete.');

async function* complete(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw incomplete();
  }
}

const tooLarge = (max: number) => invalid([], `The body is larger than ${max} bytes.`);

/**
 * The only function that reads request bodies, for every address. A body of more than `max` bytes is refused: by its
 * announced length, or else as soon as the limit is exceeded. No more than `max` bytes are buffered.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: string | number | undefined | null,
  max: number,
): Promise<Uint8Array> {
  if (Number(length) > max) throw tooLarge(max);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop stops the reading: bytes over the limit are never buffered.
    for await (const chunk of body) {
      size += chunk.length;
      if (size > max) throw tooLarge(max);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : incomplete();
  }
  return Buffer.concat(chunks);
}

/** The headers of a Node request, whose names are in lower case. */
class NodeHeaders implements CallHeaders {
  constructor(readonly all: IncomingMessage['headers']) {}

  get(name: string): string | null {
    return (this.all[name.toLowerCase()] as string | undefined) ?? null;
  }

  has(name: string): boolean {
    return this.all[name.toLowerCase()] !== undefined;
  }
}

const OWN_HEADERS = [PEER_HEADER, REQUEST_HEADER];

/** All headers that the client sent, by name in lower case; repeated ones joined. */
export function sentHeaders(headers: CallHeaders): Record<string, string> {
  const all =
    headers instanceof NodeHeaders
      ? Object.entries(headers.all).map(([name, value]) => [name, String(value)])
      : headers instanceof Headers
        ? [...headers]
        : [];
  return Object.fromEntries(all.filter(([name = '']) => !OWN_HEADERS.includes(name)));
}

/** Matches addresses without characters that need parsing, which is nearly all. */
const PLAIN = /^[\w/-]+$/;
const NO_QUERY = new URLSearchParams();
const NOTHING = Buffer.alloc(0);

/** Converts a Node request. Building a web-standard request would cost as much as the rest of the HTTP handling. */
export function arrivalFrom(message: IncomingMessage): Arrival {
  const { headers: all, method = 'GET', url = '/' } = message;
  const type = repeatedType(all[TYPE]);
  if (type !== undefined) all[TYPE] = type;
  const address = PLAIN.test(url)
    ? { pathname: url, search: '', searchParams: NO_QUERY }
    : new URL(`http://service${url}`);
  // The connection stays open, because an answer follows.
  const parts = () => message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return arrival(method, address, new NodeHeaders(all), message.socket, {
    async readSentBody(max) {
      if (!message.complete) return readBody(parts(), all['content-length'], max);
      const bytes = (message.read() as Buffer | null) ?? NOTHING;
      return readBody([bytes], bytes.length, max);
    },
    streamSentBody: () => complete(parts()),
  });
}
