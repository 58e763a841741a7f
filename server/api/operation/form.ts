import type { CallHeaders } from '@/server/platform/messages/client-address';
import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { requestBodyType, parseUrlEncodedFields, UnreadableBodyError } from '@/server/platform/messages/request-body';

/** No form of the sign-in has more fields than this. */
const MAX_SIGN_IN_FIELDS = 100;

/** The fields of a posted form of few fields, each at most once. Throws a Problem. */
export function parseSingleFields({
  headers,
  rawBody,
}: {
  headers: CallHeaders;
  rawBody: Uint8Array;
}): Partial<Record<string, string>> {
  if (requestBodyType(headers.get('content-type')) !== 'form') {
    throw invalidFieldProblem('Content-Type', 'must be application/x-www-form-urlencoded');
  }
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of parseFieldsOrProblem(rawBody, MAX_SIGN_IN_FIELDS)) {
    if (fields.has(name)) repeated.add(name);
    fields.set(name, value);
  }
  if (repeated.size > 0)
    throw invalidRequestProblem([...repeated].map((field) => ({ field, message: 'is given more than once' })));
  return Object.fromEntries(fields);
}

/**
 * Names and values of a query, read as those of a form are: the encoding of the sender is known for both or for none.
 * Throws a Problem.
 */
export const parseRawQuery = (rawQuery: string): [string, string][] =>
  parseFieldsOrProblem(Buffer.from(rawQuery), Infinity);

function parseFieldsOrProblem(rawBody: Uint8Array, maxFields: number): [string, string][] {
  try {
    return parseUrlEncodedFields(rawBody, { maxFields });
  } catch (error) {
    throw error instanceof UnreadableBodyError ? invalidRequestProblem([], error.message) : error;
  }
}
