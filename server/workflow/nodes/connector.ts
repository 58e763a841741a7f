import { z } from 'zod';
import { findBuiltInConnector } from '@/server/connectors';
import { callConnector } from '@/server/connectors/calls/call';
import { operationParameterSchema, REQUEST_OPERATION_ID } from '@/server/connectors/catalogue';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { isCustomConnectorId } from '@/server/connectors/custom/connector';
import { findCustomSummary } from '@/server/connectors/custom/store';
import { findConnector } from '@/server/connectors/lookup';
import { ALL_PAGES_PARAMETER } from '@/server/connectors/parameters';
import { completeNode, defineNodeType, type WorkspaceObjectDetails, type WorkspaceObjectRef } from './node-type';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { literalField, connectorReference, requiredField } from './field-traits';

const isLiteralText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('{{');

/**
 * Missing parts of a config: an operation of the connector, and its required parameters. Connectors of workspaces are
 * checked where the workspace is known.
 */
function findConnectorFieldIssues(
  source: Record<string, unknown>,
  _: boolean,
  isTool = false,
): { field: string; message: string }[] {
  const { connectorId, operation, parameters = {} } = source;
  if (!isLiteralText(connectorId) || !isLiteralText(operation) || isCustomConnectorId(connectorId)) return [];
  const connector = findBuiltInConnector(connectorId);
  if (!connector) return [{ field: 'connectorId', message: 'is not a known connector' }];
  const schema = operationParameterSchema(connector, operation);
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

function connectorParameters({ connectorId, operation }: Record<string, unknown>) {
  const known = findBuiltInConnector(isLiteralText(connectorId) ? connectorId : '');
  return known && isLiteralText(operation) ? operationParameterSchema(known, operation) : undefined;
}

/** The operation of a workspace's connector that a config names. */
function customOperationSubject({ connectorId, operation }: Record<string, unknown>): WorkspaceObjectRef | undefined {
  if (!isLiteralText(connectorId) || !isCustomConnectorId(connectorId) || !isLiteralText(operation)) return undefined;
  return { resource: 'connector', id: connectorId, operation };
}

type ParameterJsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] };

/** The JSON Schema of the parameters that are left to a model: those that the author did not write. */
function modelParameterSchema(config: Record<string, unknown>, facts: WorkspaceObjectDetails | undefined) {
  if (customOperationSubject(config)) return facts?.inputSchema && withoutWrittenProperties(config, facts.inputSchema);
  const schema = connectorParameters(config);
  if (!schema) return undefined;
  const { parameters = {} } = config;
  const written = new Set([...Object.keys(parameters as object), ALL_PAGES_PARAMETER]);
  const shape = Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !written.has(name)));
  return z.toJSONSchema(z.strictObject(shape), { target: 'draft-7', io: 'input' }) as Record<string, unknown>;
}

function withoutWrittenProperties(
  { parameters = {} }: Record<string, unknown>,
  schema: ParameterJsonSchema,
): ParameterJsonSchema {
  const isOpen = (name: string) => name !== ALL_PAGES_PARAMETER && !Object.hasOwn(parameters as object, name);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isOpen(name));
  return { ...schema, properties: Object.fromEntries(properties), required: (schema.required ?? []).filter(isOpen) };
}

/** The config with what a model chose for parameters. Its other arguments are for expressions of the author. */
function addChosenParameters(given: ConnectorConfig, chosen: Record<string, unknown>, known: object): ConnectorConfig {
  const parameters = Object.entries(chosen).filter(([name]) => Object.hasOwn(known, name));
  return { ...given, parameters: { ...Object.fromEntries(parameters), ...given.parameters } };
}

async function addChosenToCustom(
  given: ConnectorConfig,
  chosen: Record<string, unknown>,
  workspaceId: string,
): Promise<ConnectorConfig> {
  const { connectorId = '', operation = '' } = given;
  const facts = await findCustomSummary(workspaceId, connectorId, operation);
  return addChosenParameters(given, chosen, facts?.parameters['properties'] ?? {});
}

/** `request` calls any address of a service: its author says which. */
function findRequestToolIssues({ operation, parameters = {} }: Record<string, unknown>) {
  const written = parameters as Record<string, unknown>;
  if (operation !== REQUEST_OPERATION_ID || (isLiteralText(written['method']) && typeof written['path'] === 'string'))
    return [];
  return [{ field: 'parameters', message: 'must have method and path, which a model may not choose' }];
}

const connectorConfig = z.strictObject({
  connectorId: z
    .string()
    .max(100)
    .optional()
    .apply(literalField)
    .apply(requiredField)
    .meta({ apiDescription: 'Which service is called', title: 'Connector' })
    .apply(connectorReference),
  operation: z.string().max(100).optional().apply(literalField).apply(requiredField).meta({
    apiDescription: 'Which of the calls that the connector offers',
    title: 'Operation',
    'x-editor': 'connector-operation',
  }),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ apiDescription: 'Parameters by name', title: 'Parameters', 'x-editor': 'connector-parameters' }),
});
type ConnectorConfig = z.output<typeof connectorConfig>;

/**
 * The connector to call. With a credential it is the one that was read together with it, so that no secret meets
 * another address.
 */
async function resolveConnector(id: string, workspaceId: string, credential: CredentialHandle | undefined) {
  const found = credential?.credential.connectorId === id ? credential.credential.connector : undefined;
  const connected = found ?? (await findConnector(workspaceId, id));
  if (!connected) throw new NodeFailure('CONFIG', `There is no connector "${id}".`, false);
  if (!credential && !connected.custom) throw createNodeFailure('CREDENTIAL_MISSING', { subject: connected.name });
  if (credential && credential.credential.connectorId !== id) {
    const { name } = credential.credential;
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of ${connected.name}.`, false);
  }
  return connected;
}

export const connectorNodeType = defineNodeType({
  type: 'connector',
  title: 'Connector',
  summary: 'Calls an operation of a connected third-party service.',
  synonyms: ['service', 'integration', 'app', 'saas', 'oauth'],
  category: 'action',
  config: connectorConfig,
  gaps: findConnectorFieldIssues,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['oauth2', 'token'],
  needsCredential: ({ connectorId }) => !isCustomConnectorId(connectorId),
  connectorOf: ({ connectorId }) => (isLiteralText(connectorId) ? connectorId : undefined),
  isOutside: true,
  asksSource: true,
  tool: {
    issues: findRequestToolIssues,
    arguments: {
      about: customOperationSubject,
      schema: modelParameterSchema,
      merge: (given, chosen, _, { workspaceId }) =>
        customOperationSubject(given)
          ? addChosenToCustom(given, chosen, workspaceId)
          : addChosenParameters(given, chosen, connectorParameters(given)?.shape ?? {}),
    },
  },
  async run({ workspaceId, config, credential, files, secrets, signal, idempotencyKey, reserve, log }) {
    const { connectorId = '', operation = '', parameters = {} } = config;
    return completeNode(
      await callConnector({
        connector: await resolveConnector(connectorId, workspaceId, credential),
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
