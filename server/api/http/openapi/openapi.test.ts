import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { operationTable } from '@/server/api/operations';
import { loadTemplateFiles } from '@/server/workflow/templates';
import { useDatabase } from '@/server/testing/database';
import { SocketClientMessage, SocketServerMessage } from '@/contract/channel';
import { buildAsyncApiDocument } from './async-api';
import { handleOpenApiJson, handleOpenApiYaml } from './description';
import { buildOpenApiDocument } from './openapi';
import { EXAMPLE_BODIES } from './descriptions';
import type { OperationRecord } from '@/server/api/operation/operation';
import { bodySchema } from '@/server/api/operation/operation-parts';

useDatabase();

test('JSON and YAML are the same document', async () => {
  const json = await (await handleOpenApiJson()).json();
  const yaml = parse(await (await handleOpenApiYaml()).text());
  expect(yaml).toEqual(json);
  expect(json.openapi).toBe('3.0.3');
});

test('each operation is described once, under its address, with its permission', () => {
  const { paths } = buildOpenApiDocument();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, value]) => `${method} ${path} ${(value as { operationId: string }).operationId}`,
    ),
  );
  const expected = (operationTable as OperationRecord[]).flatMap(({ method, otherMethods = [], path, id }) => [
    `${method.toLowerCase()} ${path.replace('...}', '}')} ${id}`,
    ...otherMethods.map((other) => `${other.toLowerCase()} ${path.replace('...}', '}')} ${id}.${other.toLowerCase()}`),
  ]);
  const probes = [
    'get /healthz health.live',
    'get /metrics health.metrics',
    'get /readyz health.ready',
    'get /.well-known/security.txt health.security',
  ];
  expect(described.toSorted()).toEqual([...expected, ...probes].toSorted());
});

test('every reference resolves', () => {
  const text = JSON.stringify(buildOpenApiDocument());
  const { components } = buildOpenApiDocument();
  const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(refs.length).toBeGreaterThan(10);
  expect(Object.keys(components['schemas'] ?? {})).toEqual(expect.arrayContaining(refs));
  expect(text).not.toContain('#/definitions');
});

type Described = { requestBody?: Content; responses: Record<string, Content> };
type Content = { content?: Record<string, { example?: unknown }>; $ref?: string };

const exampleIn = (content: Content | undefined) => content?.content?.['application/json']?.example;

test('every JSON body has an example that matches its schema', async () => {
  const { paths } = buildOpenApiDocument();
  for (const operation of operationTable as OperationRecord[]) {
    const { id, method, path, reply } = operation;
    const body = bodySchema(operation);
    const { requestBody, responses } = paths[path.replace('...}', '}')]![method.toLowerCase()] as Described;
    if (body && reply?.kind !== 'content')
      expect(await body.safeParseAsync(exampleIn(requestBody)), `${id} takes it`).toMatchObject({ success: true });
    if (reply?.kind === 'json')
      expect(reply.schema.safeParse(exampleIn(responses[reply.status ?? 200])), `${id} gives it`).toMatchObject({
        success: true,
      });
  }
});

test('the definitions of all templates match their schema, which has one branch for each node type', async () => {
  const document = buildOpenApiDocument();
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const matches = ajv.getSchema('api#/components/schemas/DefinitionInput')!;
  for (const { id, definition } of await loadTemplateFiles())
    expect([id, matches(definition), matches.errors]).toEqual([id, true, null]);
  const typo = {
    nodes: [{ id: 'a', type: 'delay', position: { x: 0, y: 0 }, config: { duration: 5 } }],
    connections: [],
  };
  expect(matches(typo)).toBe(false);
  const { discriminator } = document.components['schemas']!['Node' as never] as { discriminator: { mapping: object } };
  expect(Object.keys(discriminator.mapping)).toEqual(nodeTypeDefinitions.map(({ type }) => type));
});

test('every operation, parameter, schema and field is described', () => {
  const { paths, components } = buildOpenApiDocument();
  const missing: string[] = [];
  const visit = (at: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries((value as { properties?: Record<string, object> }).properties ?? {}))
      if (!('description' in field) && !('$ref' in field)) missing.push(`${at}.${name}`);
    for (const [key, inner] of Object.entries(value)) if (key !== 'example') visit(`${at}.${key}`, inner);
  };
  visit('', { paths, components });
  for (const [id, schema] of Object.entries(components['schemas'] ?? {}))
    if (!('description' in schema)) missing.push(id);
  for (const [path, methods] of Object.entries(paths))
    for (const { operationId, summary, description, parameters } of Object.values(methods) as DescribedOperation[]) {
      if (!summary || !description) missing.push(operationId);
      missing.push(...parameters.filter((one) => !one.description).map(({ name }) => `${path} ${name}`));
    }
  expect(missing).toEqual([]);
});

/** Words that say nothing by themselves. */
const EMPTY_WORDS = new Set('a an the this that its of it in is to for with or and no null as whether id'.split(' '));

const stemsIn = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !EMPTY_WORDS.has(word))
    .map((word) => word.replace(/(?:es|s)$/, ''));

/** Whether a description has no word besides those of the name that it describes. */
const isRepetition = (name: string, description: string): boolean => {
  const known = new Set(stemsIn(name));
  return stemsIn(description).every((word) => known.has(word));
};

