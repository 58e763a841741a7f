import { notifications } from '@mantine/notifications';
import type { XYPosition } from '@xyflow/react';
import { useState } from 'react';
import { removeConnections } from '../canvas/edits';
import type { CanvasEvents } from '../canvas/events';
import { wireId, type Catalogue } from '../canvas/flow';
import { splice } from '../canvas/splice';
import type { Command } from './commands';
import { edited, shown, useDraftStore } from './draft';
import { kindOf, type MenuPlace } from './menu-place';
import { readPick, type Pick } from './pick';
import type { Purpose } from './purpose';

interface Wiring {
  catalogue: Catalogue;
  onOpen(nodeId: string): void;
  onPut(pick: Pick, purpose: Purpose): void;
  onPurpose(purpose: Purpose): void;
  /** Adds what a text holds, if it holds nodes; answers whether it does. */
  onPaste(text: string, at: XYPosition): Promise<boolean>;
}

/** A menu, and the commands that only it has. */
interface OpenMenu {
  place: MenuPlace;
  commands: Command[];
}

/** What follows from what somebody does on the canvas, and the menu of a right click. */
export function useCanvasEvents({ catalogue, onOpen, onPut, onPurpose, onPaste }: Wiring) {
  const store = useDraftStore();
  const [menu, setMenu] = useState<OpenMenu>();
  const events: CanvasEvents = {
    onRefusal: (message) => notifications.show({ color: 'weld', message }),
    onLooseEnd: (end, at) => onPurpose({ kind: 'continue', end, at }),
    onInsert: (wire) => onPurpose({ kind: 'insert', wire }),
    onSplice: (id, wire) => store.set(edited(store.get(), splice(shown(store.get()), catalogue, id, wire))),
    onDropType: (text, at, wire) => {
      const pick = readPick(text, catalogue);
      if (pick) onPut(pick, wire ? { kind: 'insert', wire } : { kind: 'add', at: { x: at.x - 118, y: at.y - 30 } });
    },
    onDropText: async (text, at) => {
      const isAdded = await onPaste(text, at);
      if (!isAdded) notifications.show({ color: 'weld', message: 'There is no workflow in this file.' });
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
    onWireMenu: (event, wire) => {
      event.preventDefault();
      const disconnect = () => {
        const now = shown(store.get());
        store.set(edited(store.get(), removeConnections(now, new Set([wireId(wire)]))));
      };
      const commands: Command[] = [
        { id: 'insert', title: 'Insert a node', group: 'Add', run: () => onPurpose({ kind: 'insert', wire }) },
        { id: 'disconnect', title: 'Delete the connection', group: 'Edit', run: disconnect },
      ];
      setMenu({ place: { over: 'wire', x: event.clientX, y: event.clientY }, commands });
    },
  };
  return { events, menu, closeMenu: () => setMenu(undefined) };
}
