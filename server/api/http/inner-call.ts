import { readLimitedBody, type ReceivedRequest, type IncomingCall } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';

/** The parts of a call of an operation. */
export interface CallParts {
  params?: Record<string, string> | undefined;
  query?: Record<string, string | number | undefined> | undefined;
  body?: unknown;
  /** Headers in place of those of the request. */
  headers?: Readonly<Record<string, string | null>>;
  /** The rate limit headers, if the call has been counted already. */
  rateLimitHeaders?: Record<string, string> | undefined;
}

/** A call of an operation inside a request to another address, such as that of tRPC. */
export function createInnerCall(
  { method, path }: OperationRecord,
  arrival: ReceivedRequest,
  parts: CallParts,
): IncomingCall {
  const { params = {}, query = {}, body, rateLimitHeaders } = parts;
  const own = new Map(Object.entries({ 'content-type': 'application/json', ...parts.headers }));
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const get = (name: string) => {
    const replaced = own.get(name.toLowerCase());
    return replaced === undefined ? arrival.headers.get(name) : replaced;
  };
  return {
    ...arrival,
    rateLimitHeaders,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    params,
    query: new URLSearchParams(pairs),
    rawQuery: '',
    headers: { get, has: (name) => get(name) !== null },
    readBody: async (max) => {
      const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
      return readLimitedBody([bytes], bytes.length, max);
    },
  };
}
