import type { IncomingMessage } from 'node:http';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import type { ClientConnection } from '@/server/platform/messages/disconnect';
import { findBodyDecoder, collectBodyParts } from './content-encoding';
import {
  findClientAddress,
  PEER_ADDRESS_HEADER,
  REQUEST_ID_HEADER,
  type CallHeaders,
} from '@/server/platform/messages/client-address';
import { invalidRequestProblem, invalidFieldProblem, ApiProblem } from '@/server/platform/errors/problem';

/** A request from any transport. Its content is not validated, and its body is not read yet. */
export interface IncomingCall extends ReceivedRequest {
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

/** A request before its path is parsed. */
export interface ReceivedRequest {
  requestId: string;
  method: string;
  /** Without the query; part of the scope of an idempotency key. */
  path: string;
  query: URLSearchParams;
  /** The raw query string, which some signatures cover. */
  rawQuery: string;
  headers: CallHeaders;
  ipAddress: string;
  connection?: ClientConnection;
  /** Set if the request is logged or traced. */
  notes?: RequestNotes;
  /**
   * Reads the body, decompressed if it was sent compressed. Throws a Problem as soon as there are more than `max`
   * bytes.
   */
  readBody(max: number): Promise<Uint8Array>;
  /** The same in parts, for what is too large for memory. Throws a Problem if it is incomplete. */
  streamBody(max: number): AsyncIterable<Uint8Array>;
  /** Reads the exact bytes that were sent, which signatures cover. */
  readSentBody(max: number): Promise<Uint8Array>;
  /** The same in parts. The reader counts the bytes. */
  streamSentBody(): AsyncIterable<Uint8Array>;
}

type RequestAddress = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

const createReceivedRequest = (
  method: string,
  { pathname, search, searchParams }: RequestAddress,
  headers: CallHeaders,
  connection: ClientConnection,
  sent: Pick<ReceivedRequest, 'readSentBody' | 'streamSentBody'>,
): ReceivedRequest => ({
  requestId: headers.get(REQUEST_ID_HEADER) ?? generateId('req'),
  method,
  path: pathname,
  query: searchParams,
  rawQuery: search.slice(1),
  headers,
  ipAddress: findClientAddress(headers, getRuntime().env.trustProxy),
  connection,
  async readBody(max) {
    requireOneContentType(headers);
    const decode = findBodyDecoder(headers);
    if (!decode) return sent.readSentBody(max);
    if (Number(headers.get('content-length')) > max) throw sentBodyTooLarge(max);
    return collectBodyParts(decode(sent.streamSentBody(), max));
  },
  streamBody(max) {
    requireOneContentType(headers);
    const parts = sent.streamSentBody();
    return findBodyDecoder(headers)?.(parts, max) ?? parts;
  },
  async readSentBody(max) {
    requireOneContentType(headers);
    return sent.readSentBody(max);
  },
  streamSentBody() {
    requireOneContentType(headers);
    return sent.streamSentBody();
  },
});

const CONTENT_TYPE_HEADER = 'content-type';

/**
 * The different content types of a request. Repeated headers arrive joined by commas; some senders set the same one
 * twice.
 */
function splitContentTypes(value: string): string[] {
  const types = value.match(/(?:"(?:\\.|[^"\\])*"|[^,])+/g)?.map((type) => type.trim()) ?? [];
  return types.filter((type, at) => types.findIndex((one) => one.toLowerCase() === type.toLowerCase()) === at);
}

/** Whether a content type may be several. */
const mayBeJoined = (value: string | null | undefined): value is string => value?.includes(',') ?? false;

/** Throws 400 where a body could be read as one thing or another. */
function requireOneContentType(headers: CallHeaders): void {
  const value = headers.get(CONTENT_TYPE_HEADER);
  if (!mayBeJoined(value)) return;
  const [first = '', second] = splitContentTypes(value);
  if (second === undefined) return;
  const message = `must be given once: this request says ${first.slice(0, 100)} and ${second.slice(0, 100)}`;
  throw invalidFieldProblem('Content-Type', message);
}

/** The one content type that was sent repeatedly; undefined: it was not, or there are several. */
function findRepeatedType(value: string | null | undefined): string | undefined {
  const [type, other] = mayBeJoined(value) ? splitContentTypes(value) : [];
  return other === undefined ? type : undefined;
}

function withOneContentType(headers: Headers): Headers {
  const type = findRepeatedType(headers.get(CONTENT_TYPE_HEADER));
  if (type === undefined) return headers;
  const single = new Headers(headers);
  single.set(CONTENT_TYPE_HEADER, type);
  return single;
}

/** Converts a web-standard request, as Next's route handlers receive it. */
export const receivedFromWeb = ({ method, url, headers, body, signal }: Request): ReceivedRequest =>
  createReceivedRequest(method, new URL(url), withOneContentType(headers), signal, {
    readSentBody: (max) => readLimitedBody(body ?? [], headers.get('content-length'), max),
    streamSentBody: () => requireCompleteBody(body ?? []),
  });

const incompleteBodyProblem = () => invalidRequestProblem([], 'The body is incomplete.');

async function* requireCompleteBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw incompleteBodyProblem();
  }
}

