import { Ajv, type ValidateFunction } from 'ajv';
import { HTTP_STATUS_BY_CODE } from '@/contract/error-response';
import type { OperationRecord } from '@/server/api/operation/operation';
import { buildOpenApiDocument } from '@/server/api/http/openapi/openapi';
import { responseHeadersWithType, serializeBody } from '@/server/api/http/response';
import { createOperationRouter } from '@/server/api/http/router';
import { operationTable } from '@/server/api/operations';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { noteUndescribed } from './undescribed';

/** Addresses of the API that its description does not have: other protocols, and what browsers alone use. */
const OTHERS =
  /^\/(?:mcp|openapi\.(?:json|yaml)|asyncapi\.json|oauth\/callback|api\/trpc\/.*|api\/auth\/(?:providers|csrf|session|signin|signout|error|callback\/credentials|_log))$/;

const JSON_TYPE = 'application/json';

interface Described {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}
type Responses = Record<string, Described>;

interface Document {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { responses: Responses; schemas: Record<string, NodeSchema> };
}

/** What a schema of OpenAPI 3.0 is in JSON Schema. Ajv has the document as `api`. */
function asJsonSchema(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, discriminator, ...rest } = value as Record<
    string,
    unknown
  >;
  const schema: Record<string, unknown> = rest;
  if (typeof schema['$ref'] === 'string') schema['$ref'] = schema['$ref'].replace(/^#/, 'api#');
  // A mapping is not supported, and names nothing that `oneOf` does not have.
  const { propertyName } = (discriminator ?? {}) as { propertyName?: string };
  if (propertyName !== undefined) schema['discriminator'] = { propertyName };
  else if (discriminator !== undefined) schema['discriminator'] = discriminator;
  if (minimum !== undefined) schema[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) schema[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
  if (typeof nullable === 'object') schema['nullable'] = nullable;
  if (nullable !== true) return schema;
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

let document: Document | undefined;
const described = (): Document =>
  (document ??= withTypeOfTests(
    JSON.parse(JSON.stringify(buildOpenApiDocument('https://weft.test')), asJsonSchema) as Document,
  ));

/** What is read of the schema of a node. */
interface NodeSchema {
  properties?: object;
  oneOf?: object[];
}

/** Adds the node type of `testKinds`. */
function withTypeOfTests(all: Document): Document {
  const { Node, DelayNode } = all.components.schemas;
  const properties = { ...DelayNode?.properties, type: { type: 'string', enum: ['call'] }, config: {} };
  Node?.oneOf?.push({ ...DelayNode, properties });
  return all;
}

let ajv: Ajv | undefined;
/** Compiled when they are used first: most files of tests use few of them. */
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  ajv ??= new Ajv({
    strict: false,
    discriminator: true,
    inlineRefs: false,
    validateSchema: false,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/ },
    // Those of others than this service are texts here.
    validateFormats: true,
    logger: false,
  }).addSchema(described(), 'api');
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = ajv.compile(schema)));
  return validator;
}

const match = createOperationRouter(operationTable);

interface Asked {
  method: string;
  path: string;
}

/** Where the description has an address; undefined: nowhere. */
function responsesFor({ method, path }: Asked): Responses | undefined {
  const { paths } = described();
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = match(asked, path);
  const template = found && 'operation' in found ? templateOf(found.operation) : path;
  return paths[template]?.[asked.toLowerCase()]?.responses;
}

const templateOf = ({ path }: OperationRecord): string => path.replace('...}', '}');

/** The answer to a request, as its receiver reads it. */
interface Received {
  status: number;
  type: string | null;
  /** Undefined: it was not read, because it is not JSON. */
  text: string | undefined;
  /** A workflow made it. */
  isOfWorkflow: boolean;
}

/** What is wrong with an answer by the API description; null: nothing. */
function faultOf(asked: Asked, { status, type, text, isOfWorkflow }: Received): string | null {
  if (OTHERS.test(asked.path) || asked.method === 'OPTIONS') return null;
  // Senders ask whether an address exists.
  if (asked.method === 'HEAD' && asked.path.startsWith('/webhooks/')) return null;
  const responses = responsesFor(asked) ?? refusals();
  const response = isOfWorkflow ? responses['default'] : responses[status];
  if (!response) return `the status ${status} is not described: there are ${Object.keys(responses).join(', ')}`;
  const { content = {} } = resolved(response);
  const types = Object.keys(content);
  if (type === null)
    return types.length === 0 || types.includes('*/*')
      ? null
      : `${status} has no body, described is ${types.join(', ')}`;
  const name = types.find((one) => one === type) ?? types.find((one) => one === '*/*');
  if (name === undefined)
    return `the type ${type} is not described for ${status}: there is ${types.join(', ') || 'none'}`;
  if (text === undefined || name === '*/*') return null;
  const validate = validatorOf(content[name]?.schema ?? {});
  const value: unknown = JSON.parse(text);
  if (validate(value)) return null;
  const errors = (validate.errors ?? []).slice(0, 3);
  const words = errors.map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `the body of ${status} is not as described: ${words.join('; ')}, in ${text.slice(0, 300)}`;
}

/** The answers of addresses that do not exist, or do not take the method. */
function refusals(): Responses {
  const { responses } = described().components;
  return Object.fromEntries(REFUSAL_STATUSES.map((status) => [status, responses['INTERNAL_ERROR'] ?? {}]));
}

const REFUSAL_STATUSES = [...Object.values(HTTP_STATUS_BY_CODE), 405, 413, 415, 503];

const resolved = (response: Described): Described =>
  response.$ref === undefined ? response : (described().components.responses[response.$ref.replace(/^.*\//, '')] ?? {});

async function receivedOf({ raw, ...reply }: OperationResponse): Promise<Received> {
  const given = raw?.headers.get('content-type') ?? responseHeadersWithType(reply)['Content-Type'] ?? null;
  const type = given?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
  const read = () => (raw ? raw.clone().text() : (serializeBody(reply) ?? ''));
  return {
    status: raw?.status ?? reply.status,
    type,
    text: type === JSON_TYPE ? await read() : undefined,
    isOfWorkflow: (reply.headers['Content-Security-Policy'] ?? '').startsWith('sandbox allow-forms'),
  };
}

/** Compares an answer with the API description. */
export async function compareReply(
  asked: Asked,
  reply: OperationResponse,
  note: (fault: string) => unknown = noteUndescribed,
): Promise<void> {
  const fault = faultOf(asked, await receivedOf(reply));
  if (fault !== null) note(`${asked.method} ${asked.path}: ${fault}`);
}
