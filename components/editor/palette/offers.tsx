import { ThemeIcon } from '@mantine/core';
import { IconAlertOctagon, IconNote, type Icon } from '@tabler/icons-react';
import type { NodeCategory, NodeType } from '@/contract/workflows/node-type';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { TRIGGER_KINDS } from '@/components/triggers/kinds';
import type { Offer } from './service-offers';

/** The groups of node types, in the order of the palette. */
const GROUPS: Record<NodeCategory, string> = {
  action: 'Actions',
  ai: 'AI',
  human: 'People',
  logic: 'Logic',
  data: 'Data',
  trigger: 'Start',
};

export const nodeOffers = (types: readonly NodeType[]): Offer[] =>
  Object.entries(GROUPS).flatMap(([category, group]) =>
    types
      .filter((kind) => kind.category === category)
      .map((kind): Offer => ({
        id: `node:${kind.type}`,
        group,
        title: kind.title,
        description: kind.description,
        words: [kind.type, ...kind.synonyms],
        icon: <NodeIcon kind={kind} size={28} />,
        target: { pick: { kind } },
      })),
  );

/** The nodes that can do what no other does. */
const GENERAL = ['http_request', 'code'];

/** The ids of the offers of these nodes. */
export const generalOf = (offers: readonly Offer[]): string[] =>
  offers
    .filter(({ target }) => typeof target === 'object' && 'pick' in target && GENERAL.includes(target.pick.kind.type))
    .map(({ id }) => id);

const round = (Drawing: Icon, color: string) => (
  <ThemeIcon variant="light" color={color} radius="xl" size={28}>
    <Drawing size={16} aria-hidden />
  </ThemeIcon>
);

/** The triggers that can be created. */
export const TRIGGERS: readonly Offer[] = TRIGGER_KINDS.flatMap(({ kind, label, icon, offer }): Offer[] =>
  offer
    ? [
        {
          id: `trigger:${kind}`,
          group: 'Triggers',
          title: label,
          description: offer.description,
          words: offer.synonyms,
          icon: round(icon, 'verdigris'),
          target: { trigger: kind },
        },
      ]
    : [],
);

/** What people look for in the palette although it is no node. */
export const ACTIONS: readonly Offer[] = [
  {
    id: 'do:note',
    group: 'More',
    title: 'Note',
    description: 'A text on the canvas that explains the workflow.',
    words: ['sticky note', 'sticky', 'comment', 'text box', 'documentation', 'annotation'],
    icon: round(IconNote, 'weld'),
    target: { command: 'note' },
  },
  {
    id: 'do:settings',
    group: 'More',
    title: 'Error workflow',
    description: 'Another workflow that starts when a run of this one fails.',
    words: ['error trigger', 'on error', 'catch errors', 'try catch', 'exception', 'failure', 'workflow settings'],
    icon: round(IconAlertOctagon, 'madder'),
    target: { command: 'settings' },
  },
];
