import { invalid, invalidField } from '@/server/errors/problem';
import type { CallHeaders } from '@/server/client-address';
import { jsonIn, readJsonIn, UnreadableBody } from '@/server/request-body';

/**
 * Parses the JSON value of a body. Refuses what cannot be stored unchanged: invalid UTF-8, nesting beyond `MAX_DEPTH`,
 * numbers too large for a double.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return jsonIn(bytes);
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
}

/** Maximum number of values in a body, unless its operation takes more: those of lists and objects count. */
export const MAX_VALUES = 10_000;

/** The same for a body of any size. `values`: how many it may have. */
export async function readJson(
  bytes: Uint8Array,
  { values = MAX_VALUES, fields }: { values?: number | undefined; fields?: number } = {},
): Promise<unknown> {
  try {
    return await readJsonIn(bytes, { values, fields });
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
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
