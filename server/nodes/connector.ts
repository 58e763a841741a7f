import { z } from 'zod';
import { connectorOf } from '@/server/connectors';
import { callConnector } from '@/server/connectors/calls/call';
import { parameterSchema, REQUEST } from '@/server/connectors/catalogue';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { isCustomId } from '@/server/connectors/custom/connector';
import { findCustomFacts } from '@/server/connectors/custom/store';
import { findConnector } from '@/server/connectors/lookup';
import { everything } from '@/server/connectors/parameters';
import { done, nodeKind, type Facts, type NamedObject } from './node';
import { NodeFailure } from '@/server/errors/node-failure';

const isWritten = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('{{');

/**
 * Missing parts of a config: an operation of the connector, and its required parameters. Connectors of workspaces are checked where the
 * workspace is known.
 */
function gaps(source: Record<string, unknown>, _: boolean, isTool = false): { field: string; message: string }[] {
  const { connectorId, operation, parameters = {} } = source;
  if (!isWritten(connectorId) || !isWritten(operation) || isCustomId(connectorId)) return [];
  const connector = connectorOf(connectorId);
  if (!connector) return [{ field: 'connectorId', message: 'is not a known connector' }];
  const schema = parameterSchema(connector, operation);
  if (!schema) return [{ field: 'operation', message: `is not an operation of ${connector.name}` }];
  const values = (typeof parameters === 'object' ? parameters : {}) as Record<string, unknown>;
  const missing = Object.entries(schema.shape).filter(
    ([name, field]) => !isTool && values[name] === undefined && !(field as z.ZodType).safeParse(undefined).success,
  );
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(schema.shape, name));
  return [
    ...missing.map(([name]) => ({ field: `parameters.${name}`, message: 'is required' })),
    ...unknown.map((name) => ({ field: `parameters.${name}`, message: `is not a parameter of ${operation}` })),
  ];
}

function schemaOf({ connectorId, operation }: Record<string, unknown>) {
  const known = connectorOf(isWritten(connectorId) ? connectorId : '');
  return known && isWritten(operation) ? parameterSchema(known, operation) : undefined;
}

/** The operation of a workspace's connector that a config names. */
function customOperation({ connectorId, operation }: Record<string, unknown>): NamedObject | undefined {
  if (!isWritten(connectorId) || !isCustomId(connectorId) || !isWritten(operation)) return undefined;
  return { resource: 'connector', id: connectorId, operation };
}

type JsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] };

/** The JSON Schema of the parameters that are left to a model: those that the author did not write. */
function openParameters(config: Record<string, unknown>, facts: Facts | undefined) {
  if (customOperation(config)) return facts?.inputSchema && openProperties(config, facts.inputSchema);
  const schema = schemaOf(config);
  if (!schema) return undefined;
  const { parameters = {} } = config;
  const written = new Set([...Object.keys(parameters as object), everything]);
  const shape = Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !written.has(name)));
  return z.toJSONSchema(z.strictObject(shape), { target: 'draft-7', io: 'input' }) as Record<string, unknown>;
}

function openProperties({ parameters = {} }: Record<string, unknown>, schema: JsonSchema): JsonSchema {
  const isOpen = (name: string) => name !== everything && !Object.hasOwn(parameters as object, name);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isOpen(name));
  return { ...schema, properties: Object.fromEntries(properties), required: (schema.required ?? []).filter(isOpen) };
}

/** The config with what a model chose for parameters. Its other arguments are for expressions of the author. */
function withChosen(given: Given, chosen: Record<string, unknown>, known: object): Given {
  const parameters = Object.entries(chosen).filter(([name]) => Object.hasOwn(known, name));
  return { ...given, parameters: { ...Object.fromEntries(parameters), ...given.parameters } };
}

async function withChosenOfCustom(given: Given, chosen: Record<string, unknown>, workspaceId: string): Promise<Given> {
  const { connectorId = '', operation = '' } = given;
  const facts = await findCustomFacts(workspaceId, connectorId, operation);
  return withChosen(given, chosen, facts?.parameters['properties'] ?? {});
}

/** `request` calls any address of a service: its author says which. */
function toolIssues({ operation, parameters = {} }: Record<string, unknown>) {
  const written = parameters as Record<string, unknown>;
  if (operation !== REQUEST || (isWritten(written['method']) && typeof written['path'] === 'string')) return [];
  return [{ field: 'parameters', message: 'must have method and path, which a model may not choose' }];
}

const Config = z.strictObject({
  connectorId: z
    .string()
    .max(100)
    .optional()
    .meta({ apiDescription: 'Which service is called', title: 'Connector', 'x-editor': 'connector' }),
  operation: z.string().max(100).optional().meta({
    apiDescription: 'Which of the calls that the connector offers',
    title: 'Operation',
    'x-editor': 'connector-operation',
  }),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ apiDescription: 'Parameters by name', title: 'Parameters', 'x-editor': 'connector-parameters' }),
});
type Given = z.output<typeof Config>;

/** The connector to call. With a credential it is the one that was read together with it, so that no secret meets another address. */
async function calledConnector(id: string, workspaceId: string, credential: CredentialHandle | undefined) {
  const found = credential?.credential.connectorId === id ? credential.credential.connector : undefined;
  const connected = found ?? (await findConnector(workspaceId, id));
  if (!connected) throw new NodeFailure('CONFIG', `There is no connector "${id}".`, false);
  if (!credential && !connected.custom)
    throw new NodeFailure('CREDENTIAL_MISSING', `${connected.name} needs a credential.`, false);
  if (credential && credential.credential.connectorId !== id) {
    const { name } = credential.credential;
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of ${connected.name}.`, false);
  }
  return connected;
}

export const connector = nodeKind({
  type: 'connector',
  title: 'Connector',
  summary: 'Calls an operation of a connected third-party service.',
  synonyms: ['service', 'integration', 'app', 'saas', 'oauth'],
  category: 'action',
  config: Config,
  required: ['connectorId', 'operation'],
  gaps,
  expressions: [],
  literals: ['connectorId', 'operation'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['oauth2', 'token'],
  needsCredential: ({ connectorId }) => !isCustomId(connectorId),
  connectorField: 'connectorId',
  connectorOf: ({ connectorId }) => (isWritten(connectorId) ? connectorId : undefined),
  isOutside: true,
  asksSource: true,
  tool: {
    issues: toolIssues,
    arguments: {
      about: customOperation,
      schema: openParameters,
      merge: (given, chosen, _, { workspaceId }) =>
        customOperation(given)
          ? withChosenOfCustom(given, chosen, workspaceId)
          : withChosen(given, chosen, schemaOf(given)?.shape ?? {}),
    },
  },
  async run({ workspaceId, config, credential, files, secrets, signal, idempotencyKey, reserve, log }) {
    const { connectorId = '', operation = '', parameters = {} } = config;
    return done(
      await callConnector({
        connector: await calledConnector(connectorId, workspaceId, credential),
        workspaceId,
        operation,
        parameters,
        credential,
        files,
        secrets,
        signal,
        idempotencyKey,
        reserve,
        log,
      }),
    );
  },
});
