import { Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { Connector } from '@/contract/connector';
import type { NodeType } from '@/contract/workflows/node-type';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import type { Choice } from '@/components/ui/choosing/Chooser';
import type { Pick } from './pick';

/** What a choice does: add a node, create a trigger, run a command of the editor, open a service, or go back. */
export type Target = { pick: Pick } | { trigger: string } | { command: string } | { openId: string } | 'back';
export type Offer = Choice & { target: Target };

const drawn = (kind: NodeType, { icon }: Connector) => <NodeIcon kind={{ ...kind, icon }} size={28} />;

/** The operations of one service. `isHidden`: found by search only. */
function operationsOf(kind: NodeType, connector: Connector, isHidden: boolean): Offer[] {
  const { id, name, operations } = connector;
  return operations.map((operation) => ({
    id: `${id}/${operation.id}`,
    group: name,
    title: operation.title,
    description: isHidden ? name : undefined,
    words: [name, operation.id],
    icon: drawn(kind, connector),
    isHidden,
    target: { pick: { kind, config: { connectorId: id, operation: operation.id }, name: operation.title } },
  }));
}

/** The services with all their operations for the search; or the operations of the opened service. */
export function serviceOffers(kind: NodeType, connectors: readonly Connector[], openId: string | undefined): Offer[] {
  const open = connectors.find(({ id }) => id === openId);
  if (open) {
    const back: Offer = {
      id: 'back',
      group: open.name,
      title: 'All nodes',
      icon: <IconArrowLeft size={18} aria-hidden />,
      target: 'back',
    };
    return [back, ...operationsOf(kind, open, false)];
  }
  const entries = connectors.map((connector): Offer => ({
    id: connector.id,
    group: 'Services',
    title: connector.name,
    description: connector.description,
    words: connector.synonyms,
    icon: drawn(kind, connector),
    aside: (
      <Text span size="xs" c="dimmed">
        {connector.operations.length} ›
      </Text>
    ),
    target: { openId: connector.id },
  }));
  return [...entries, ...connectors.flatMap((connector) => operationsOf(kind, connector, true))];
}
