import type { ConnectorEvent, ConnectorOperationInfo, ConnectorResponse } from '@/contract/connectors/connector';
import type { EventParameters, SubscriptionRequest } from '@/contract/triggers/subscription';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { hasExpressionBraces } from '@/components/forms/model/field-schema';
import { EMPTY_POLL_DRAFT } from '../poll/poll-draft';
import { serviceEventTitle } from './event-title';

/** An event that a person has picked. */
export interface EventPreset {
  connectorId: string;
  /** The id of the event: of a poll, its operation. */
  event: string;
  mode: ConnectorEvent['mode'];
}

/** The settings of a trigger by an event. The account may be missing. */
export interface EventDraft extends EventPreset {
  parameters: Record<string, unknown>;
  credentialId: string | undefined;
  /** What picked values were called, by their parameters. */
  labels: Record<string, string> | undefined;
  startNodeId: string | null;
  /** How often a poll asks. */
  intervalMs: number;
}

/** What is saved: `operation` is that of a poll, `service` what people call the service. */
export interface SubmittedEvent {
  draft: EventDraft;
  operation: ConnectorOperationInfo | undefined;
  service: string;
}

export const createEventDraft = (preset: EventPreset, startNodeId: string | null): EventDraft => ({
  ...preset,
  parameters: {},
  credentialId: undefined,
  labels: undefined,
  startNodeId,
  intervalMs: EMPTY_POLL_DRAFT.seconds * 1000,
});

const findService = ({ services }: ConnectorResponse, { event, mode }: EventPreset) =>
  mode === 'poll'
    ? services.find(({ operationGroups }) => operationGroups.includes(event.split('.')[0] ?? ''))
    : undefined;

/** What people call the service of an event: Google Sheets, not Google. */
export const eventServiceName = (connector: ConnectorResponse, preset: EventPreset): string =>
  findService(connector, preset)?.name ?? connector.name;

/** The events beside one: those of the same service. */
export const listSiblingEvents = (connector: ConnectorResponse, preset: EventPreset): ConnectorEvent[] => {
  const service = findService(connector, preset);
  return connector.events.filter(
    ({ id, mode }) => findService(connector, { connectorId: connector.id, event: id, mode })?.id === service?.id,
  );
};

export const findEventOperation = (
  { operations }: ConnectorResponse,
  { event, mode }: EventPreset,
): ConnectorOperationInfo | undefined => (mode === 'poll' ? operations.find(({ id }) => id === event) : undefined);

/** Whether people choose a parameter of a poll: it is required, or picked, and the operation does not set it. */
function isAskedByPoll(schema: FieldSchema, name: string, preset: Readonly<Record<string, unknown>>): boolean {
  const isPicked = schema.properties?.[name]?.['x-choices'] !== undefined;
  if (Object.hasOwn(preset, name)) return isPicked && !hasExpressionBraces(preset[name]);
  return isPicked || schema.required?.includes(name) === true;
}

/** The parameters that people choose. What a poll sets by itself is left out. */
export function eventParameterSchema(
  event: ConnectorEvent,
  operation: ConnectorOperationInfo | undefined,
): FieldSchema {
  const schema = (event.parameters ?? {}) as FieldSchema;
  if (event.mode === 'subscription') return schema;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) =>
    isAskedByPoll(schema, name, operation?.poll?.parameters ?? {}),
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The first parameter that is required, picked from a list, and has no value. */
export const findOpenParameter = (schema: FieldSchema, values: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(schema.properties ?? {}).find(
    ([name, field]) => field['x-choices'] && schema.required?.includes(name) && (values[name] ?? '') === '',
  )?.[0];

/** The body of a subscription. `credentialId` null: its account is chosen later. */
export const subscriptionBody = (
  { connectorId, event, parameters, labels }: EventDraft,
  credentialId: string | null,
): SubscriptionRequest => ({
  connectorId,
  event,
  parameters: parameters as EventParameters,
  credentialId,
  labels,
});

/** The poll of an event. */
export function eventPollBody(draft: EventDraft, operation: ConnectorOperationInfo, service: string) {
  const { connectorId, event, parameters, credentialId, labels, startNodeId, intervalMs } = draft;
  const { title = operation.title, parameters: preset = {}, items = '', key = '', cursor } = operation.poll ?? {};
  const named = Object.entries(labels ?? {}).map(([name, label]) => [`parameters.${name}`, label] as const);
  return {
    name: serviceEventTitle(title, service),
    intervalMs,
    node: {
      type: 'connector',
      config: { connectorId, operation: event, parameters: { ...preset, ...parameters } },
      credentialId,
      ...(named.length > 0 && { labels: Object.fromEntries(named) }),
    },
    items,
    key,
    cursor,
    language: EMPTY_POLL_DRAFT.language,
    startNodeId,
  };
}

/**
 * One item of the example of an operation. The example is an answer of the service: the list stands in it where the
 * expression of the poll finds it, or is its only list, because lists over several pages are joined.
 */
export function exampleItem({ example, poll }: Pick<ConnectorOperationInfo, 'example' | 'poll'>): unknown {
  const path = /^input\.body((?:\.\w+)*)$/.exec(poll?.items ?? '')?.[1] ?? '';
  const names = path.split('.').filter(Boolean);
  const found = names.reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], example);
  if (Array.isArray(found)) return found[0] as unknown;
  const lists = Object.values(Object(found) as Record<string, unknown>).filter(Array.isArray);
  const [only] = lists;
  return lists.length === 1 && only ? (only[0] as unknown) : found;
}
