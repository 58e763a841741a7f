import { z } from 'zod';
import type { ConnectorDefinition } from './connector';
import { operationParameters, type OperationDefinition, type PollPreset } from './operation';
import { findCustomOperation } from './custom/store';
import { choiceParameter, valueLineParameter } from './parameters';

const REQUEST_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The call that every connector has, for endpoints without an operation. */
export const REQUEST_OPERATION_ID = 'request';

/** The parameters of `request`. */
export const requestParameterSchema = ({ apis }: ConnectorDefinition) =>
  z.strictObject({
    method: choiceParameter('Method', REQUEST_METHODS).default('GET'),
    path: valueLineParameter('Path, from the API’s base address', 'place', 8000),
    query: z.record(z.string(), z.unknown()).optional().meta({ title: 'Query' }),
    headers: z.record(z.string(), z.string()).optional().meta({ title: 'Headers' }),
    body: z.unknown().optional().meta({ title: 'Body' }),
    ...(apis ? { api: choiceParameter('API', Object.keys(apis) as [string, ...string[]]).optional() } : {}),
  });

export const findBuiltInOperation = (connector: ConnectorDefinition, id: string): OperationDefinition | undefined =>
  connector.operations.find((operation) => operation.id === id);

/** An operation of any connector; one of a connector of a workspace is read from the database. */
export async function findConnectorOperation(
  connector: ConnectorDefinition,
  id: string,
): Promise<OperationDefinition | undefined> {
  return connector.custom ? findCustomOperation(connector, id) : findBuiltInOperation(connector, id);
}

/** The schema of an operation's parameters, `request` included; undefined for an unknown operation. */
export function operationParameterSchema(connector: ConnectorDefinition, id: string): z.ZodObject | undefined {
  if (id === REQUEST_OPERATION_ID) return requestParameterSchema(connector);
  const operation = findBuiltInOperation(connector, id);
  return operation && operationParameters(operation);
}

// Values of files have no schema of their own.
const toParameterJsonSchema = (schema: z.ZodObject) =>
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

/** An event as callers see it. */
export interface DescribedEvent {
  id: string;
  title: string;
  words?: string;
  parameters: Record<string, unknown>;
  example?: unknown;
  mode: 'subscription' | 'poll';
}

const describedEvents = new WeakMap<ConnectorDefinition, DescribedEvent[]>();

/**
 * The events of a connector: those of its subscriptions, then the operations by which a poll finds what is new. The
 * result is kept, as that of the operations is.
 */
export function describeEvents(connector: ConnectorDefinition): DescribedEvent[] {
  const known = describedEvents.get(connector);
  if (known) return known;
  const made = buildEventDescriptions(connector);
  describedEvents.set(connector, made);
  return made;
}

const buildEventDescriptions = (connector: ConnectorDefinition): DescribedEvent[] => [
  ...(connector.subscriptions?.events ?? []).map(({ parameters, ...event }) => ({
    ...event,
    parameters: toParameterJsonSchema(z.strictObject(parameters)),
    mode: 'subscription' as const,
  })),
  ...describeOperations(connector).flatMap(({ id, poll, parameters, example }) =>
    poll
      ? [
          {
            id,
            title: poll.title,
            ...(poll.words && { words: poll.words }),
            parameters,
            example,
            mode: 'poll' as const,
          },
        ]
      : [],
  ),
];

const describedOperations = new WeakMap<ConnectorDefinition, DescribedOperation[]>();

/**
 * Describes every operation with the JSON Schema of its parameters. The result is kept, because it takes a millisecond
 * for each connector.
 */
export function describeOperations(connector: ConnectorDefinition): DescribedOperation[] {
  const known = describedOperations.get(connector);
  if (known) return known;
  const made = buildOperationDescriptions(connector);
  describedOperations.set(connector, made);
  return made;
}

const buildOperationDescriptions = (connector: ConnectorDefinition): DescribedOperation[] => [
  ...connector.operations.map((operation) => ({
    id: operation.id,
    title: operation.title,
    description: operation.help ?? '',
    limits: operation.limits ?? null,
    parameters: toParameterJsonSchema(operationParameters(operation)),
    ...(operation.example === undefined ? {} : { example: operation.example }),
    poll: operation.poll ?? null,
  })),
  describeRequestOperation(connector),
];

/** Describes the call of any address, which every connector has. */
export const describeRequestOperation = (connector: ConnectorDefinition): DescribedOperation => ({
  id: REQUEST_OPERATION_ID,
  title: 'Any other call',
  description: 'Calls any address of the API.',
  limits: null,
  parameters: toParameterJsonSchema(requestParameterSchema(connector)),
  poll: null,
});
