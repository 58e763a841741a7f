import { ThemeIcon } from '@mantine/core';
import { IconAlertOctagon, IconNote, type Icon } from '@tabler/icons-react';
import type { NodeCategory, NodeTypeDescription } from '@/contract/workflows/node-type';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { TRIGGER_KINDS } from '@/components/triggers/kinds';
import type { PaletteOffer } from './service-offers';

/** The groups of node types, in the order of the palette. */
const NODE_GROUP_TITLES: Record<NodeCategory, string> = {
  action: 'Actions',
  ai: 'AI',
  human: 'People',
  logic: 'Logic',
  data: 'Data',
  trigger: 'Start',
};

export const listNodeOffers = (types: readonly NodeTypeDescription[]): PaletteOffer[] =>
  Object.entries(NODE_GROUP_TITLES).flatMap(([category, group]) =>
    types
      .filter((kind) => kind.category === category)
      .map((kind): PaletteOffer => ({
        id: `node:${kind.type}`,
        group,
        title: kind.title,
        description: kind.description,
        words: [kind.type, ...kind.synonyms],
        icon: <NodeIcon kind={kind} size={28} />,
        target: { pick: { nodeType: kind } },
      })),
  );

/** The node types that can do what no other node does. */
const GENERAL_NODE_TYPES = ['http_request', 'code'];

/** The ids of the offers of these nodes. */
export const generalOfferIds = (offers: readonly PaletteOffer[]): string[] =>
  offers
    .filter(
      ({ target }) =>
        typeof target === 'object' && 'pick' in target && GENERAL_NODE_TYPES.includes(target.pick.nodeType.type),
    )
    .map(({ id }) => id);

const roundOfferIcon = (Drawing: Icon, color: string) => (
  <ThemeIcon variant="light" color={color} radius="xl" size={28}>
    <Drawing size={16} aria-hidden />
  </ThemeIcon>
);

/** The triggers that can be created. */
export const TRIGGER_OFFERS: readonly PaletteOffer[] = TRIGGER_KINDS.flatMap(
  ({ kind, label, icon, offer }): PaletteOffer[] =>
    offer
      ? [
          {
            id: `trigger:${kind}`,
            group: 'Triggers',
            title: label,
            description: offer.description,
            words: offer.synonyms,
            icon: roundOfferIcon(icon, 'verdigris'),
            target: { trigger: kind },
          },
        ]
      : [],
);

/** Offers that people look for in the palette although they are no nodes. */
export const EDITOR_OFFERS: readonly PaletteOffer[] = [
  {
    id: 'do:note',
    group: 'More',
    title: 'Note',
    description: 'A text on the canvas that explains the workflow.',
    words: ['sticky note', 'sticky', 'comment', 'text box', 'documentation', 'annotation'],
    icon: roundOfferIcon(IconNote, 'weld'),
    target: { command: 'note' },
  },
  {
    id: 'do:settings',
    group: 'More',
    title: 'Error workflow',
    description: 'Another workflow that starts when a run of this one fails.',
    words: ['error trigger', 'on error', 'catch errors', 'try catch', 'exception', 'failure', 'workflow settings'],
    icon: roundOfferIcon(IconAlertOctagon, 'madder'),
    target: { command: 'settings' },
  },
];
