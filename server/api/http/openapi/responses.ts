import { HTTP_STATUS_BY_CODE, type ApiErrorCode } from '@/contract/error-response';
import type { OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn, type OtherReply, type RefusalCode } from '@/server/api/operation/operation-parts';
import type { OpenApiSchema } from './nullable';

/** The refusals of any operation, besides those that an operation names. */
type AnyRefusalCode = RefusalCode | 'TOO_LARGE' | 'UNSUPPORTED_ENCODING' | 'UNAVAILABLE';

interface RefusalDescription {
  code: ApiErrorCode;
  status: number;
  description: string;
  /** It can be repeated after some time. */
  isPassing?: boolean;
}

const refusalByCode = (code: ApiErrorCode, description: string, isPassing = false): RefusalDescription => ({
  code,
  status: HTTP_STATUS_BY_CODE[code],
  description,
  isPassing,
});

const REFUSAL_DESCRIPTIONS: Readonly<Record<AnyRefusalCode, RefusalDescription>> = {
  VALIDATION_ERROR: refusalByCode('VALIDATION_ERROR', 'The request is invalid; `details` lists each invalid field.'),
  UNAUTHORIZED: refusalByCode('UNAUTHORIZED', 'The request is not authenticated.'),
  FORBIDDEN: refusalByCode('FORBIDDEN', 'The caller lacks the permission.'),
  NOT_FOUND: refusalByCode('NOT_FOUND', 'The object does not exist, or is in no workspace of the caller.'),
  METHOD_NOT_ALLOWED: { code: 'NOT_FOUND', status: 405, description: 'The address does not take this method.' },
  CONFLICT: refusalByCode('CONFLICT', 'The request conflicts with the current state or with a concurrent request.'),
  GONE: {
    code: 'CONFLICT',
    status: 410,
    description: 'The address was used before, has expired, or its run has ended.',
  },
  TOO_LARGE: { code: 'VALIDATION_ERROR', status: 413, description: 'The body is too large when it is decompressed.' },
  UNSUPPORTED_ENCODING: {
    code: 'VALIDATION_ERROR',
    status: 415,
    description: 'The encoding of the body is not known.',
  },
  RANGE_NOT_SATISFIABLE: { code: 'VALIDATION_ERROR', status: 416, description: 'The range is not inside the file.' },
  RATE_LIMITED: refusalByCode('RATE_LIMITED', 'Too many requests; `Retry-After` is the time to wait in seconds.', true),
  INTERNAL_ERROR: refusalByCode('INTERNAL_ERROR', 'An internal error; `message` contains the request id.'),
  UNAVAILABLE: {
    code: 'INTERNAL_ERROR',
    status: 503,
    description: 'The database cannot be reached, or its disk is full; `Retry-After` is the time to wait in seconds.',
    isPassing: true,
  },
};

const headerDescription = (description: string, type = 'integer') => ({ description, schema: { type } });

/** Headers of every answer, for `components.headers`. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': headerDescription('Identifies this request in the log.', 'string'),
  'X-RateLimit-Limit': headerDescription('Requests per minute, in the long run.'),
  'X-RateLimit-Burst': headerDescription('Requests that are possible at once, after a pause.'),
  'X-RateLimit-Remaining': headerDescription('Requests that are possible right now, at most `X-RateLimit-Burst`.'),
  'X-RateLimit-Reset': headerDescription('Unix second at which the full burst is available again.'),
};

const responseHeaderReferences = Object.fromEntries(
  Object.keys(RESPONSE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
const ETAG_HEADER = { ETag: headerDescription('The version, for If-Match and If-None-Match.', 'string') };

const SUCCESS_DESCRIPTIONS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted and stored.', 204: 'Done; no body.' };

const JSON_RESPONSE_TYPE = 'application/json';

interface DescribedJson {
  schema: OpenApiSchema;
  example: unknown;
}

interface DescribedResponse {
  description: string;
  headers: object;
  content?: Record<string, { schema: OpenApiSchema; example?: unknown }>;
}

/** JSON by the key of a schema; undefined: there is none. */
type FindJsonContent = (key: string) => DescribedJson | undefined;

/** The answers of an operation besides the usual one. */
export const answersIn = ({ otherReplies = [] }: OperationRecord): OtherReply[] =>
  otherReplies.filter((other) => typeof other === 'object');

/** The key of the schema of a further answer. */
export const otherReplyKey = (id: string, index: number): string => `${id} answer ${index}`;

/** Every answer that the operation and the pipeline can give. `key`: the operation, among `contents`. */
export function describeResponses(
  operation: OperationRecord,
  key: string,
  contents: FindJsonContent,
): Record<string, object> {
  const answers = new Map<number | 'default', DescribedResponse>();
  for (const [status, answer] of describeSuccesses(operation, key, contents)) {
    const other = answers.get(status);
    answers.set(status, other ? joinResponses(other, answer) : answer);
  }
  const { default: other, ...described } = Object.fromEntries(answers);
  const { access } = operation;
  const isPage = access.kind === 'public' && access.refusalPage !== undefined;
  const refusals = listRefusals(operation).map((name): [number, object] => {
    const { status } = REFUSAL_DESCRIPTIONS[name];
    const page = isPage ? refusalPageResponse(name) : undefined;
    const [answer, refusal] = [described[status], page ?? REFUSAL_RESPONSES[name]];
    if (answer && refusal) return [status, joinResponses(refusal, answer)];
    return [status, page ?? { $ref: `#/components/responses/${name}` }];
  });
  return { ...described, ...Object.fromEntries(refusals), ...(other ? { default: other } : {}) };
}

