import { Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ConnectorEvent, ConnectorOperationInfo, ConnectorResponse } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { serviceEventTitle } from '@/components/triggers/event/event-title';
import { WEBHOOK_SENDERS, type TriggerPreset, type WebhookSender } from '@/components/triggers/kinds/presets';
import { WebhookSenderIcon } from '@/components/ui/brands/WebhookSenderIcon';
import type { ComboboxChoice } from '@/components/ui/choosing/SearchCombobox';
import type { PalettePick } from './palette-pick';

/**
 * The effect of an offer: it adds a node, creates a trigger, runs a command of the editor, opens a service, adds one to
 * the workspace, or goes back.
 */
export type OfferTarget =
  | { pick: PalettePick }
  | { trigger: string; preset?: TriggerPreset }
  | { command: string }
  | { openId: string }
  | { service: DirectoryService }
  | 'back';
export type PaletteOffer = ComboboxChoice & { target: OfferTarget };

/** A service with its operations: a connector, or one of several services of a provider. */
interface OfferedService {
  id: string;
  connector: ConnectorResponse;
  name: string;
  description: string;
  synonyms: string[];
  icon: string;
  operations: ConnectorOperationInfo[];
  /** Those that the provider reports. */
  events: ConnectorEvent[];
  /** The provider whose signed calls start workflows. */
  sender: WebhookSender | undefined;
}

function splitIntoServices(connector: ConnectorResponse): OfferedService[] {
  const { id, services, operations } = connector;
  const sender = WEBHOOK_SENDERS.find((one) => one.id === id);
  const events = connector.events.filter(({ mode }) => mode === 'subscription');
  if (services.length === 0) return [{ ...connector, connector, events, sender }];
  const own = services.map((service) => ({
    ...service,
    id: `${id}/${service.id}`,
    connector,
    operations: operations.filter(({ id: operation }) =>
      service.operationGroups.includes(operation.split('.')[0] ?? ''),
    ),
    events: [],
    sender: undefined,
  }));
  const others = operations.filter((operation) => !own.some((service) => service.operations.includes(operation)));
  return [...own, { ...connector, connector, operations: others, events, sender }];
}

const serviceIcon = (kind: NodeTypeDescription, icon: string) => <NodeIcon kind={{ ...kind, icon }} size={28} />;

/** The operations of one service. `isHidden`: found by search only. */
function listOperationOffers(kind: NodeTypeDescription, service: OfferedService, isHidden: boolean): PaletteOffer[] {
  const { connector, name, icon } = service;
  const operations = service.operations.filter(({ isRemoved }) => !isRemoved);
  return operations.map((operation) => ({
    id: `${connector.id}/${operation.id}`,
    group: name,
    title: operation.title,
    description: isHidden ? name : operation.description || undefined,
    words: [name, operation.id, ...(operation.group ? [operation.group] : [])],
    icon: serviceIcon(kind, icon),
    isHidden,
    target: {
      pick: { nodeType: kind, config: { connectorId: connector.id, operation: operation.id }, name: operation.title },
    },
  }));
}

/** The triggers of a service: events that it reports, polls of its operations, and a webhook that is made by hand. */
function listTriggerOffers(
  kind: NodeTypeDescription,
  { connector, name, icon, operations, events, sender }: OfferedService,
  isHidden: boolean,
): PaletteOffer[] {
  const polls = operations.flatMap((operation): PaletteOffer[] => {
    if (!operation.poll) return [];
    const preset: TriggerPreset = { event: { connectorId: connector.id, event: operation.id, mode: 'poll' } };
    const { title, words = '' } = operation.poll;
    return [
      {
        id: `poll:${connector.id}/${operation.id}`,
        group: isHidden ? 'Triggers' : `Triggers of ${name}`,
        title: serviceEventTitle(title, name),
        description: 'A poll asks for new items.',
        words: [`${name} trigger`, words],
        icon: serviceIcon(kind, icon),
        isHidden,
        target: { trigger: 'poll', preset },
      },
    ];
  });
  const group = isHidden ? 'Triggers' : `Triggers of ${name}`;
  return [
    ...events.map((event) => subscriptionOffer(kind, { connector, name, icon }, event, { group, isHidden })),
    ...polls,
    ...(sender ? [webhookSenderOffer(sender, group, isHidden)] : []),
  ];
}

/** An event for which the service makes the webhook at the provider. */
function subscriptionOffer(
  kind: NodeTypeDescription,
  { connector, name, icon }: Pick<OfferedService, 'connector' | 'name' | 'icon'>,
  { id, title, words = '' }: ConnectorEvent,
  place: { group: string; isHidden: boolean },
): PaletteOffer {
  return {
    id: `subscription:${connector.id}/${id}`,
    ...place,
    title: serviceEventTitle(title, name),
    description: `${name} reports it at once.`,
    words: [`${name} trigger`, words],
    icon: serviceIcon(kind, icon),
    target: { trigger: 'webhook', preset: { event: { connectorId: connector.id, event: id, mode: 'subscription' } } },
  };
}

const webhookSenderOffer = ({ id, label, preset }: WebhookSender, group: string, isHidden: boolean): PaletteOffer => ({
  id: `webhook:${id}`,
  group,
  title: `${label}: webhook`,
  description: 'Starts the workflow when the service calls its URL.',
  words: [`${label} trigger`, 'webhook event signature'],
  icon: <WebhookSenderIcon service={id} size={26} />,
  isHidden,
  target: { trigger: 'webhook', preset },
});

/** The services of the directory that the workspace has not added yet: found by search only. */
export const listDirectoryOffers = (kind: NodeTypeDescription, services: readonly DirectoryService[]): PaletteOffer[] =>
  services
    .filter(({ connectorId }) => connectorId === null)
    .map((service) => ({
      id: `service:${service.id}`,
      group: 'Directory',
      title: service.name,
      description: 'Add from the directory',
      words: service.keywords,
      icon: serviceIcon(kind, service.icon),
      isHidden: true,
      isLast: true,
      target: { service },
    }));

/** The services with all their operations and triggers for the search; or those of the opened service. */
export function listServiceOffers(
  kind: NodeTypeDescription,
  connectors: readonly ConnectorResponse[],
  openId: string | undefined,
): PaletteOffer[] {
  const services = connectors.flatMap(splitIntoServices);
  const open = services.find(({ id }) => id === openId);
  if (open) {
    const back: PaletteOffer = {
      id: 'back',
      group: open.name,
      title: 'All nodes',
      icon: <IconArrowLeft size={18} aria-hidden />,
      target: 'back',
    };
    return [back, ...listOperationOffers(kind, open, false), ...listTriggerOffers(kind, open, false)];
  }
  const entries = services
    .filter(({ connector, id }) => connector.services.length === 0 || id !== connector.id)
    .map((service): PaletteOffer => ({
      id: service.id,
      group: 'Services',
      title: service.name,
      description: service.description,
      words: service.synonyms,
      icon: serviceIcon(kind, service.icon),
      aside: (
        <Text span size="xs" c="dimmed">
          {service.operations.length} ›
        </Text>
      ),
      target: { openId: service.id },
    }));
  const known = new Set(services.flatMap(({ sender }) => sender?.id ?? []));
  const others = WEBHOOK_SENDERS.filter(({ id }) => !known.has(id)).map((one) =>
    webhookSenderOffer(one, 'Triggers', true),
  );
  return [
    ...entries,
    ...services.flatMap((service) => listOperationOffers(kind, service, true)),
    ...services.flatMap((service) => listTriggerOffers(kind, service, true)),
    ...others,
  ];
}