const sentBodyTooLarge = (max: number) => invalidRequestProblem([], `The body is larger than ${max} bytes.`);

/**
 * The only function that reads request bodies, for every address. A body of more than `max` bytes is refused: by its
 * announced length, or else as soon as the limit is exceeded. No more than `max` bytes are buffered.
 */
export async function readLimitedBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: string | number | undefined | null,
  max: number,
): Promise<Uint8Array> {
  if (Number(length) > max) throw sentBodyTooLarge(max);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop stops the reading: bytes over the limit are never buffered.
    for await (const chunk of body) {
      size += chunk.length;
      if (size > max) throw sentBodyTooLarge(max);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiProblem ? error : incompleteBodyProblem();
  }
  return Buffer.concat(chunks);
}

/** The headers of a Node request, whose names are in lower case. */
class NodeCallHeaders implements CallHeaders {
  constructor(readonly all: IncomingMessage['headers']) {}

  get(name: string): string | null {
    return (this.all[name.toLowerCase()] as string | undefined) ?? null;
  }

  has(name: string): boolean {
    return this.all[name.toLowerCase()] !== undefined;
  }
}

const INTERNAL_HEADERS = [PEER_ADDRESS_HEADER, REQUEST_ID_HEADER];

/** All headers that the client sent, by name in lower case; repeated ones joined. */
export function listSentHeaders(headers: CallHeaders): Record<string, string> {
  const all =
    headers instanceof NodeCallHeaders
      ? Object.entries(headers.all).map(([name, value]) => [name, String(value)])
      : headers instanceof Headers
        ? [...headers]
        : [];
  return Object.fromEntries(all.filter(([name = '']) => !INTERNAL_HEADERS.includes(name)));
}

/** Matches addresses without characters that need parsing, which is nearly all. */
const PLAIN_ADDRESS_PATTERN = /^[\w/-]+$/;
const EMPTY_QUERY = new URLSearchParams();
const EMPTY_REQUEST_BYTES = Buffer.alloc(0);

/** Converts a Node request. Building a web-standard request would cost as much as the rest of the HTTP handling. */
export function receivedFromNode(message: IncomingMessage): ReceivedRequest {
  const { headers: all, method = 'GET', url = '/' } = message;
  const type = findRepeatedType(all[CONTENT_TYPE_HEADER]);
  if (type !== undefined) all[CONTENT_TYPE_HEADER] = type;
  const address = PLAIN_ADDRESS_PATTERN.test(url)
    ? { pathname: url, search: '', searchParams: EMPTY_QUERY }
    : new URL(`http://service${url}`);
  // The connection stays open, because an answer follows.
  const parts = () => message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return createReceivedRequest(method, address, new NodeCallHeaders(all), message.socket, {
    async readSentBody(max) {
      if (!message.complete) return readLimitedBody(parts(), all['content-length'], max);
      const bytes = (message.read() as Buffer | null) ?? EMPTY_REQUEST_BYTES;
      return readLimitedBody([bytes], bytes.length, max);
    },
    streamSentBody: () => requireCompleteBody(parts()),
  });
}
