import { ErrorCode, STATUS_OF } from '@/contract/error';
import type { Operation } from '@/server/api/operation';
import type { JsonSchema } from './schemas';

const ERRORS: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The request is invalid; `details` lists each invalid field.',
  UNAUTHORIZED: 'The request is not authenticated.',
  FORBIDDEN: 'The caller lacks the permission.',
  NOT_FOUND: 'The object does not exist, or is in no workspace of the caller.',
  CONFLICT: 'The request conflicts with the current state or with a concurrent request.',
  RATE_LIMITED: 'Too many requests; `Retry-After` is the time to wait in seconds.',
  INTERNAL_ERROR: 'An internal error; `message` contains the request id.',
};

const header = (description: string, type = 'integer') => ({ description, schema: { type } });

/** Headers of every answer, for `components.headers`. */
export const HEADERS = {
  'X-Request-Id': header('Identifies this request in the log.', 'string'),
  'X-RateLimit-Limit': header('Requests per minute, in the long run.'),
  'X-RateLimit-Burst': header('Requests that are possible at once, after a pause.'),
  'X-RateLimit-Remaining': header('Requests that are possible right now, at most `X-RateLimit-Burst`.'),
  'X-RateLimit-Reset': header('Unix second at which the full burst is available again.'),
};

const headers = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const SUCCESS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted and stored.', 204: 'Done; no body.' };

interface Content {
  schema: JsonSchema;
  example: unknown;
}

/** Every answer that the pipeline can give for this operation. */
export function responsesOf(operation: Operation, output: Content | undefined): Record<string, unknown> {
  const status = operation.output ? (operation.status ?? 200) : 204;
  const success = {
    description: SUCCESS[status],
    headers: {
      ...headers,
      ...(operation.headers ? { ETag: header('The version, for If-Match.', 'string') } : {}),
      ...(operation.location ? { Location: header('The address of the created object.', 'string') } : {}),
    },
    ...(output ? { content: { 'application/json': output } } : {}),
  };
  const { produces, prefersWait } = operation;
  const waited = prefersWait && {
    description: 'It ended within the preferred time.',
    headers: { ...headers, 'Preference-Applied': header('`wait=<seconds>`', 'string') },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${prefersWait}` } } },
  };
  const raw = produces && {
    description: produces.description,
    headers,
    content: Object.fromEntries((produces.mediaTypes ?? []).map((type) => [type, { schema: { type: 'string' } }])),
  };
  const refusals = codesOf(operation).map((code) => [STATUS_OF[code], { $ref: `#/components/responses/${code}` }]);
  const successes = raw && !operation.output ? {} : { [status]: success };
  const isTagged = operation.method === 'GET' && operation.headers !== undefined;
  const unavailable = { 503: { $ref: '#/components/responses/UNAVAILABLE' } };
  return {
    ...successes,
    ...(raw ? { [produces.status]: raw } : {}),
    ...(waited ? { 200: waited } : {}),
    ...(isTagged ? { 304: { description: 'The caller has it already (`If-None-Match`).', headers } } : {}),
    ...Object.fromEntries(refusals),
    ...unavailable,
  };
}

function codesOf({ access, method, params, namesObject }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED'];
  if (access !== 'public') codes.push('FORBIDDEN', 'NOT_FOUND');
  else if (params || namesObject) codes.push('NOT_FOUND');
  if (method !== 'GET') codes.push('CONFLICT');
  return [...codes, 'RATE_LIMITED', 'INTERNAL_ERROR'];
}

const errorOf = (code: ErrorCode, description = ERRORS[code], isPassing = code === 'RATE_LIMITED') => ({
  description,
  headers: isPassing ? { ...headers, 'Retry-After': header('Seconds to wait.') } : headers,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { error: { code, message: description, details: [] } },
    },
  },
});

const AWAY = 'The database cannot be reached, or its disk is full; `Retry-After` is the time to wait in seconds.';

/** The error responses, for `components.responses`. */
export const REFUSALS = {
  ...Object.fromEntries(ErrorCode.options.map((code) => [code, errorOf(code)])),
  UNAVAILABLE: errorOf('INTERNAL_ERROR', AWAY, true),
};