/** Two answers with one status: bodies of the same type are one or the other. */
function joinResponses(one: DescribedResponse, other: DescribedResponse): DescribedResponse {
  const content: DescribedResponse['content'] = { ...one.content, ...other.content };
  const [first, second] = [one.content?.[JSON_RESPONSE_TYPE], other.content?.[JSON_RESPONSE_TYPE]];
  if (first && second) content[JSON_RESPONSE_TYPE] = { ...first, schema: { anyOf: [first.schema, second.schema] } };
  return {
    description: `${one.description} ${other.description}`,
    headers: { ...one.headers, ...other.headers },
    content,
  };
}

function* describeSuccesses(
  operation: OperationRecord,
  key: string,
  contents: FindJsonContent,
): Generator<[number | 'default', DescribedResponse], void, undefined> {
  const { reply } = operation;
  const json = jsonReplyIn(operation);
  const tag = json?.headers ? ETAG_HEADER : {};
  if (reply?.kind !== 'content') {
    const status = json ? (json.status ?? 200) : 204;
    const location = json?.location && { Location: headerDescription('The address of the created object.', 'string') };
    yield [
      status,
      {
        description: SUCCESS_DESCRIPTIONS[status],
        headers: { ...responseHeaderReferences, ...tag, ...location },
        ...jsonResponseContent(contents(key)),
      },
    ];
  }
  if (reply?.kind === 'content') yield contentAnswer(reply);
  for (const [index, other] of answersIn(operation).entries())
    yield contentAnswer(other, contents(otherReplyKey(key, index)));
  if (json?.prefersWait) {
    const schema = { $ref: `#/components/schemas/${json.prefersWait}` };
    const applied = { 'Preference-Applied': headerDescription('`wait=<seconds>`', 'string') };
    const content = { [JSON_RESPONSE_TYPE]: { schema } };
    yield [
      200,
      {
        description: 'It ended within the preferred time.',
        headers: { ...responseHeaderReferences, ...applied },
        content,
      },
    ];
  }
  if (operation.method === 'GET' && json?.headers)
    yield [
      304,
      { description: 'The caller has it already (`If-None-Match`).', headers: { ...responseHeaderReferences, ...tag } },
    ];
}

function contentAnswer(
  { status, description, mediaTypes = [] }: Omit<OtherReply, 'body'>,
  json?: DescribedJson,
): [number | 'default', DescribedResponse] {
  const content = {
    ...jsonResponseContent(json).content,
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: mediaTypeSchema(type) }])),
  };
  return [
    status,
    { description, headers: responseHeaderReferences, ...(Object.keys(content).length > 0 ? { content } : {}) },
  ];
}

const jsonResponseContent = (content: DescribedJson | undefined): Pick<DescribedResponse, 'content'> =>
  content ? { content: { [JSON_RESPONSE_TYPE]: content } } : {};

const mediaTypeSchema = (type: string): OpenApiSchema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };

function listRefusals({ access, method, params, otherReplies = [] }: OperationRecord): AnyRefusalCode[] {
  const isPublic = access.kind === 'public';
  const refusals = otherReplies.filter((other) => typeof other === 'string');
  const all: AnyRefusalCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED'];
  if (!isPublic) all.push('FORBIDDEN');
  if (!isPublic || params) all.push('NOT_FOUND');
  if (method !== 'GET') all.push('CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_ENCODING');
  return [
    ...new Set([...all, ...refusals, 'RATE_LIMITED' as const, 'INTERNAL_ERROR' as const, 'UNAVAILABLE' as const]),
  ];
}

const refusalHeaders = ({ isPassing }: RefusalDescription) =>
  isPassing
    ? { ...responseHeaderReferences, 'Retry-After': headerDescription('Seconds to wait.') }
    : responseHeaderReferences;

/** The error responses, for `components.responses`. */
export const REFUSAL_RESPONSES: Readonly<Record<string, DescribedResponse>> = Object.fromEntries(
  Object.entries(REFUSAL_DESCRIPTIONS).map(([name, words]) => {
    const { code, description } = words;
    const schema = { $ref: '#/components/schemas/Error' };
    const example = { error: { code, message: description, details: [] } };
    return [
      name,
      { description, headers: refusalHeaders(words), content: { [JSON_RESPONSE_TYPE]: { schema, example } } },
    ];
  }),
);

/** The same as a page, for people. */
const refusalPageResponse = (name: AnyRefusalCode): DescribedResponse => ({
  description: `${REFUSAL_DESCRIPTIONS[name].description} A page that says so.`,
  headers: refusalHeaders(REFUSAL_DESCRIPTIONS[name]),
  content: { 'text/html': { schema: { type: 'string' } } },
});
