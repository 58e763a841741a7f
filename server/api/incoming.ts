import { newId } from '../db/ids';
import { runtime } from '../runtime';
import { clientAddress } from './address';
import { invalid, Problem } from './problem';

/** A call as it arrives, from whichever door. Nothing in it is trusted yet, and the body is not yet read. */
export interface Incoming {
  requestId: string;
  method: string;
  /** Without the query; part of the scope of an idempotency key. */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The query as it was written, which is what some signatures are over. */
  rawQuery: string;
  headers: Headers;
  ipAddress: string;
  /** Reads the body's exact bytes. Throws a Problem as soon as there are more than `max`. */
  readBody(max: number): Promise<Uint8Array>;
}

/** A web-standard request as a call. `url`: its address. `path` parameters come decoded from the router. */
export function incomingOf(request: Request, url: URL, params: Record<string, string>): Incoming {
  const { pathname, search, searchParams } = url;
  return {
    requestId: newId('req'),
    method: request.method,
    path: pathname,
    params,
    query: searchParams,
    rawQuery: search.slice(1),
    headers: request.headers,
    ipAddress: clientAddress(request.headers, runtime().env.trustProxy),
    readBody: (max) => readBody(request, max),
  };
}

const tooLarge = (max: number) => invalid([], `The body is larger than ${max} bytes.`);

async function readBody(request: Request, max: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN);
  if (announced > max) throw tooLarge(max);
  // With a length announced, HTTP itself holds the client to it.
  const bytes = announced <= max ? request.arrayBuffer().then((all) => new Uint8Array(all)) : readStream(request, max);
  return bytes.catch((error: unknown) => {
    throw error instanceof Problem ? error : invalid([], 'The body did not arrive whole.');
  });
}

async function readStream({ body }: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream: what is over the limit is never buffered.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > max) throw tooLarge(max);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
