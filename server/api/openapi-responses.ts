import { ErrorCode, STATUS_OF } from '@/contract/error';
import type { Operation } from './operation';
import type { JsonSchema } from './openapi-schemas';

const ERRORS: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The request is invalid; `details` names each bad field.',
  UNAUTHORIZED: 'No valid proof of who is calling.',
  FORBIDDEN: 'The caller lacks the permission.',
  NOT_FOUND: 'There is no such thing, or it is not in a workspace of the caller.',
  CONFLICT: 'The request does not fit the present state, or another one got in its way.',
  RATE_LIMITED: 'Too many requests; `Retry-After` says when to try again.',
  INTERNAL_ERROR: 'Something went wrong in the service; `message` has the request id.',
};

const header = (description: string, type = 'integer') => ({ description, schema: { type } });

/** Of every answer, for `components.headers`. */
export const HEADERS = {
  'X-Request-Id': header('Names this request in the log.', 'string'),
  'X-RateLimit-Limit': header('Requests per minute.'),
  'X-RateLimit-Remaining': header('Requests that could be made right now.'),
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
    headers: { ...headers, ...(operation.headers ? { ETag: header('The version, for If-Match.', 'string') } : {}) },
    ...(output ? { content: { 'application/json': output } } : {}),
  };
  const { produces } = operation;
  const raw = produces && {
    description: produces.description,
    headers,
    content: Object.fromEntries((produces.mediaTypes ?? []).map((type) => [type, { schema: { type: 'string' } }])),
  };
  const refusals = codesOf(operation).map((code) => [STATUS_OF[code], { $ref: `#/components/responses/${code}` }]);
  const successes = raw && !operation.output ? {} : { [status]: success };
  const unavailable = { 503: { $ref: '#/components/responses/UNAVAILABLE' } };
  return {
    ...successes,
    ...(raw ? { [produces.status]: raw } : {}),
    ...Object.fromEntries(refusals),
    ...unavailable,
  };
}

function codesOf({ access, method, params }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED'];
  if (access !== 'public') codes.push('FORBIDDEN', 'NOT_FOUND');
  else if (params) codes.push('NOT_FOUND');
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

const AWAY = 'The database can not be reached, or its disk is full; `Retry-After` says when to try again.';

/** The refusals, for `components.responses`. */
export const REFUSALS = {
  ...Object.fromEntries(ErrorCode.options.map((code) => [code, errorOf(code)])),
  UNAVAILABLE: errorOf('INTERNAL_ERROR', AWAY, true),
};
