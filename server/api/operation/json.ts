import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import { parseJsonBody, parseLargeJsonBody, UnreadableBodyError } from '@/server/platform/messages/request-body';

/**
 * Parses the JSON value of a body. Refuses what cannot be stored unchanged: invalid UTF-8, nesting beyond
 * `MAX_BODY_DEPTH`, numbers too large for a double.
 */
export function parseJsonOrProblem(bytes: Uint8Array): unknown {
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    throw error instanceof UnreadableBodyError ? invalidRequestProblem([], error.message) : error;
  }
}

/** Maximum number of values in a body, unless its operation takes more: those of lists and objects count. */
export const MAX_JSON_VALUES = 10_000;

/** The same for a body of any size. `values`: how many it may have. */
export async function readJsonOrProblem(
  bytes: Uint8Array,
  { values = MAX_JSON_VALUES, fields }: { values?: number | undefined; fields?: number } = {},
): Promise<unknown> {
  try {
    return await parseLargeJsonBody(bytes, { values, fields });
  } catch (error) {
    throw error instanceof UnreadableBodyError ? invalidRequestProblem([], error.message) : error;
  }
}

/** The content type must be JSON; the charset, if present, UTF-8. */
export function requireJsonContentType(headers: CallHeaders): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (!/^application\/([\w.-]+\+)?json$/.test(type.trim())) {
    throw invalidFieldProblem('Content-Type', 'must be application/json');
  }
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw invalidFieldProblem('Content-Type', 'must be UTF-8');
}
