import { invalid, invalidField } from '@/server/errors/problem';
import type { CallHeaders } from '@/server/client-address';
import { jsonIn, readLargeJson, UnreadableBody } from '@/server/request-body';

/** More than any document has that is read here: each new name and each value takes its time, in the parser and in what checks its result. */
const LIMITS = { names: 10_000, values: 100_000, longNumbers: 10_000 };

/** Bodies of this size are parsed in less than a millisecond or two. */
const SMALL = 256 * 1024;

const asProblem = (error: unknown) => (error instanceof UnreadableBody ? invalid([], error.message) : error);

/**
 * Parses the JSON value of a body. Refuses what cannot be stored unchanged: invalid UTF-8, nesting beyond `MAX_DEPTH`,
 * numbers too large for a double; and what would take long.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return jsonIn(bytes, LIMITS);
  } catch (error) {
    throw asProblem(error);
  }
}

/** The same for bodies of any size. A promise only for large ones. */
export function parseAnyJson(bytes: Uint8Array): unknown {
  if (bytes.length <= SMALL) return parseJson(bytes);
  return readLargeJson(bytes, LIMITS).catch((error: unknown) => {
    throw asProblem(error);
  });
}

/** The content type must be JSON; the charset, if present, UTF-8. */
export function checkContentType(headers: CallHeaders): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (!/^application\/([\w.-]+\+)?json$/.test(type.trim())) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw invalidField('Content-Type', 'must be UTF-8');
}
