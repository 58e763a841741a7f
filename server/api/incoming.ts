import type { IncomingMessage } from 'node:http';
import { newId } from '../db/ids';
import { runtime } from '../runtime';
import { clientAddress } from './address';
import type { CallHeaders } from './call-headers';
import { invalid, Problem } from './problem';

/** A call as it arrives, from whichever door. Nothing in it is trusted yet, and the body is not yet read. */
export interface Incoming extends Arrival {
  params: Record<string, string>;
}

/** The same before its path has been read. */
export interface Arrival {
  requestId: string;
  method: string;
  /** Without the query; part of the scope of an idempotency key. */
  path: string;
  query: URLSearchParams;
  /** The query as it was written, which is what some signatures are over. */
  rawQuery: string;
  headers: CallHeaders;
  ipAddress: string;
  /** Reads the body's exact bytes. Throws a Problem as soon as there are more than `max`. */
  readBody(max: number): Promise<Uint8Array>;
}

type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

const arrival = (
  method: string,
  { pathname, search, searchParams }: Address,
  headers: CallHeaders,
  readBody: Arrival['readBody'],
): Arrival => ({
  requestId: newId('req'),
  method,
  path: pathname,
  query: searchParams,
  rawQuery: search.slice(1),
  headers,
  ipAddress: clientAddress(headers, runtime().env.trustProxy),
  readBody,
});

/** A web-standard request, as Next's route files get it. */
export const arrivalOf = ({ method, url, headers, body }: Request): Arrival =>
  arrival(method, new URL(url), headers, (max) => readBody(body ?? [], headers.get('content-length'), max));

const tooLarge = (max: number) => invalid([], `The body is larger than ${max} bytes.`);

/** `length`: what was announced of it, if anything. */
async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: string | undefined | null,
  max: number,
): Promise<Uint8Array> {
  if (Number(length) > max) throw tooLarge(max);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop ends the reading: what is over the limit is never buffered.
    for await (const chunk of body) {
      size += chunk.length;
      if (size > max) throw tooLarge(max);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : invalid([], 'The body did not arrive whole.');
  }
  return Buffer.concat(chunks);
}

/** Addresses as nearly all are, which mean what they say. */
const PLAIN = /^[\w/-]+$/;
const NO_QUERY = new URLSearchParams();
const NOTHING = Buffer.alloc(0);

/** A request of Node's. Its web-standard twin would cost as much as everything else that HTTP does. */
export function arrivalFrom(message: IncomingMessage): Arrival {
  const { headers: all, method = 'GET', url = '/' } = message;
  const address = PLAIN.test(url)
    ? { pathname: url, search: '', searchParams: NO_QUERY }
    : new URL(`http://service${url}`);
  const headers: CallHeaders = {
    get: (name) => (all[name.toLowerCase()] as string | undefined) ?? null,
    has: (name) => all[name.toLowerCase()] !== undefined,
  };
  return arrival(method, address, headers, async (max) => {
    if (!message.complete) {
      // The connection stays: there is an answer to be sent.
      const body = message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      return readBody(body, all['content-length'], max);
    }
    const bytes = (message.read() as Buffer | null) ?? NOTHING;
    if (bytes.length > max) throw tooLarge(max);
    return bytes;
  });
}
