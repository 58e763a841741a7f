import { Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { Connector, ConnectorOperation } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import type { NodeType } from '@/contract/workflows/node-type';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import {
  pollPreset,
  WEBHOOK_SENDERS,
  type TriggerPreset,
  type WebhookSender,
} from '@/components/triggers/kinds/presets';
import { SenderIcon } from '@/components/ui/brands/SenderIcon';
import type { Choice } from '@/components/ui/choosing/Chooser';
import type { Pick } from './pick';

/** What a choice does: add a node, create a trigger, run a command of the editor, open a service, add one to the workspace, or go back. */
export type Target =
  | { pick: Pick }
  | { trigger: string; preset?: TriggerPreset }
  | { command: string }
  | { openId: string }
  | { service: DirectoryService }
  | 'back';
export type Offer = Choice & { target: Target };

/** A service with its operations: a connector, or one of several services of a provider. */
interface Service {
  id: string;
  connector: Connector;
  name: string;
  description: string;
  synonyms: string[];
  icon: string;
  operations: ConnectorOperation[];
  /** The provider whose signed calls start workflows. */
  sender: WebhookSender | undefined;
}

function servicesOf(connector: Connector): Service[] {
  const { id, services, operations } = connector;
  const sender = WEBHOOK_SENDERS.find((one) => one.id === id);
  if (services.length === 0) return [{ ...connector, connector, sender }];
  const own = services.map((service) => ({
    ...service,
    id: `${id}/${service.id}`,
    connector,
    operations: operations.filter((operation) => operation.id.startsWith(`${service.id}.`)),
    sender: undefined,
  }));
  const others = operations.filter((operation) => !own.some((service) => service.operations.includes(operation)));
  return [...own, { ...connector, connector, operations: others, sender }];
}

const drawn = (kind: NodeType, icon: string) => <NodeIcon kind={{ ...kind, icon }} size={28} />;

/** The operations of one service. `isHidden`: found by search only. */
function operationOffers(kind: NodeType, service: Service, isHidden: boolean): Offer[] {
  const { connector, name, icon } = service;
  const operations = service.operations.filter(({ isRemoved }) => !isRemoved);
  return operations.map((operation) => ({
    id: `${connector.id}/${operation.id}`,
    group: name,
    title: operation.title,
    description: isHidden ? name : operation.description || undefined,
    words: [name, operation.id, ...(operation.group ? [operation.group] : [])],
    icon: drawn(kind, icon),
    isHidden,
    target: {
      pick: { kind, config: { connectorId: connector.id, operation: operation.id }, name: operation.title },
    },
  }));
}

/** What starts a workflow from a service: polls of its operations, and a webhook that takes its calls. */
function triggerOffers(
  kind: NodeType,
  { connector, name, icon, operations, sender }: Service,
  isHidden: boolean,
): Offer[] {
  const polls = operations.flatMap((operation): Offer[] => {
    const preset = pollPreset(connector, operation, name);
    if (!preset || !operation.poll) return [];
    const { title, words = '' } = operation.poll;
    return [
      {
        id: `poll:${connector.id}/${operation.id}`,
        group: isHidden ? 'Triggers' : `Triggers of ${name}`,
        title: `${name}: ${title.toLowerCase()}`,
        description: 'A poll asks for new items.',
        words: [`${name} trigger`, words],
        icon: drawn(kind, icon),
        isHidden,
        target: { trigger: 'poll', preset },
      },
    ];
  });
  return [...(sender ? [senderOffer(sender, isHidden ? 'Triggers' : `Triggers of ${name}`, isHidden)] : []), ...polls];
}

const senderOffer = ({ id, label, preset }: WebhookSender, group: string, isHidden: boolean): Offer => ({
  id: `webhook:${id}`,
  group,
  title: `${label}: webhook`,
  description: 'Starts the workflow when the service calls its URL.',
  words: [`${label} trigger`, 'webhook event signature'],
  icon: <SenderIcon service={id} size={26} />,
  isHidden,
  target: { trigger: 'webhook', preset },
});

/** The services of the directory that the workspace has not added yet: found by search only. */
export const directoryOffers = (kind: NodeType, services: readonly DirectoryService[]): Offer[] =>
  services
    .filter(({ connectorId }) => connectorId === null)
    .map((service) => ({
      id: `service:${service.id}`,
      group: 'Directory',
      title: service.name,
      description: 'Add from the directory',
      words: service.keywords,
      icon: drawn(kind, service.icon),
      isHidden: true,
      isLast: true,
      target: { service },
    }));

/** The services with all their operations and triggers for the search; or those of the opened service. */
export function serviceOffers(kind: NodeType, connectors: readonly Connector[], openId: string | undefined): Offer[] {
  const services = connectors.flatMap(servicesOf);
  const open = services.find(({ id }) => id === openId);
  if (open) {
    const back: Offer = {
      id: 'back',
      group: open.name,
      title: 'All nodes',
      icon: <IconArrowLeft size={18} aria-hidden />,
      target: 'back',
    };
    return [back, ...operationOffers(kind, open, false), ...triggerOffers(kind, open, false)];
  }
  const entries = services
    .filter(({ connector, id }) => connector.services.length === 0 || id !== connector.id)
    .map((service): Offer => ({
      id: service.id,
      group: 'Services',
      title: service.name,
      description: service.description,
      words: service.synonyms,
      icon: drawn(kind, service.icon),
      aside: (
        <Text span size="xs" c="dimmed">
          {service.operations.length} ›
        </Text>
      ),
      target: { openId: service.id },
    }));
  const known = new Set(services.flatMap(({ sender }) => sender?.id ?? []));
  const others = WEBHOOK_SENDERS.filter(({ id }) => !known.has(id)).map((one) => senderOffer(one, 'Triggers', true));
  return [
    ...entries,
    ...services.flatMap((service) => operationOffers(kind, service, true)),
    ...services.flatMap((service) => triggerOffers(kind, service, true)),
    ...others,
  ];
}
