import { z } from 'zod';
import { connectorOf } from '@/server/connectors';
import { callConnector } from '@/server/connectors/calls/call';
import { parameterSchema, REQUEST } from '@/server/connectors/catalogue';
import { everything } from '@/server/connectors/parameters';
import { done, nodeKind } from './node';
import { NodeFailure } from '@/server/errors/node-failure';

const isWritten = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('{{');

/** Missing parts of a config: an operation of the connector, and its required parameters. */
function gaps(source: Record<string, unknown>): { field: string; message: string }[] {
  const { connectorId, operation, parameters = {} } = source;
  if (!isWritten(connectorId) || !isWritten(operation)) return [];
  const connector = connectorOf(connectorId);
  if (!connector) return [{ field: 'connectorId', message: 'is not a known connector' }];
  const schema = parameterSchema(connector, operation);
  if (!schema) return [{ field: 'operation', message: `is not an operation of ${connector.name}` }];
  const values = (typeof parameters === 'object' ? parameters : {}) as Record<string, unknown>;
  const missing = Object.entries(schema.shape).filter(
    ([name, field]) => values[name] === undefined && !(field as z.ZodType).safeParse(undefined).success,
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

/** The JSON Schema of the parameters that are left to a model: those that the author did not write. */
function openParameters(config: Record<string, unknown>) {
  const schema = schemaOf(config);
  if (!schema) return undefined;
  const { parameters = {} } = config;
  const written = new Set([...Object.keys(parameters as object), everything]);
  const shape = Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !written.has(name)));
  return z.toJSONSchema(z.strictObject(shape), { target: 'draft-7', io: 'input' }) as Record<string, unknown>;
}

/** What a model chose for parameters. Its other arguments are for expressions of the author. */
function chosenParameters(config: Record<string, unknown>, chosen: Record<string, unknown>) {
  const { shape = {} } = schemaOf(config) ?? {};
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => Object.hasOwn(shape, name)));
}

/** `request` calls any address of a service: its author says which. */
function toolIssues({ operation, parameters = {} }: Record<string, unknown>) {
  const written = parameters as Record<string, unknown>;
  if (operation !== REQUEST || (isWritten(written['method']) && typeof written['path'] === 'string')) return [];
  return [{ field: 'parameters', message: 'must have method and path, which a model may not choose' }];
}

export const connector = nodeKind({
  type: 'connector',
  title: 'Connector',
  summary: 'Calls an operation of a connected third-party service.',
  synonyms: ['service', 'integration', 'app', 'saas', 'oauth'],
  category: 'action',
  config: z.strictObject({
    connectorId: z.string().max(100).optional().meta({ title: 'Connector', 'x-editor': 'connector' }),
    operation: z.string().max(100).optional().meta({ title: 'Operation', 'x-editor': 'connector-operation' }),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ title: 'Parameters', 'x-editor': 'connector-parameters' }),
  }),
  required: ['connectorId', 'operation'],
  gaps,
  expressions: [],
  literals: ['connectorId', 'operation'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['oauth2', 'token'],
  needsCredential: true,
  connectorOf: ({ connectorId }) => (isWritten(connectorId) ? connectorId : undefined),
  isOutside: true,
  asksSource: true,
  tool: {
    issues: toolIssues,
    arguments: {
      schema: openParameters,
      merge: (given, chosen) => ({ ...given, parameters: { ...chosenParameters(given, chosen), ...given.parameters } }),
    },
  },
  async run({ config, credential, files, secrets, signal, idempotencyKey, reserve, log }) {
    const { connectorId = '', operation = '', parameters = {} } = config;
    const connected = connectorOf(connectorId);
    if (!connected) throw new NodeFailure('CONFIG', `There is no connector "${connectorId}".`, false);
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', `${connected.name} needs a credential.`, false);
    const { name, connectorId: owner } = credential.credential;
    if (owner !== connectorId) {
      throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of ${connected.name}.`, false);
    }
    return done(
      await callConnector({
        connector: connected,
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
