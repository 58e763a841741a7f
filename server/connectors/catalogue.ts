import { z } from 'zod';
import type { Connector } from './connector';
import { parametersOf, type ConnectorOperation, type PollPreset } from './operation';
import { findCustomOperation } from './custom/store';
import { choice, word } from './parameters';

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

export const operationOf = (connector: Connector, id: string): ConnectorOperation | undefined =>
  connector.operations.find((operation) => operation.id === id);

/** An operation of any connector; one of a connector of a workspace is read from the database. */
export async function findOperation(connector: Connector, id: string): Promise<ConnectorOperation | undefined> {
  return connector.custom ? findCustomOperation(connector, id) : operationOf(connector, id);
}

/** The schema of an operation's parameters, `request` included; undefined for an unknown operation. */
export function parameterSchema(connector: Connector, id: string): z.ZodObject | undefined {
  if (id === REQUEST) return requestParameters(connector);
  const operation = operationOf(connector, id);
  return operation && parametersOf(operation);
}

// Values of files have no schema of their own.
const jsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;

/** An operation as callers see it. */
export interface DescribedOperation {
  id: string;
  title: string;
  description: string;
  limits: string | null;
  parameters: Record<string, unknown>;
  example?: unknown;
  poll: PollPreset | null;
}

const described = new WeakMap<Connector, DescribedOperation[]>();

/** Every operation with the JSON Schema of its parameters. Made once: it takes a millisecond for each connector. */
export function operationsOf(connector: Connector): DescribedOperation[] {
  const known = described.get(connector);
  if (known) return known;
  const made = describe(connector);
  described.set(connector, made);
  return made;
}

const describe = (connector: Connector): DescribedOperation[] => [
  ...connector.operations.map((operation) => ({
    id: operation.id,
    title: operation.title,
    description: operation.help ?? '',
    limits: operation.limits ?? null,
    parameters: jsonSchema(parametersOf(operation)),
    ...(operation.example === undefined ? {} : { example: operation.example }),
    poll: operation.poll ?? null,
  })),
  requestOperation(connector),
];

/** The call of any address of a connector. */
export const requestOperation = (connector: Connector): DescribedOperation => ({
  id: REQUEST,
  title: 'Any other call',
  description: 'Calls any address of the API.',
  limits: null,
  parameters: jsonSchema(requestParameters(connector)),
  poll: null,
});
