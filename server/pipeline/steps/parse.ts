import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { noteSender } from '@/server/evaluation/sender';
import { networkOf } from '@/server/client-address';
import { unverifiedShares, workspaceShare } from '@/server/files/disk-shares';
import type { Spool } from '@/server/files/spool';
import type { Incoming } from '@/server/api/incoming';
import { checkContentType, readJson } from '@/server/api/json';
import { findWrongEntries } from '@/server/api/wrong-entries';
import { withoutReadOnly } from '@/server/api/read-only';
import { subjectOf, type Operation } from '@/server/api/operation';
import type { JsonBody } from '@/server/api/operation-parts';
import { invalid, notFound } from '@/server/errors/problem';
import { spoolBody } from './spool-body';
import { explain, fieldErrors } from '@/server/errors/zod-issues';

export const DEFAULT_MAX_BODY = 1024 * 1024;

/** Bytes of a body that its schema checks within a few milliseconds, however many of its entries are wrong. */
const CHECKED_AT_ONCE = 8 * 1024;

/** The exact bytes of a body: in memory, or in a temporary file. */
export interface BodyBytes {
  rawBody: Uint8Array;
  spool: Spool | null;
}

/** Each part parsed by its schema. */
export interface Parsed extends BodyBytes {
  input: { params: Record<string, unknown> | undefined; query: Record<string, unknown> | undefined; body: unknown };
}

const NO_BYTES = new Uint8Array();
const NOTHING = z.strictObject({});
const NO_QUERY = { value: undefined, errors: [] };

/**
 * Fourth step: parses each part of the call once by its schema. Parts without a schema must be absent. A path with invalid ids is a 404;
 * all issues of query and body are reported together. `bodyRead`: the body, if it has been read already.
 */
export async function parse(
  operation: Operation,
  incoming: Incoming,
  workspaceId: string,
  bodyRead?: BodyBytes | null,
): Promise<Parsed> {
  const params = operation.params?.safeParse(incoming.params);
  if (params?.error) throw notFound(`The ${subjectOf(operation).replace('_', ' ')}`);
  const query = operation.query === 'any' ? NO_QUERY : parseQuery(operation.query, incoming.query);
  const { rawBody, spool } = bodyRead ?? (await readBytes(operation, incoming, workspaceId));
  const { value, errors } =
    operation.body === undefined || operation.body.kind === 'json'
      ? await parseBody(operation, operation.body ?? {}, incoming, { rawBody, workspaceId })
      : { value: undefined, errors: [] };
  if (query.errors.length + errors.length > 0) {
    await spool?.remove();
    throw invalid([...query.errors, ...errors]);
  }
  return { input: { params: params?.data, query: query.value, body: value }, rawBody, spool };
}

async function readBytes(operation: Operation, incoming: Incoming, workspaceId: string): Promise<BodyBytes> {
  const { method, body } = operation;
  const limit = body?.maxBytes ?? DEFAULT_MAX_BODY;
  if (method === 'GET') return { rawBody: NO_BYTES, spool: null };
  const read = body?.kind === 'raw' && body.isCompressed ? incoming.readSentBody : incoming.readBody;
  if (body?.kind !== 'upload') return { rawBody: await read(limit), spool: null };
  const shares =
    workspaceId === ''
      ? unverifiedShares(networkOf(incoming.ipAddress), Object.values(incoming.params).join('/'))
      : [workspaceShare(workspaceId)];
  return { rawBody: NO_BYTES, spool: await spoolBody(incoming, { limit, shares }) };
}

function parseQuery(
  schema: z.ZodObject | undefined,
  query: URLSearchParams,
): { value: Record<string, unknown> | undefined; errors: FieldError[] } {
  if (!schema && query.size === 0) return { value: {}, errors: [] };
  const unreadable = unreadableIn(query);
  if (unreadable.length > 0) return { value: undefined, errors: unreadable };
  const parsed = (schema ?? NOTHING).safeParse(Object.fromEntries(query), { error: explain });
  return { value: parsed.data, errors: parsed.error ? fieldErrors(parsed.error) : [] };
}

/** A repeated parameter is ambiguous and refused, and so is text that cannot be decoded or stored. */
function unreadableIn(query: URLSearchParams): FieldError[] {
  const texts = new Map<string, string | null>();
  for (const [field, value] of query) texts.set(field, texts.has(field) ? null : value);
  return [...texts].flatMap(([field, value]) => {
    if (value === null) return [{ field, message: 'is given more than once' }];
    return /[\0\ufffd]/.test(field + value) ? [{ field, message: 'must be valid UTF-8 without NUL' }] : [];
  });
}

/** A missing body counts as an empty object: the schema reports what is missing. */
async function parseBody(
  operation: Operation,
  { schema, maxValues, checksLater }: Partial<JsonBody>,
  { headers }: Incoming,
  { rawBody, workspaceId }: { rawBody: Uint8Array; workspaceId: string },
): Promise<{ value: unknown; errors: FieldError[] }> {
  if (rawBody.length > 0) checkContentType(headers);
  const json = rawBody.length > 0 ? await readJson(rawBody, { values: maxValues }) : {};
  const taken = schema ?? NOTHING;
  if (checksLater) noteSender(json, workspaceId);
  const check = async (value: unknown) => {
    const wrong = rawBody.length > CHECKED_AT_ONCE ? await findWrongEntries(taken, value) : undefined;
    if (wrong) return { error: new z.ZodError(wrong), data: undefined };
    return checksLater ? taken.safeParseAsync(value, { error: explain }) : taken.safeParse(value, { error: explain });
  };
  let parsed = await check(json);
  const writable = parsed.error && withoutReadOnly(operation, json);
  if (writable) parsed = await check(writable);
  if (!parsed.error) return { value: schema ? parsed.data : undefined, errors: [] };
  return { value: undefined, errors: fieldErrors(parsed.error).map(withField) };
}

/** An issue of the whole body has no path. */
const withField = ({ field, message }: FieldError): FieldError => ({ field: field || 'body', message });
