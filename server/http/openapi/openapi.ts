import type { z } from 'zod';
import { operations } from '@/server/operations';
import { version } from '@/server/release';
import { runtime } from '@/server/runtime';
import { accessWord, querySchema, type Access, type Operation } from '@/server/api/operation';
import { jsonReplyIn, type UploadBody } from '@/server/api/operation-parts';
import { HEADERS, REFUSALS, responsesOf } from './responses';
import { bodyExample, exampleOf } from './examples';
import { PROBE_PATHS } from './probes';
import { parameterSentence } from './words/describe';
import { schemasOf, type Described, type JsonSchema } from './schemas';

/** An OpenAPI 3.0 document, as plain JSON. */
export type OpenApi = Record<string, unknown> & {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, object>;
};

const INTRODUCTION = `Workflows, their executions, and their settings.

Every answer that is not a success has the body \`{"error": {"code", "message", "details": [{"field", "message"}]}}\`.
Lists are \`{"data", "total", "limit", "offset"}\`, newest first. Calls apply to the workspace in \`X-Workspace-Id\`, or
else to the token's own. A POST or PUT with an \`Idempotency-Key\` takes effect once within 24 hours.

Requests are counted per workspace, deliveries to its webhooks separately, and without a workspace per client
address. Each tier is a bucket of tokens, refilled at \`X-RateLimit-Limit\` a minute. The processes of the service share
it and lease tokens for a second at most: together they never allow more than the tier. With one
process \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are exact; with several, tokens leased by other processes, an
eighth of the bucket each at most, are missing from them.`;

const PARAMETERS = {
  workspace: {
    name: 'X-Workspace-Id',
    in: 'header',
    description: "The workspace of the call; by default the token's own.",
    schema: { type: 'string' },
  },
  once: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repetition with the same key and body returns the first successful answer and has no further effect (idempotency).',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the version that the request changes (optimistic concurrency); if there is a newer one, the answer is 409.',
    schema: { type: 'string' },
  },
  wait: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=<seconds>`, 1 to 60 (RFC 7240): answer when the run has ended, if it does in time.',
    schema: { type: 'string' },
    example: 'wait=10',
  },
  delivery: {
    name: 'X-Service-Delivery',
    in: 'header',
    description:
      "The sender's own id of the delivery; a repetition within 24 hours gets the first run's id and starts nothing.",
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  signature: {
    name: 'X-Service-Signature',
    in: 'header',
    description:
      '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body. Required, unless the webhook verifies its senders in another way.',
    schema: { type: 'string' },
  },
};

/** The OpenAPI document of the table of operations, with the public address of the service. */
export function openApi(address: string = runtime().env.apiBaseUrl): OpenApi {
  const { inputs, outputs, components } = schemasOf(operations);
  const paths: OpenApi['paths'] = { ...PROBE_PATHS };
  for (const operation of operations) {
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
      description: INTRODUCTION,
      contact: { name: 'The operator of this service', url: address },
    },
    servers: [{ url: address }],
    tags: [...tagsOf(operations), { name: 'Health', description: 'Health checks and monitoring.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: components,
      responses: REFUSALS,
      headers: HEADERS,
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

const TAGS: Record<string, string> = {
  Authentication: 'Sign-in, sign-out and the signed-in user.',
  Workflows: 'Workflows: graphs of nodes, their versions, and starting runs.',
  Executions: 'Runs: state, results, logs, cancellation and approvals.',
  'Workflow tests': 'Tests of workflows, and replays of recorded runs.',
  Files: 'Files in inputs and results of runs.',
  Webhooks: 'Addresses that start a run from outside.',
  Forms: 'Pages with fields that start a run.',
  Workspaces: 'Teams, their members and invitations.',
  Schedules: 'Runs at fixed times.',
  Polls: 'Runs for new items of a source.',
  Credentials: 'Credentials for third-party services. Secrets are write-only.',
  Connectors: 'Third-party services that can be connected, and app registrations.',
  'Connector OAuth': 'Connecting a service: authorization code with PKCE, or client credentials.',
  'Node types': 'Node types with the JSON Schema of their config.',
  'API keys': 'Tokens for scripts, restricted by scopes.',
  Roles: 'Roles, permissions and assignments.',
  'Second factor': 'Authenticator apps and backup codes.',
  Audit: 'Actions and refusals, in a verifiable hash chain.',
  'Single sign-on': 'Signing in through a company’s provider.',
  'Sign-in providers': 'Sign-in providers of a workspace.',
  Sessions: 'Open sessions, and ending them.',
  Members: 'Members of a workspace and invitations.',
  Projects: 'Workflows and what they use as files, to move them between workspaces.',
  Setup: 'The first owner of a new installation.',
  Outbox: 'Mail of a development installation.',
};

const tagsOf = (all: readonly Operation[]) =>
  [...new Set(all.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name }));

/** `schemas`: the id under which the schemas of the operation are listed. */
function describeOperation(operation: Operation, { inputs, outputs, components }: Described, schemas = operation.id) {
  const { id, summary, description, tag, access, body: taken } = operation;
  const body = inputs.get(`${schemas} body`);
  return {
    operationId: id,
    summary,
    description: [description, accessSentence(access)].filter(Boolean).join(' '),
    tags: [tag],
    'x-permission': accessWord(access),
    ...SECURITY[access.kind],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(schemas, inputs.get(`${schemas} query`), querySchema(operation)),
      ...headersOf(operation),
    ],
    ...(taken?.kind === 'raw' && hasBody(operation)
      ? { requestBody: { content: { 'application/json': { schema: {} }, '*/*': { schema: {} } } } }
      : {}),
    ...(taken?.kind === 'upload' ? { requestBody: uploadIn(taken) } : {}),
    ...(body ? { requestBody: bodyOf(operation, body, components) } : {}),
    ...(takesNoFields(operation) ? { requestBody: NO_FIELDS } : {}),
    responses: responsesOf(operation, schemas, (key) => {
      const schema = outputs.get(key);
      return schema && { schema, example: exampleOf(schema, components, false) };
    }),
  };
}

const SECURITY = {
  public: { security: [] },
  webhook: { security: [{ signature: [] }] },
  'signed-in': {},
  member: {},
};

const ACCESS = {
  public: 'Takes no token.',
  'signed-in': 'Takes the token of any user.',
  webhook: 'The webhook’s verification decides who may call it.',
};

const accessSentence = (access: Access): string =>
  access.kind === 'member' ? `Needs the permission \`${accessWord(access)}\`.` : ACCESS[access.kind];

