import { operations } from '../operations';
import { runtime } from '../runtime';
import type { Operation } from './operation';
import { HEADERS, REFUSALS, responsesOf } from './openapi-responses';
import { bodyExample, exampleOf } from './openapi-examples';
import { schemasOf, type Described, type JsonSchema } from './openapi-schemas';

/** An OpenAPI 3.0 document, as plain JSON. */
export type OpenApi = Record<string, unknown> & {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, object>;
};

const INTRODUCTION = `Workflows, their runs, and what they need.

Every answer that is not a success has the body \`{"error": {"code", "message", "details": [{"field", "message"}]}}\`.
Lists are \`{"data", "total", "limit", "offset"}\`, newest first. Calls speak for the workspace in \`X-Workspace-Id\`, or
else the token's own. A POST or PUT with an \`Idempotency-Key\` takes effect once within 24 hours.

Requests are counted per workspace, deliveries to its webhooks apart from the rest, and without a workspace per client
address. Each tier is a bucket of tokens, refilled at \`X-RateLimit-Limit\` a minute. The processes of the service share
it and take tokens in advance, for a second at most: together they never let more through than the tier says. With one
process \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are exact; with several, what others hold at the moment, an
eighth of the bucket each at most, is missing from them.`;

const PARAMETERS = {
  workspace: {
    name: 'X-Workspace-Id',
    in: 'header',
    description: "The workspace that the call is about; by default the token's own.",
    schema: { type: 'string' },
  },
  once: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and body: the first successful answer again, and nothing done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the version that this changes; a newer one answers 409.',
    schema: { type: 'string' },
  },
  signature: {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body.',
    schema: { type: 'string' },
  },
};

/** The description of everything in the table of operations, at the address by which others reach the service. */
export function openApi(address: string = runtime().env.apiBaseUrl): OpenApi {
  const { inputs, outputs, components } = schemasOf(operations);
  const paths: OpenApi['paths'] = {};
  for (const operation of operations) {
    const path = (paths[operation.path.replace('...}', '}')] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, { inputs, outputs, components });
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Weft', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: address }],
    tags: tagsOf(operations),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: components,
      responses: REFUSALS,
      headers: HEADERS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /api/auth/login.' },
        signature: { type: 'apiKey', in: 'header', name: 'X-Service-Signature', description: 'HMAC of the body.' },
      },
    },
  };
}

const TAGS: Record<string, string> = {
  Authentication: 'Signing in and out, and who one is.',
  Workflows: 'Graphs of nodes, their versions, and running them.',
  Executions: 'Runs: their state, results and logs; cancelling, and deciding at approvals.',
  Webhooks: 'Addresses that start a run from outside.',
  Workspaces: 'Teams, their members and invitations.',
  Schedules: 'Runs at fixed times.',
  Credentials: 'Access to third parties; secrets go in and never come out.',
  Connectors: 'The services that can be connected, and the registrations of this app with them.',
  'Connector OAuth': 'Connecting a service: authorization code with PKCE, or client credentials.',
  'Node types': 'What nodes can do, with the JSON Schema of their configs.',
  'API keys': 'Tokens for scripts, cut down by scopes.',
  Roles: 'Who may do what.',
  'Second factor': 'Authenticator apps and backup codes.',
  Audit: 'What was done and what was refused, in a chain that can be verified.',
  'Single sign-on': 'Signing in through a company’s provider.',
  'Sign-in providers': 'The providers that people of a workspace sign in through.',
  Sessions: 'Logins on devices, and ending them.',
  Members: 'Who belongs to a workspace.',
  Setup: 'The first owner of a new installation.',
  Outbox: 'Mail of a development installation.',
};

const tagsOf = (all: readonly Operation[]) =>
  [...new Set(all.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name }));

function describeOperation(operation: Operation, { inputs, outputs, components }: Described) {
  const { id, summary, description, tag, access } = operation;
  const body = inputs.get(`${id} body`);
  const output = outputs.get(id);
  const isPublic = access === 'public';
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    'x-permission': typeof access === 'object' ? `${access.resource}:${access.action}` : access,
    ...(isPublic ? { security: [] } : access === 'signature' ? { security: [{ signature: [] }] } : {}),
    parameters: [...pathParameters(operation), ...queryParameters(inputs.get(`${id} query`)), ...headersOf(operation)],
    ...(operation.takesRawBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: {} } } } }
      : {}),
    ...(body ? { requestBody: bodyOf(operation, body, components) } : {}),
    responses: responsesOf(operation, output && { schema: output, example: exampleOf(output, components, false) }),
  };
}

const bodyOf = ({ id, produces }: Operation, schema: JsonSchema, components: Described['components']) => ({
  required: isNeeded(schema),
  content: {
    'application/json': { schema, ...(produces ? {} : { example: bodyExample(id, schema, components) }) },
  },
});

const isNeeded = (body: JsonSchema) => !('required' in body) || (body.required as string[]).length > 0;

const pathParameters = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(schema: JsonSchema | undefined) {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema?.required ?? []) as string[];
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    schema: rest,
  }));
}

function headersOf({ access, method, workspaceParam, headers }: Operation) {
  if (access === 'signature' || access === 'public') return access === 'signature' ? [PARAMETERS.signature] : [];
  return [
    ...(typeof access === 'object' && !workspaceParam ? [PARAMETERS.workspace] : []),
    ...(method === 'POST' || method === 'PUT' ? [PARAMETERS.once] : []),
    ...(method === 'PUT' && headers ? [PARAMETERS.ifMatch] : []),
  ];
}
