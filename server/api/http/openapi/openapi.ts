import { operationTable } from '@/server/api/operations';
import { version } from '@/server/platform/release';
import { TAG_DESCRIPTIONS } from '@/server/api/operation/tags';
import { getRuntime } from '@/server/platform/runtime';
import { accessWord, type OperationAccess, type OperationRecord } from '@/server/api/operation/operation';
import type { UploadBody } from '@/server/api/operation/operation-parts';
import { RESPONSE_HEADERS, REFUSAL_RESPONSES, describeResponses } from './responses';
import { requestBodyExample, buildSchemaExample } from './examples';
import { describeParameters } from './parameters';
import { PROBE_PATHS } from './probes';
import { convertOperationSchemas, type OperationSchemas, type OpenApiSchema } from './schemas';

/** An OpenAPI 3.0 document, as plain JSON. */
export type ServiceOpenApiDocument = Record<string, unknown> & {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, object>;
};

const API_INTRODUCTION = `Workflows, their executions, and their settings.

Every answer that is not a success has the body \`{"error": {"code", "message", "details": [{"field", "message"}]}}\`.
Lists are \`{"data", "total", "limit", "offset"}\`, newest first. Calls apply to the workspace in \`X-Workspace-Id\`, or
else to the token's own. A POST or PUT with an \`Idempotency-Key\` takes effect once within 24 hours.

Requests are counted per workspace, deliveries to its webhooks separately, and without a workspace per client
address. Each tier is a bucket of tokens, refilled at \`X-RateLimit-Limit\` a minute. The processes of the service share
it and lease tokens for a second at most: together they never allow more than the tier. With one
process \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are exact; with several, tokens leased by other processes, an
eighth of the bucket each at most, are missing from them.`;

/** The OpenAPI document of the table of operations, with the public address of the service. */
export function buildOpenApiDocument(address: string = getRuntime().env.apiBaseUrl): ServiceOpenApiDocument {
  const { inputs, outputs, components } = convertOperationSchemas(operationTable);
  const paths: ServiceOpenApiDocument['paths'] = { ...PROBE_PATHS };
  for (const operation of operationTable) {
    const path = (paths[operation.path.replace('...}', '}')] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, { inputs, outputs, components });
    for (const method of operation.otherMethods ?? []) {
      const id = `${operation.id}.${method.toLowerCase()}`;
      path[method.toLowerCase()] = describeOperation(
        { ...operation, method, id },
        { inputs, outputs, components },
        operation.id,
      );
    }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Weft',
      version,
      description: API_INTRODUCTION,
      contact: { name: 'The operator of this service', url: address },
    },
    servers: [{ url: address }],
    tags: [...listDocumentTags(operationTable), { name: 'Health', description: 'Health checks and monitoring.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: components,
      responses: REFUSAL_RESPONSES,
      headers: RESPONSE_HEADERS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From POST /api/auth/login, or an API key.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: `wk_…`.' },
        signature: { type: 'apiKey', in: 'header', name: 'X-Service-Signature', description: 'HMAC of the body.' },
      },
    },
  };
}

const listDocumentTags = (all: readonly OperationRecord[]) =>
  [...new Set(all.map(({ tag }) => tag))].map((name) => ({ name, description: name && TAG_DESCRIPTIONS[name] }));

/** `schemas`: the id under which the schemas of the operation are listed. */
function describeOperation(
  operation: OperationRecord,
  { inputs, outputs, components }: OperationSchemas,
  schemas = operation.id,
) {
  const { id, summary, description, tag, access, body: taken } = operation;
  const body = inputs.get(`${schemas} body`);
  return {
    operationId: id,
    summary,
    description: [description, accessSentence(access)].filter(Boolean).join(' '),
    tags: [tag],
    'x-permission': accessWord(access),
    ...SECURITY[access.kind],
    parameters: describeParameters(operation, inputs.get(`${schemas} query`), components),
    ...(taken?.kind === 'raw' && hasRequestBody(operation)
      ? { requestBody: { content: { 'application/json': { schema: {} }, '*/*': { schema: {} } } } }
      : {}),
    ...(taken?.kind === 'upload' ? { requestBody: uploadIn(taken) } : {}),
    ...(body ? { requestBody: describeRequestBody(operation, body, components) } : {}),
    ...(acceptsEmptyBody(operation) ? { requestBody: EMPTY_REQUEST_BODY } : {}),
    responses: describeResponses(operation, schemas, (key) => {
      const schema = outputs.get(key);
      return schema && { schema, example: buildSchemaExample(schema, components, false) };
    }),
  };
}

const SECURITY = {
  public: { security: [] },
  webhook: { security: [{ signature: [] }] },
  'signed-in': {},
  member: {},
};

const ACCESS_SENTENCES = {
  public: 'Takes no token.',
  'signed-in': 'Takes the token of any user.',
  webhook: 'The webhook’s verification decides who may call it.',
};

const accessSentence = (access: OperationAccess): string =>
  access.kind === 'member'
    ? `Needs the permission ${[accessWord(access), access.or].flatMap((word) => (word ? `\`${word}\`` : [])).join(' or ')}.`
    : ACCESS_SENTENCES[access.kind];

const FILE_SCHEMA = { type: 'string', format: 'binary', description: 'The content of the file.' };
const FILE_REQUEST_BODY = {
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: FILE_SCHEMA } } },
    '*/*': { schema: FILE_SCHEMA },
  },
};

const CSV_REQUEST_BODY = {
  required: true,
  content: { 'text/csv': { schema: { type: 'string' }, example: 'email,amount\nada@example.com,12.5\n' } },
};

function uploadIn({ mediaType, form }: UploadBody): object {
  if (!form) return mediaType === undefined ? FILE_REQUEST_BODY : CSV_REQUEST_BODY;
  const parts = Object.entries(form);
  const properties = parts.map(([name, { kind, description }]) => [
    name,
    kind === 'text'
      ? { type: 'string', description }
      : { type: 'array', items: { type: 'string', format: 'binary' }, description },
  ]);
  const required = parts.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const schema = { type: 'object', required, properties: Object.fromEntries(properties) };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

/** Clients may send an empty object where nothing is to be said. */
const EMPTY_REQUEST_BODY = {
  required: false,
  description: 'Without fields; it can be left out.',
  content: { 'application/json': { schema: { type: 'object', additionalProperties: false }, example: {} } },
};

const acceptsEmptyBody = ({ method, body }: OperationRecord) => (method === 'POST' || method === 'PUT') && !body;

const hasRequestBody = ({ method }: OperationRecord) => method !== 'GET' && method !== 'DELETE';

/** Pages and identity providers make the bodies of public addresses whose answer is not JSON. */
const describeRequestBody = (
  { id, access, reply }: OperationRecord,
  schema: OpenApiSchema,
  components: OperationSchemas['components'],
) => ({
  required: isBodyRequired(schema),
  content: {
    'application/json': {
      schema,
      ...(reply?.kind === 'content' && access.kind === 'public'
        ? {}
        : { example: requestBodyExample(id, schema, components) }),
    },
  },
});

const isBodyRequired = (body: OpenApiSchema) => !('required' in body) || (body.required as string[]).length > 0;
