import { Paper } from '@mantine/core';
import { useRef, useState } from 'react';
import type { DirectoryService } from '@/contract/connectors/directory';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { NODE_TYPE_DRAG } from '@/components/canvas/events';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useConnectors, useServiceDirectory } from '@/components/client/queries/useConnectors';
import type { TriggerPreset } from '@/components/triggers/kinds/presets';
import { SearchCombobox } from '@/components/ui/choosing/SearchCombobox';
import { useDismissal } from '@/components/ui/useDismissal';
import type { EarlySearch } from './EarlyPaletteSearch';
import { startPickDrag, type PalettePick } from './palette-pick';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import {
  putRememberedFirst,
  readPaletteMemory,
  storePaletteMemory,
  toggleFavouriteOffer,
  addRecentOffer,
  type PaletteMemory,
} from './palette-memory';
import { EDITOR_OFFERS, generalOfferIds, listNodeOffers, TRIGGER_OFFERS } from './node-offers';
import { listDirectoryOffers, listServiceOffers, type OfferTarget } from './service-offers';
import { TOOL_NODE_TYPES } from '../node/agent/agent-tools';

const LazyAddService = lazyWithPreload(() =>
  import('@/components/connectors/directory/AddService').then((module) => module.AddService),
);

export interface NodePaletteProps {
  types: NodeTypeDescription[];
  /** The agent that a tool is chosen for. Absent: any node is. */
  agentTitle?: string | undefined;
  early: EarlySearch;
  /** `isByFinger`: the node was chosen by a finger. */
  onPick(pick: PalettePick, isByFinger: boolean): void;
  /** Called for a kind of trigger, which is not inserted as a node. */
  onTrigger(kind: string, preset?: TriggerPreset): void;
  /** A command of the editor was chosen, by its id. */
  onCommand(id: string): void;
  /** `isLeft`: the person went on elsewhere, so the focus stays where it is. */
  onClose(isLeft: boolean): void;
}

/** Whether services of the directory are searched, too. */
const isLongSearch = (search: string): boolean => search.trim().length > 1;

/** Whether an offer is a tool, or leads to some. */
const canBeTool = (target: OfferTarget): boolean =>
  target === 'back' ||
  'openId' in target ||
  'service' in target ||
  ('pick' in target && TOOL_NODE_TYPES.includes(target.pick.nodeType.type));

/**
 * The palette: node types, triggers and the operations of services, to search, choose by keyboard, or drag to the
 * canvas.
 */
export function NodePalette({ types, agentTitle, early, onPick, onTrigger, onCommand, onClose }: NodePaletteProps) {
  const connectors = useConnectors().data?.data ?? [];
  const [openId, setOpenId] = useState<string>();
  const [isSearching, setSearching] = useState(isLongSearch(early.text));
  const directory = useServiceDirectory(isSearching).data?.data ?? [];
  const [adding, setAdding] = useState<DirectoryService>();
  const { me } = useCurrentUser();
  const userId = me?.user.id ?? '';
  const [kept, setKept] = useState(() => readPaletteMemory(userId));
  const keep = (next: PaletteMemory) => {
    setKept(next);
    storePaletteMemory(userId, next);
  };
  const back = () => (openId === undefined ? onClose(false) : setOpenId(undefined));
  const element = useRef<HTMLDivElement>(null);
  useDismissal(element, {
    // The button toggles the palette.
    onPress: (target) => adding ?? target.closest('[data-opens="palette"]') ?? onClose(true),
    onEscape: () => adding ?? back(),
  });
  const connector = types.find(({ type }) => type === 'connector');
  const services = connector ? listServiceOffers(connector, connectors, openId) : [];
  const others = connector && openId === undefined ? listDirectoryOffers(connector, directory) : [];
  const isForAgent = agentTitle !== undefined;
  const all =
    openId === undefined
      ? putRememberedFirst(
          [...listNodeOffers(types), ...TRIGGER_OFFERS, ...services, ...EDITOR_OFFERS, ...others],
          kept,
        )
      : services;
  const offers = isForAgent ? all.filter(({ target }) => canBeTool(target)) : all;
  const targetOf = (id: string) => offers.find((offer) => offer.id === id)?.target;
  const pick = (id: string, isByFinger: boolean) => {
    const target = targetOf(id);
    if (target === undefined) return;
    if (target === 'back') return setOpenId(undefined);
    if ('trigger' in target) return onTrigger(target.trigger, target.preset);
    if ('command' in target) return onCommand(target.command);
    if ('openId' in target) {
      // The way back leads to the whole palette.
      early.onChange('');
      return setOpenId(target.openId);
    }
    if ('service' in target) return setAdding(target.service);
    keep(addRecentOffer(kept, id));
    onPick(target.pick, isByFinger);
  };
  if (adding)
    return (
      <LazyAddService
        service={adding}
        onAdded={({ id }) => {
          setAdding(undefined);
          setOpenId(id);
        }}
        onClose={() => setAdding(undefined)}
      />
    );
  return (
    <Paper
      ref={element}
      shadow="lg"
      withBorder
      p={8}
      w={400}
      maw="calc(100vw - 32px)"
      className="nowheel nopan"
      role="dialog"
      aria-label={isForAgent ? `Add a tool to ${agentTitle}` : 'Add a node'}
    >
      <SearchCombobox
        key={openId ?? ''}
        label={isForAgent ? 'Search tools' : 'Search nodes'}
        placeholder={
          openId === undefined ? `Search ${isForAgent ? 'tools' : 'nodes'} and services` : 'Search this service'
        }
        // Index 0 is the way back.
        startAt={openId === undefined ? 0 : 1}
        choices={offers}
        initialSearch={openId === undefined ? early.text : ''}
        stars={{
          ids: kept.favourites,
          isPossible: (id) => id !== 'back' && !id.startsWith('service:'),
          onToggle: (id) => keep(toggleFavouriteOffer(kept, id)),
        }}
        fallback={{ ids: generalOfferIds(offers), hint: 'Any API can be called with:' }}
        onSearch={(search) => setSearching(isLongSearch(search))}
        onClose={back}
        onPick={pick}
        onDragStart={(event, id) => {
          const target = targetOf(id);
          if (typeof target !== 'object' || !('pick' in target)) return event.preventDefault();
          event.dataTransfer.setData(NODE_TYPE_DRAG, startPickDrag(target.pick));
          event.dataTransfer.effectAllowed = 'copy';
        }}
      />
    </Paper>
  );
}
