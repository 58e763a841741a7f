import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { parseAgentPartId, partOwnerId } from '@/components/graph/agent-parts';
import { removeConnections } from '@/components/graph/edits/edits';
import type { CanvasEvents } from '@/components/canvas/events';
import { connectionId, type NodeTypesByName } from '@/components/graph/cards-and-edges';
import { spliceNode } from '@/components/graph/edits/insert-nodes';
import type { EditorCommand } from './commands/editor-command';
import { editCanvas, canvasDefinition, useDraftStore } from './draft/draft';
import { isAgentPartType } from './node/agent/agent-edits';
import type { SelectionEdits } from './draft/useSelectionEdits';
import { canvasItemKind, type ContextMenuTarget } from './commands/context-menu-target';
import { readDraggedPick, type PalettePick } from './palette/palette-pick';
import type { NodeInsertion } from './palette/node-insertion';

interface CanvasEventWiring {
  catalogue: NodeTypesByName;
  onOpen(nodeId: string): void;
  onPut(pick: PalettePick, insertion: NodeInsertion): void;
  onInsertion(insertion: NodeInsertion): void;
  onAddPart: CanvasEvents['onAddPart'];
  edits: SelectionEdits;
}

/** A context menu with its extra commands. */
interface OpenContextMenu {
  place: ContextMenuTarget;
  commands: EditorCommand[];
}

/** Handlers for canvas events, and the state of the context menu. */
export function useCanvasEvents({ catalogue, onOpen, onPut, onInsertion, onAddPart, edits }: CanvasEventWiring) {
  const store = useDraftStore();
  const [menu, setMenu] = useState<OpenContextMenu>();
  const events: CanvasEvents = {
    onRefusal: (message) => notifications.show({ color: 'weld', message }),
    onLooseEnd: (end, at) => onInsertion({ kind: 'continue', end, at }),
    onInsert: (connection) => onInsertion({ kind: 'insert', connection }),
    onSplice: (id, connection) =>
      store.set(editCanvas(store.get(), spliceNode(canvasDefinition(store.get()), catalogue, id, connection))),
    onDropType: (text, at, connection) => {
      const pick = readDraggedPick(text, catalogue);
      if (pick)
        onPut(
          pick,
          connection ? { kind: 'insert', connection } : { kind: 'drop', at: { x: at.x - 118, y: at.y - 30 } },
        );
    },
    onAddPart,
    onDropPart: (text, agentId) => {
      const pick = readDraggedPick(text, catalogue);
      if (!pick || !isAgentPartType(pick.nodeType.type)) return false;
      onPut(pick, { kind: 'part', agentId });
      return true;
    },
    onRemovePart: (partId) => edits.removeItems([partId]),
    onMovePart: (partId, targetId) => {
      const target = parseAgentPartId(targetId);
      if (target?.part.kind === 'tool' && target.agentId === partOwnerId(partId))
        edits.moveTool(partId, target.part.index);
    },
    onDropText: async (text, at) => {
      const isAdded = await edits.paste(text, at);
      if (!isAdded) notifications.show({ color: 'weld', message: 'This file contains no workflow.' });
    },
    onOpen,
    onMenu: (event, id) => {
      event.preventDefault();
      const { selectedIds } = store.get();
      const isOfSeveral = selectedIds.length > 1 && (id === undefined || selectedIds.includes(id));
      if (id !== undefined && !isOfSeveral) store.set({ selectedIds: [id] });
      const over = isOfSeveral ? 'selection' : canvasItemKind(canvasDefinition(store.get()), id);
      setMenu({ place: { over, x: event.clientX, y: event.clientY }, commands: [] });
    },
    onConnectionMenu: (event, connection) => {
      event.preventDefault();
      const disconnect = () => {
        const now = canvasDefinition(store.get());
        store.set(editCanvas(store.get(), removeConnections(now, new Set([connectionId(connection)]))));
      };
      const commands: EditorCommand[] = [
        { id: 'insert', title: 'Insert a node', group: 'Add', run: () => onInsertion({ kind: 'insert', connection }) },
        { id: 'disconnect', title: 'Delete the connection', group: 'Edit', run: disconnect },
      ];
      setMenu({ place: { over: 'connection', x: event.clientX, y: event.clientY }, commands });
    },
  };
  return { events, menu, closeMenu: () => setMenu(undefined) };
}
