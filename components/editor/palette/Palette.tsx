import { Paper, ThemeIcon } from '@mantine/core';
import { useState } from 'react';
import type { NodeCategory, NodeType } from '@/contract/workflows/node-type';
import { NODE_TYPE_DRAG } from '@/components/canvas/events';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useConnectors } from '@/components/credentials/useConnectors';
import { TRIGGER_KINDS } from '@/components/triggers/kinds';
import type { TriggerPreset } from '@/components/triggers/kinds/presets';
import { Chooser } from '@/components/ui/choosing/Chooser';
import { writePick, type Pick } from './pick';
import { useMe } from '@/components/client/useMe';
import { keptFirst, readKept, storeKept, toggled, used, type Kept } from './kept';
import { serviceOffers, type Offer } from './service-offers';

const GROUPS: Record<NodeCategory, string> = {
  action: 'Actions',
  logic: 'Logic',
  data: 'Data',
  human: 'People',
  trigger: 'Start',
};

interface Props {
  types: NodeType[];
  onPick(pick: Pick): void;
  /** A kind of trigger was chosen: it is no node. */
  onTrigger(kind: string, preset?: TriggerPreset): void;
  onClose(): void;
}

const offerOf = (kind: NodeType, group: string): Offer => ({
  id: `node:${kind.type}`,
  group,
  title: kind.title,
  description: kind.description,
  words: [kind.type, ...kind.synonyms],
  icon: <NodeIcon kind={kind} size={32} />,
  target: { pick: { kind } },
});

/** The nodes that can do what no other does. */
const GENERAL = ['http_request', 'code'];
const isGeneral = ({ target }: Offer) =>
  typeof target === 'object' && 'pick' in target && GENERAL.includes(target.pick.kind.type);

/** The triggers that can be created. */
const TRIGGERS = TRIGGER_KINDS.flatMap(({ kind, label, icon: Icon, offer }): Offer[] =>
  offer
    ? [
        {
          id: `trigger:${kind}`,
          group: 'Triggers',
          title: label,
          description: offer.description,
          words: offer.words.split(' '),
          icon: (
            <ThemeIcon variant="light" color="verdigris" radius="xl" size={32}>
              <Icon size={18} aria-hidden />
            </ThemeIcon>
          ),
          target: { trigger: kind },
        },
      ]
    : [],
);

/** The palette: node types, triggers and the operations of services, to search, choose by keyboard, or drag to the canvas. */
export function Palette({ types, onPick, onTrigger, onClose }: Props) {
  const connectors = useConnectors().data?.data ?? [];
  const [openId, setOpenId] = useState<string>();
  const { me } = useMe();
  const userId = me?.user.id ?? '';
  const [kept, setKept] = useState(() => readKept(userId));
  const keep = (next: Kept) => {
    setKept(next);
    storeKept(userId, next);
  };
  const kinds = Object.entries(GROUPS).flatMap(([category, label]) =>
    types.filter((kind) => kind.category === category).map((kind) => offerOf(kind, label)),
  );
  const connector = types.find(({ type }) => type === 'connector');
  const services = connector ? serviceOffers(connector, connectors, openId) : [];
  const offers = openId === undefined ? keptFirst([...kinds, ...TRIGGERS, ...services], kept) : services;
  const targetOf = (id: string) => offers.find((offer) => offer.id === id)?.target;
  const pick = (id: string) => {
    const target = targetOf(id);
    if (target === undefined) return;
    if (target === 'back') return setOpenId(undefined);
    if ('trigger' in target) return onTrigger(target.trigger, target.preset);
    if ('openId' in target) return setOpenId(target.openId);
    keep(used(kept, id));
    onPick(target.pick);
  };
  return (
    <Paper
      shadow="lg"
      withBorder
      p={8}
      w={340}
      maw="calc(100vw - 32px)"
      className="nowheel nopan"
      role="dialog"
      aria-label="Add a node"
    >
      <Chooser
        key={openId ?? ''}
        label="Search nodes"
        placeholder={openId === undefined ? 'Search nodes and services' : 'Search this service'}
        // Index 0 is the way back.
        startAt={openId === undefined ? 0 : 1}
        choices={offers}
        stars={{
          ids: kept.favourites,
          isPossible: (id) => id !== 'back',
          onToggle: (id) => keep(toggled(kept, id)),
        }}
        fallback={{ ids: offers.filter(isGeneral).map(({ id }) => id), hint: 'Any API can be called with:' }}
        onClose={openId === undefined ? onClose : () => setOpenId(undefined)}
        onPick={pick}
        onDragStart={(event, id) => {
          const target = targetOf(id);
          if (typeof target !== 'object' || !('pick' in target)) return event.preventDefault();
          event.dataTransfer.setData(NODE_TYPE_DRAG, writePick(target.pick));
          event.dataTransfer.effectAllowed = 'copy';
        }}
      />
    </Paper>
  );
}
