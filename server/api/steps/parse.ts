import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import type { Incoming } from '../incoming';
import { checkContentType, parseJson } from '../json';
import { subjectOf, type Operation } from '../operation';
import { invalid, notFound } from '../problem';
import { explain, fieldErrors } from '../zod-issues';

export const DEFAULT_MAX_BODY = 1024 * 1024;

/** Each part through its schema; `rawBody` is the body's exact bytes. */
export interface Parsed {
  input: { params: Record<string, unknown> | undefined; query: Record<string, unknown> | undefined; body: unknown };
  rawBody: Uint8Array;
}

const NOTHING = z.strictObject({});

/**
 * Fourth step: the parts of the call, each parsed once by its schema. What the operation doesn't take must be absent. A
 * path that can't name anything is a 404; everything wrong with query and body comes back together.
 */
export async function parse(operation: Operation, incoming: Incoming): Promise<Parsed> {
  const params = operation.params?.safeParse(incoming.params);
  if (params?.error) throw notFound(`The ${subjectOf(operation).replace('_', ' ')}`);
  const query = parseQuery(operation, incoming.query);
  const rawBody =
    operation.method === 'GET' ? new Uint8Array() : await incoming.readBody(operation.maxBody ?? DEFAULT_MAX_BODY);
  const { value, errors } = operation.takesRawBody
    ? { value: undefined, errors: [] }
    : parseBody(operation, incoming, rawBody);
  if (query.errors.length + errors.length > 0) throw invalid([...query.errors, ...errors]);
  return { input: { params: params?.data, query: query.value, body: value }, rawBody };
}

function parseQuery(
  { query: schema = NOTHING }: Operation,
  query: URLSearchParams,
): { value: Record<string, unknown> | undefined; errors: FieldError[] } {
  if (schema === NOTHING && query.size === 0) return { value: {}, errors: [] };
  const unreadable = unreadableIn(query);
  if (unreadable.length > 0) return { value: undefined, errors: unreadable };
  const parsed = schema.safeParse(Object.fromEntries(query), { error: explain });
  return { value: parsed.data, errors: parsed.error ? fieldErrors(parsed.error) : [] };
}

/** A parameter that is given twice means two things, so it means nothing; nor does text that can't be decoded or kept. */
const unreadableIn = (query: URLSearchParams): FieldError[] =>
  [...new Set(query.keys())].flatMap((field) => {
    const values = query.getAll(field);
    if (values.length > 1) return [{ field, message: 'is given more than once' }];
    return /[\0\ufffd]/.test(field + values[0]) ? [{ field, message: 'must be valid UTF-8 without NUL' }] : [];
  });

/** No body stands for an empty object: the schema says what is missing. */
function parseBody(
  operation: Operation,
  { headers }: Incoming,
  rawBody: Uint8Array,
): { value: unknown; errors: FieldError[] } {
  if (rawBody.length > 0) checkContentType(headers);
  const json = rawBody.length > 0 ? parseJson(rawBody) : {};
  const parsed = (operation.body ?? NOTHING).safeParse(json, { error: explain });
  if (!parsed.error) return { value: operation.body ? parsed.data : undefined, errors: [] };
  return { value: undefined, errors: fieldErrors(parsed.error).map(named) };
}

/** A body that is wrong as a whole has no path. */
const named = ({ field, message }: FieldError): FieldError => ({ field: field || 'body', message });
