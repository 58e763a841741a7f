import { notifications } from '@mantine/notifications';
import type { XYPosition } from '@xyflow/react';
import { useState } from 'react';
import { removeConnections } from '@/components/graph/edits/edits';
import type { CanvasEvents } from '@/components/canvas/events';
import { connectionId, type Catalogue } from '@/components/graph/flow';
import { splice } from '@/components/graph/edits/splice';
import type { Command } from './commands/commands';
import { edited, shown, useDraftStore } from './draft/draft';
import { kindOf, type MenuPlace } from './commands/menu-place';
import { readPick, type Pick } from './palette/pick';
import type { Insertion } from './palette/insertion';

interface Wiring {
  catalogue: Catalogue;
  onOpen(nodeId: string): void;
  onPut(pick: Pick, insertion: Insertion): void;
  onInsertion(insertion: Insertion): void;
  /** Pastes the nodes in a text; resolves to whether there are any. */
  onPaste(text: string, at: XYPosition): Promise<boolean>;
}

/** A context menu with its extra commands. */
interface OpenMenu {
  place: MenuPlace;
  commands: Command[];
}

/** Handlers for canvas events, and the state of the context menu. */
export function useCanvasEvents({ catalogue, onOpen, onPut, onInsertion, onPaste }: Wiring) {
  const store = useDraftStore();
  const [menu, setMenu] = useState<OpenMenu>();
  const events: CanvasEvents = {
    onRefusal: (message) => notifications.show({ color: 'weld', message }),
    onLooseEnd: (end, at) => onInsertion({ kind: 'continue', end, at }),
    onInsert: (connection) => onInsertion({ kind: 'insert', connection }),
    onSplice: (id, connection) => store.set(edited(store.get(), splice(shown(store.get()), catalogue, id, connection))),
    onDropType: (text, at, connection) => {
      const pick = readPick(text, catalogue);
      if (pick)
        onPut(pick, connection ? { kind: 'insert', connection } : { kind: 'add', at: { x: at.x - 118, y: at.y - 30 } });
    },
    onDropText: async (text, at) => {
      const isAdded = await onPaste(text, at);
      if (!isAdded) notifications.show({ color: 'weld', message: 'This file contains no workflow.' });
    },
    onOpen,
    onMenu: (event, id) => {
      event.preventDefault();
      const { selectedIds } = store.get();
      const isOfSeveral = selectedIds.length > 1 && (id === undefined || selectedIds.includes(id));
      if (id !== undefined && !isOfSeveral) store.set({ selectedIds: [id] });
      const over = isOfSeveral ? 'selection' : kindOf(shown(store.get()), id);
      setMenu({ place: { over, x: event.clientX, y: event.clientY }, commands: [] });
    },
    onConnectionMenu: (event, connection) => {
      event.preventDefault();
      const disconnect = () => {
        const now = shown(store.get());
        store.set(edited(store.get(), removeConnections(now, new Set([connectionId(connection)]))));
      };
      const commands: Command[] = [
        { id: 'insert', title: 'Insert a node', group: 'Add', run: () => onInsertion({ kind: 'insert', connection }) },
        { id: 'disconnect', title: 'Delete the connection', group: 'Edit', run: disconnect },
      ];
      setMenu({ place: { over: 'connection', x: event.clientX, y: event.clientY }, commands });
    },
  };
  return { events, menu, closeMenu: () => setMenu(undefined) };
}
