import type { CallHeaders } from '@/server/client-address';
import { invalid, invalidField } from '@/server/errors/problem';
import { bodyKindOf, readFormFields, UnreadableBody } from '@/server/request-body';

/** More fields than the forms of sign-in have. */
const MAX_FIELDS = 100;

/** The fields of a posted form of few fields, each at most once. Throws a Problem. */
export function readSingleFields({
  headers,
  rawBody,
}: {
  headers: CallHeaders;
  rawBody: Uint8Array;
}): Partial<Record<string, string>> {
  if (bodyKindOf(headers.get('content-type')) !== 'form') {
    throw invalidField('Content-Type', 'must be application/x-www-form-urlencoded');
  }
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of formFields(rawBody, MAX_FIELDS)) {
    if (fields.has(name)) repeated.add(name);
    fields.set(name, value);
  }
  if (repeated.size > 0) throw invalid([...repeated].map((field) => ({ field, message: 'is given more than once' })));
  return Object.fromEntries(fields);
}

/** Names and values of a query, read as those of a form are: the encoding of the sender is known for both or for none. Throws a Problem. */
export const readQuery = (rawQuery: string): [string, string][] => formFields(Buffer.from(rawQuery), Infinity);

function formFields(rawBody: Uint8Array, maxFields: number): [string, string][] {
  try {
    return readFormFields(rawBody, { maxFields });
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
}
