import type { ConnectorResponse, ConnectorOperationInfo } from '@/contract/connectors/connector';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { FieldSchema } from '../model/field-schema';

type ConnectorNodeConfig = WorkflowNode['config'];

/** The operation that a config names. */
export const findOperation = (
  connectors: readonly ConnectorResponse[],
  { connectorId, operation }: ConnectorNodeConfig,
) => connectors.find(({ id }) => id === connectorId)?.operations.find(({ id }) => id === operation);

/** The form schema of a node with the fields of the chosen operation in place of plain JSON. */
export function addParameterFields(
  schema: FieldSchema,
  config: ConnectorNodeConfig,
  connectors: ConnectorResponse[],
): FieldSchema {
  const operation = findOperation(connectors, config);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, FieldSchema] => {
    if (!operation) return [name, field];
    if (field['x-editor'] === 'connector-operation')
      return [name, { ...field, description: operationDescription(operation) }];
    if (field['x-editor'] !== 'connector-parameters' || !operation.parameters) return [name, field];
    const parameters = operation.parameters as FieldSchema;
    return [name, { ...parameters, title: field.title }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

const operationDescription = ({
  description,
  limits,
  isRemoved,
  isDeprecated,
}: ConnectorOperationInfo): string | undefined =>
  [
    isRemoved && 'The document of the connector no longer has this operation.',
    isDeprecated && 'The API has marked this operation as deprecated.',
    description,
    limits && `Limits: ${limits}`,
  ]
    .filter(Boolean)
    .join(' ') || undefined;

/**
 * The config after another connector, operation or workflow was chosen: without parameters and a start node that it
 * does not have.
 */
export function dropStaleParameters(
  config: ConnectorNodeConfig,
  changed: string,
  connectors: ConnectorResponse[],
): ConnectorNodeConfig {
  if (changed === 'connectorId') {
    const { operation: _, parameters: __, ...others } = config;
    return others;
  }
  if (changed === 'workflowId') {
    const { startNodeId: _, ...others } = config;
    return others;
  }
  const { parameters, ...others } = config;
  const operation = findOperation(connectors, config);
  if (changed !== 'operation' || !operation?.parameters || typeof parameters !== 'object' || parameters === null)
    return config;
  const known = (operation.parameters as FieldSchema).properties ?? {};
  const remaining = Object.entries(parameters).filter(([name]) => Object.hasOwn(known, name));
  return remaining.length ? { ...others, parameters: Object.fromEntries(remaining) } : others;
}
