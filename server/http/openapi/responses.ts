import { STATUS_OF, type ErrorCode } from '@/contract/error';
import type { Operation } from '@/server/api/operation';
import { jsonReplyIn, type OtherReply, type Refusal } from '@/server/api/operation-parts';
import type { JsonSchema } from './nullable';

/** The refusals of any operation, besides those that an operation names. */
type AnyRefusal = Refusal | 'TOO_LARGE' | 'UNSUPPORTED_ENCODING' | 'UNAVAILABLE';

interface RefusalWords {
  code: ErrorCode;
  status: number;
  description: string;
  /** It can be repeated after some time. */
  isPassing?: boolean;
}

const byCode = (code: ErrorCode, description: string, isPassing = false): RefusalWords => ({
  code,
  status: STATUS_OF[code],
  description,
  isPassing,
});

const REFUSAL: Readonly<Record<AnyRefusal, RefusalWords>> = {
  VALIDATION_ERROR: byCode('VALIDATION_ERROR', 'The request is invalid; `details` lists each invalid field.'),
  UNAUTHORIZED: byCode('UNAUTHORIZED', 'The request is not authenticated.'),
  FORBIDDEN: byCode('FORBIDDEN', 'The caller lacks the permission.'),
  NOT_FOUND: byCode('NOT_FOUND', 'The object does not exist, or is in no workspace of the caller.'),
  METHOD_NOT_ALLOWED: { code: 'NOT_FOUND', status: 405, description: 'The address does not take this method.' },
  CONFLICT: byCode('CONFLICT', 'The request conflicts with the current state or with a concurrent request.'),
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
  RATE_LIMITED: byCode('RATE_LIMITED', 'Too many requests; `Retry-After` is the time to wait in seconds.', true),
  INTERNAL_ERROR: byCode('INTERNAL_ERROR', 'An internal error; `message` contains the request id.'),
  UNAVAILABLE: {
    code: 'INTERNAL_ERROR',
    status: 503,
    description: 'The database cannot be reached, or its disk is full; `Retry-After` is the time to wait in seconds.',
    isPassing: true,
  },
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
const ETAG = { ETag: header('The version, for If-Match and If-None-Match.', 'string') };

const SUCCESS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted and stored.', 204: 'Done; no body.' };

const JSON_TYPE = 'application/json';

interface JsonContent {
  schema: JsonSchema;
  example: unknown;
}

interface Answer {
  description: string;
  headers: object;
  content?: Record<string, { schema: JsonSchema; example?: unknown }>;
}

/** JSON by the key of a schema; undefined: there is none. */
type Contents = (key: string) => JsonContent | undefined;

/** The answers of an operation besides the usual one. */
export const answersIn = ({ otherReplies = [] }: Operation): OtherReply[] =>
  otherReplies.filter((other) => typeof other === 'object');

/** The key of the schema of a further answer. */
export const otherReplyKey = (id: string, index: number): string => `${id} answer ${index}`;

/** Every answer that the operation and the pipeline can give. `key`: the operation, among `contents`. */
export function responsesOf(operation: Operation, key: string, contents: Contents): Record<string, object> {
  const answers = new Map<number | 'default', Answer>();
  for (const [status, answer] of successesOf(operation, key, contents)) {
    const other = answers.get(status);
    answers.set(status, other ? joined(other, answer) : answer);
  }
  const { default: other, ...described } = Object.fromEntries(answers);
  const { access } = operation;
  const isPage = access.kind === 'public' && access.refusalPage !== undefined;
  const refusals = refusalsOf(operation).map((name): [number, object] => {
    const { status } = REFUSAL[name];
    const page = isPage ? asPage(name) : undefined;
    const [answer, refusal] = [described[status], page ?? REFUSALS[name]];
    if (answer && refusal) return [status, joined(refusal, answer)];
    return [status, page ?? { $ref: `#/components/responses/${name}` }];
  });
  return { ...described, ...Object.fromEntries(refusals), ...(other ? { default: other } : {}) };
}

/** Two answers with one status: bodies of the same type are one or the other. */
function joined(one: Answer, other: Answer): Answer {
  const content: Answer['content'] = { ...one.content, ...other.content };
  const [first, second] = [one.content?.[JSON_TYPE], other.content?.[JSON_TYPE]];
  if (first && second) content[JSON_TYPE] = { ...first, schema: { anyOf: [first.schema, second.schema] } };
  return {
    description: `${one.description} ${other.description}`,
    headers: { ...one.headers, ...other.headers },
    content,
  };
}

function* successesOf(
  operation: Operation,
  key: string,
  contents: Contents,
): Generator<[number | 'default', Answer], void, undefined> {
  const { reply } = operation;
  const json = jsonReplyIn(operation);
  const tag = json?.headers ? ETAG : {};
  if (reply?.kind !== 'content') {
    const status = json ? (json.status ?? 200) : 204;
    const location = json?.location && { Location: header('The address of the created object.', 'string') };
    yield [
      status,
      { description: SUCCESS[status], headers: { ...headers, ...tag, ...location }, ...jsonOf(contents(key)) },
    ];
  }
  if (reply?.kind === 'content') yield contentAnswer(reply);
  for (const [index, other] of answersIn(operation).entries())
    yield contentAnswer(other, contents(otherReplyKey(key, index)));
  if (json?.prefersWait) {
    const schema = { $ref: `#/components/schemas/${json.prefersWait}` };
    const applied = { 'Preference-Applied': header('`wait=<seconds>`', 'string') };
    const content = { [JSON_TYPE]: { schema } };
    yield [200, { description: 'It ended within the preferred time.', headers: { ...headers, ...applied }, content }];
  }
  if (operation.method === 'GET' && json?.headers)
    yield [304, { description: 'The caller has it already (`If-None-Match`).', headers: { ...headers, ...tag } }];
}

function contentAnswer(
  { status, description, mediaTypes = [] }: Omit<OtherReply, 'body'>,
  json?: JsonContent,
): [number | 'default', Answer] {
  const content = {
    ...jsonOf(json).content,
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOfMedia(type) }])),
  };
  return [status, { description, headers, ...(Object.keys(content).length > 0 ? { content } : {}) }];
}

