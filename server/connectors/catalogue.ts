import { z } from 'zod';
import { choice, everything, flag, word, type Connector, type ConnectorOperation } from './connector';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The call that every connector has, for endpoints without an operation. */
export const REQUEST = 'request';

/** The parameters of `request`. */
export const requestParameters = ({ apis }: Connector) =>
  z.strictObject({
    method: choice('Method', METHODS).default('GET'),
    path: word('Path, from the API’s base address', 8000),
    query: z.record(z.string(), z.unknown()).optional().meta({ title: 'Query' }),
    headers: z.record(z.string(), z.string()).optional().meta({ title: 'Headers' }),
    body: z.unknown().optional().meta({ title: 'Body' }),
    ...(apis ? { api: choice('API', Object.keys(apis) as [string, ...string[]]).optional() } : {}),
  });

/** The parameters of an operation, of all parts of the request. */
export const parametersOf = ({ inPath, inQuery, inBody, paging, items }: ConnectorOperation) =>
  z.strictObject({
    ...inPath,
    ...inQuery,
    ...inBody,
    ...(paging && items !== undefined ? { [everything]: flag('All pages').optional() } : {}),
  });

export const operationOf = (connector: Connector, id: string): ConnectorOperation | undefined =>
  connector.operations.find((operation) => operation.id === id);

/** The schema of an operation's parameters, `request` included; undefined for an unknown operation. */
export function parameterSchema(connector: Connector, id: string): z.ZodObject | undefined {
  if (id === REQUEST) return requestParameters(connector);
  const operation = operationOf(connector, id);
  return operation && parametersOf(operation);
}

const jsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as Record<string, unknown>;

/** Every operation with the JSON Schema of its parameters. */
export const operationsOf = (
  connector: Connector,
): { id: string; title: string; parameters: Record<string, unknown> }[] => [
  ...connector.operations.map((operation) => ({
    id: operation.id,
    title: operation.title,
    parameters: jsonSchema(parametersOf(operation)),
  })),
  { id: REQUEST, title: 'Any other call', parameters: jsonSchema(requestParameters(connector)) },
];