test.each([
  ['workflowId', 'The id of the workflow.', true],
  ['body', 'The body.', true],
  ['userId', 'The user; null: no user', true],
  ['workflowId', 'Which workflow it tests', false],
  ['createdBy', 'Id of the user who created it', false],
])('a description of %s, "%s", repeats the name: %s', (name, description, expected) => {
  expect(isRepetition(name, description)).toBe(expected);
});

test('no description only repeats the name of what it describes', () => {
  const found: string[] = [];
  const visit = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description, name: parameter, in: place } = value as Record<string, unknown>;
    const named = place === 'query' ? String(parameter) : name;
    if (typeof description === 'string' && isRepetition(named, description)) found.push(`${named}: ${description}`);
    for (const [key, inner] of Object.entries(value)) if (key !== 'example') visit(key, inner);
  };
  const { paths, components } = buildOpenApiDocument();
  visit('', paths);
  visit('', components['schemas']);
  expect([...new Set(found)]).toEqual([]);
});

interface DescribedOperation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters: { name: string; description?: string }[];
}

test('the AsyncAPI document is valid, and has every message of the channel', () => {
  const document = buildAsyncApiDocument('https://weft.test');
  const matches = new Ajv({ strict: false, validateFormats: false, meta: false }).compile(
    specs.schemas['3.0.0'] as object,
  );
  expect([matches(document), matches.errors]).toEqual([true, null]);
  const { messages } = document.channels.executions;
  const types = [...SocketClientMessage.options, ...SocketServerMessage.options].map(({ shape }) => shape.type.value);
  expect(Object.keys(messages)).toEqual(types);
  for (const { summary, name } of Object.values(messages)) expect(summary).not.toBe(name);
  expect(document.servers.service).toEqual({ host: 'weft.test', protocol: 'wss' });
});

test('every example belongs to an existing operation', () => {
  const ids = operationTable.map(({ id }) => id as string);
  expect(Object.keys(EXAMPLE_BODIES).filter((id) => !ids.includes(id))).toEqual([]);
});

test('a nullable enum lists null; no number has the bounds of every number', () => {
  const text = JSON.stringify(buildOpenApiDocument());
  const refusing: unknown[] = [];
  JSON.parse(text, (_, value: { nullable?: boolean; enum?: unknown[] } | null) => {
    if (value?.nullable && Array.isArray(value.enum) && !value.enum.includes(null)) refusing.push(value);
    return value;
  });
  expect(refusing).toEqual([]);
  expect(text).not.toContain('"enum":[null]');
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('a call may carry an access token or an API key', () => {
  const { security, components } = buildOpenApiDocument();
  expect(security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(components['securitySchemes']).toMatchObject({ apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } });
});

test('every path parameter and the pages of lists are described, with their defaults', () => {
  type Parameter = { name: string; in: string; description?: string; schema: object };
  const described = Object.values(buildOpenApiDocument().paths).flatMap((methods) =>
    Object.values(methods).flatMap((one) => (one as { parameters: Parameter[] }).parameters),
  );
  expect(described.filter((one) => one.in === 'path' && !one.description)).toEqual([]);
  const limits = described.filter(({ name }) => name === 'limit');
  expect(limits.filter((one) => !one.description || !('default' in one.schema)).map(({ name }) => name)).toEqual([]);
  expect(described.map(({ name }) => name)).toContain('X-Service-Delivery');
});

const document = buildOpenApiDocument('https://weft.test');

/** The media types of an answer; `error`: the usual refusal. */
function typesOf(method: string, path: string, status: number | 'default'): string[] | undefined {
  const answer = (document.paths[path]![method] as Described).responses[status];
  return answer && (answer.$ref ? ['error'] : Object.keys(answer.content ?? {}));
}

test.each([
  ['post', '/api/auth/login', 403, ['error']],
  ['get', '/auth/oauth2', 404, ['error']],
  ['get', '/auth/oauth2_callback', 200, ['application/json']],
  ['get', '/auth/oauth2_callback', 302, []],
  ['post', '/auth/saml', 200, ['application/json', 'text/html']],
  ['get', '/auth/saml/logout', 200, ['text/html']],
  ['get', '/forms/{workflowId}/{path}', 404, ['text/html']],
  ['post', '/forms/{workflowId}/{path}', 429, ['text/html']],
  ['post', '/forms/{workflowId}/{path}', 303, ['text/html']],
  ['post', '/calls/{token}', 202, ['application/json', 'text/html']],
  ['post', '/calls/{token}', 410, ['error']],
  ['get', '/calls/{token}', 410, ['text/html']],
  ['get', '/api/files/{id}', 206, ['*/*']],
  ['get', '/api/files/{id}', 304, []],
  ['get', '/api/files/{id}', 416, ['error']],
  ['get', '/api/workflows/{id}', 304, []],
  ['post', '/webhooks/{workflowId}/{path}', 'default', ['*/*']],
  ['put', '/webhooks/{workflowId}/{path}', 405, ['error']],
  ['post', '/api/workflows', 413, ['error']],
  ['post', '/api/workflows', 415, ['error']],
  ['get', '/api/workflows', 415, undefined],
] as const)('%s %s has the answer %s', (method, path, status, types) => {
  expect(typesOf(method, path, status)).toEqual(types);
});

test('a call without fields may have an empty object as its body', () => {
  const { requestBody } = document.paths['/auth/mfa']!['post'] as Described;
  expect(requestBody?.content).toMatchObject({ 'application/json': { example: {} } });
});