const jsonOf = (content: JsonContent | undefined): Pick<Answer, 'content'> =>
  content ? { content: { [JSON_TYPE]: content } } : {};

const schemaOfMedia = (type: string): JsonSchema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };

function refusalsOf({ access, method, params, otherReplies = [] }: Operation): AnyRefusal[] {
  const isPublic = access.kind === 'public';
  const refusals = otherReplies.filter((other) => typeof other === 'string');
  const all: AnyRefusal[] = ['VALIDATION_ERROR', 'UNAUTHORIZED'];
  if (!isPublic) all.push('FORBIDDEN');
  if (!isPublic || params) all.push('NOT_FOUND');
  if (method !== 'GET') all.push('CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_ENCODING');
  return [
    ...new Set([...all, ...refusals, 'RATE_LIMITED' as const, 'INTERNAL_ERROR' as const, 'UNAVAILABLE' as const]),
  ];
}

const headersOf = ({ isPassing }: RefusalWords) =>
  isPassing ? { ...headers, 'Retry-After': header('Seconds to wait.') } : headers;

/** The error responses, for `components.responses`. */
export const REFUSALS: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.entries(REFUSAL).map(([name, words]) => {
    const { code, description } = words;
    const schema = { $ref: '#/components/schemas/Error' };
    const example = { error: { code, message: description, details: [] } };
    return [name, { description, headers: headersOf(words), content: { [JSON_TYPE]: { schema, example } } }];
  }),
);

/** The same as a page, for people. */
const asPage = (name: AnyRefusal): Answer => ({
  description: `${REFUSAL[name].description} A page that says so.`,
  headers: headersOf(REFUSAL[name]),
  content: { 'text/html': { schema: { type: 'string' } } },
});