const FILE = { type: 'string', format: 'binary', description: 'The content of the file.' };
const FILE_BODY = {
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: FILE } } },
    '*/*': { schema: FILE },
  },
};

const CSV_BODY = {
  required: true,
  content: { 'text/csv': { schema: { type: 'string' }, example: 'email,amount\nada@example.com,12.5\n' } },
};

function uploadIn({ mediaType, form }: UploadBody): object {
  if (!form) return mediaType === undefined ? FILE_BODY : CSV_BODY;
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
const NO_FIELDS = {
  required: false,
  description: 'Without fields; it can be left out.',
  content: { 'application/json': { schema: { type: 'object', additionalProperties: false }, example: {} } },
};

const takesNoFields = ({ method, body }: Operation) => (method === 'POST' || method === 'PUT') && !body;

const hasBody = ({ method }: Operation) => method !== 'GET' && method !== 'DELETE';

/** Pages and identity providers make the bodies of public addresses whose answer is not JSON. */
const bodyOf = ({ id, access, reply }: Operation, schema: JsonSchema, components: Described['components']) => ({
  required: isNeeded(schema),
  content: {
    'application/json': {
      schema,
      ...(reply?.kind === 'content' && access.kind === 'public'
        ? {}
        : { example: bodyExample(id, schema, components) }),
    },
  },
});

const isNeeded = (body: JsonSchema) => !('required' in body) || (body.required as string[]).length > 0;

/** What the path parameters are, where the path alone does not say it; `id` is of the object before it. */
const IN_PATH: Record<string, string> = {
  workflowId: 'Id of the workflow',
  version: 'Number of the version',
  nodeId: 'Id of the node in the definition',
  token: 'Token from the address that the run gave out',
  path: 'Path of the webhook, form or chat, as chosen in the workflow',
  name: 'Name of the variable',
  domain: 'Domain of email addresses',
};

const pathParameters = ({ path }: Operation) =>
  [...path.matchAll(/([\w-]*)\}?\/\{(\w+)(?:\.\.\.)?\}/g)].map(([, collection = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: IN_PATH[name] ?? `Id of the object in \`${collection}\``,
    schema: { type: 'string' },
  }));

function queryParameters(id: string, schema: JsonSchema | undefined, query: z.ZodObject | undefined) {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema?.required ?? []) as string[];
  // The conversion drops the default of a field that is parsed from text.
  const presetOf = (name: string) => (query?.shape[name] as z.ZodType | undefined)?.meta()?.['default'];
  return Object.entries(properties).map(([name, { description = parameterSentence(id, name), ...rest }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    schema: presetOf(name) === undefined ? rest : { ...rest, default: presetOf(name) },
  }));
}

function headersOf(operation: Operation) {
  const { access, method } = operation;
  if (access.kind === 'webhook') return [PARAMETERS.signature, PARAMETERS.delivery];
  if (access.kind === 'public') return [];
  const { headers, prefersWait } = jsonReplyIn(operation) ?? {};
  return [
    ...(access.kind === 'member' && !access.workspaceParam ? [PARAMETERS.workspace] : []),
    ...(method === 'POST' || method === 'PUT' ? [PARAMETERS.once] : []),
    ...(method === 'PUT' && headers ? [PARAMETERS.ifMatch] : []),
    ...(prefersWait ? [PARAMETERS.wait] : []),
  ];
}
