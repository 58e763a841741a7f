import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { recordBodySender } from '@/server/evaluation/evaluator/body-sender';
import { networkOfAddress } from '@/server/platform/messages/client-address';
import { unverifiedSenderShares, workspaceDiskShare } from '@/server/data/files/disk-shares';
import type { SpooledFile } from '@/server/data/files/spool';
import type { IncomingCall } from '@/server/api/operation/incoming';
import { requireJsonContentType, readJsonOrProblem } from '@/server/api/operation/json';
import { findWrongEntries } from '@/server/api/operation/wrong-entries';
import { removeReadOnlyFields } from '@/server/api/operation/read-only';
import { operationSubject, type OperationRecord } from '@/server/api/operation/operation';
import type { JsonBody } from '@/server/api/operation/operation-parts';
import { invalidRequestProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { spoolRequestBody } from './spool-body';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';

export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/** Bytes of a body that its schema checks within a few milliseconds, however many of its entries are wrong. */
const BODY_BYTES_CHECKED_AT_ONCE = 8 * 1024;

/** The exact bytes of a body: in memory, or in a temporary file. */
export interface BodyBytes {
  rawBody: Uint8Array;
  spool: SpooledFile | null;
}

/** Each part parsed by its schema. */
export interface ParsedCall extends BodyBytes {
  input: { params: Record<string, unknown> | undefined; query: Record<string, unknown> | undefined; body: unknown };
}

const EMPTY_BODY = new Uint8Array();
const NO_FIELDS_SCHEMA = z.strictObject({});
const ACCEPTED_ANY_QUERY = { value: undefined, errors: [] };

/**
 * Fourth step: parses each part of the call once by its schema. Parts without a schema must be absent. A path with
 * invalid ids is a 404; all issues of query and body are reported together. `bodyRead`: the body, if it has been read
 * already.
 */
export async function parseCall(
  operation: OperationRecord,
  incoming: IncomingCall,
  workspaceId: string,
  bodyRead?: BodyBytes | null,
): Promise<ParsedCall> {
  const params = operation.params?.safeParse(incoming.params);
  if (params?.error) throw notFoundProblem(`The ${operationSubject(operation).replace('_', ' ')}`);
  const query = operation.query === 'any' ? ACCEPTED_ANY_QUERY : parseCallQuery(operation.query, incoming.query);
  const { rawBody, spool } = bodyRead ?? (await readCallBody(operation, incoming, workspaceId));
  const { value, errors } =
    operation.body === undefined || operation.body.kind === 'json'
      ? await parseCallBody(operation, operation.body ?? {}, incoming, { rawBody, workspaceId })
      : { value: undefined, errors: [] };
  if (query.errors.length + errors.length > 0) {
    await spool?.remove();
    throw invalidRequestProblem([...query.errors, ...errors]);
  }
  return { input: { params: params?.data, query: query.value, body: value }, rawBody, spool };
}

async function readCallBody(
  operation: OperationRecord,
  incoming: IncomingCall,
  workspaceId: string,
): Promise<BodyBytes> {
  const { method, body } = operation;
  const limit = body?.maxBytes ?? DEFAULT_MAX_BODY_BYTES;
  if (method === 'GET') return { rawBody: EMPTY_BODY, spool: null };
  const read = body?.kind === 'raw' && body.isCompressed ? incoming.readSentBody : incoming.readBody;
  if (body?.kind !== 'upload') return { rawBody: await read(limit), spool: null };
  const shares =
    workspaceId === ''
      ? unverifiedSenderShares(networkOfAddress(incoming.ipAddress), Object.values(incoming.params).join('/'))
      : [workspaceDiskShare(workspaceId)];
  return { rawBody: EMPTY_BODY, spool: await spoolRequestBody(incoming, { limit, shares }) };
}

function parseCallQuery(
  schema: z.ZodObject | undefined,
  query: URLSearchParams,
): { value: Record<string, unknown> | undefined; errors: FieldIssue[] } {
  if (!schema && query.size === 0) return { value: {}, errors: [] };
  const unreadable = findUnreadableParameters(query);
  if (unreadable.length > 0) return { value: undefined, errors: unreadable };
  const parsed = (schema ?? NO_FIELDS_SCHEMA).safeParse(Object.fromEntries(query), { error: explainMissingValue });
  return { value: parsed.data, errors: parsed.error ? toFieldErrors(parsed.error) : [] };
}

/** A repeated parameter is ambiguous and refused, and so is text that cannot be decoded or stored. */
function findUnreadableParameters(query: URLSearchParams): FieldIssue[] {
  const texts = new Map<string, string | null>();
  for (const [field, value] of query) texts.set(field, texts.has(field) ? null : value);
  return [...texts].flatMap(([field, value]) => {
    if (value === null) return [{ field, message: 'is given more than once' }];
    return /[\0\ufffd]/.test(field + value) ? [{ field, message: 'must be valid UTF-8 without NUL' }] : [];
  });
}

/** A missing body counts as an empty object: the schema reports what is missing. */
async function parseCallBody(
  operation: OperationRecord,
  { schema, maxValues, checksLater }: Partial<JsonBody>,
  { headers }: IncomingCall,
  { rawBody, workspaceId }: { rawBody: Uint8Array; workspaceId: string },
): Promise<{ value: unknown; errors: FieldIssue[] }> {
  if (rawBody.length > 0) requireJsonContentType(headers);
  const json = rawBody.length > 0 ? await readJsonOrProblem(rawBody, { values: maxValues }) : {};
  const taken = schema ?? NO_FIELDS_SCHEMA;
  if (checksLater) recordBodySender(json, workspaceId);
  const check = async (value: unknown) => {
    const wrong = rawBody.length > BODY_BYTES_CHECKED_AT_ONCE ? await findWrongEntries(taken, value) : undefined;
    if (wrong) return { error: new z.ZodError(wrong), data: undefined };
    return checksLater
      ? taken.safeParseAsync(value, { error: explainMissingValue })
      : taken.safeParse(value, { error: explainMissingValue });
  };
  let parsed = await check(json);
  const writable = parsed.error && removeReadOnlyFields(operation, json);
  if (writable) parsed = await check(writable);
  if (!parsed.error) return { value: schema ? parsed.data : undefined, errors: [] };
  return { value: undefined, errors: toFieldErrors(parsed.error).map(withBodyAsField) };
}

/** An issue of the whole body has no path. */
const withBodyAsField = ({ field, message }: FieldIssue): FieldIssue => ({ field: field || 'body', message });
