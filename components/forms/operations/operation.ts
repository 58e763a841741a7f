import type { Connector, ConnectorOperation } from '@/contract/connectors/connector';
import type { Node } from '@/contract/workflows/workflow';
import type { Schema } from '../model/schema';

type Config = Node['config'];

/** The operation that a config names. */
export const operationIn = (connectors: readonly Connector[], { connectorId, operation }: Config) =>
  connectors.find(({ id }) => id === connectorId)?.operations.find(({ id }) => id === operation);

/** The form schema of a node with the fields of the chosen operation in place of plain JSON. */
export function withParameters(schema: Schema, config: Config, connectors: Connector[]): Schema {
  const operation = operationIn(connectors, config);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Schema] => {
    if (!operation) return [name, field];
    if (field['x-editor'] === 'connector-operation') return [name, { ...field, description: explained(operation) }];
    if (field['x-editor'] !== 'connector-parameters' || !operation.parameters) return [name, field];
    const parameters = operation.parameters as Schema;
    return [name, { ...parameters, title: field.title }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

const explained = ({ description, limits, isRemoved, isDeprecated }: ConnectorOperation): string | undefined =>
  [
    isRemoved && 'The document of the connector no longer has this operation.',
    isDeprecated && 'The API has marked this operation as deprecated.',
    description,
    limits && `Limits: ${limits}`,
  ]
    .filter(Boolean)
    .join(' ') || undefined;

/** The config after another connector or operation was chosen: without parameters that it does not have. */
export function fittingConfig(config: Config, changed: string, connectors: Connector[]): Config {
  if (changed === 'connectorId') {
    const { operation: _, parameters: __, ...others } = config;
    return others;
  }
  const { parameters, ...others } = config;
  const operation = operationIn(connectors, config);
  if (changed !== 'operation' || !operation?.parameters || typeof parameters !== 'object' || parameters === null)
    return config;
  const known = (operation.parameters as Schema).properties ?? {};
  const remaining = Object.entries(parameters).filter(([name]) => Object.hasOwn(known, name));
  return remaining.length ? { ...others, parameters: Object.fromEntries(remaining) } : others;
}
