import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useEffect, useMemo, useRef, type DragEvent, type FocusEvent, type MouseEvent } from 'react';
import type { Connection, Definition } from '@/contract/workflow';
import { NODE_TYPE_DRAG, type CanvasEvents } from './events';
import type { Wire } from './flow';
import type { Item } from './items';
import { wireUnder } from './under';

/** What may be dropped: out of the palette, and files. */
const DROPPED = [NODE_TYPE_DRAG, 'Files'];

interface Now {
  definition: Definition;
  edges: Wire[];
  isEditable: boolean;
  onSelect(ids: readonly string[]): void;
  events: CanvasEvents | undefined;
}

/**
 * What the canvas does when it is touched. Always the same functions: React Flow hands them to every card and
 * connection, so a new one would render all of them anew, with each frame of a drag.
 */
export function useHandlers(now: Now) {
  const flow = useReactFlow();
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  return useMemo(() => {
    const events = () => latest.current.events;
    const wireAt = (point: XYPosition) =>
      latest.current.edges.find(({ id }) => id === wireUnder(point))?.data?.connection;
    return {
      onInsert: (wire: Connection) => events()?.onInsert(wire),
      onNodeDragStop: (event: MouseEvent | TouchEvent | globalThis.MouseEvent, node: Item, dragged: Item[]) => {
        const { connections } = latest.current.definition;
        const isLoose = !connections.some((c) => c.sourceNode === node.id || c.targetNode === node.id);
        const wire = isLoose && dragged.length === 1 ? wireAt(pointOf(event)) : undefined;
        if (wire && node.type === 'card') events()?.onSplice(node.id, wire);
      },
      onDragOver: (event: DragEvent) => {
        const isWanted = DROPPED.some((type) => event.dataTransfer.types.includes(type));
        if (latest.current.isEditable && isWanted) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        const pick = event.dataTransfer.getData(NODE_TYPE_DRAG);
        const [file] = event.dataTransfer.files;
        const point = { x: event.clientX, y: event.clientY };
        const at = flow.screenToFlowPosition(point);
        if (pick) events()?.onDropType(pick, at, wireAt(point));
        if (!file || !latest.current.isEditable) return;
        // Else the browser would open it in place of the editor.
        event.preventDefault();
        void file.text().then((text) => events()?.onDropText(text, at));
      },
      // What one gets to by keys is what the keys then speak of.
      onFocus: ({ target }: FocusEvent) => {
        const id = target.matches('.react-flow__node:focus-visible') ? target.getAttribute('data-id') : null;
        if (id !== null) latest.current.onSelect([id]);
      },
      onNodeDoubleClick: (_: unknown, node: Item) => {
        if (node.type === 'card') events()?.onOpen(node.id);
      },
      onNodeContextMenu: (event: MouseEvent, node: Item) => events()?.onMenu(event, node.id),
      onSelectionContextMenu: (event: MouseEvent) => events()?.onMenu(event, undefined),
      onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => events()?.onMenu(event, undefined),
      onEdgeContextMenu: (event: MouseEvent, { data }: Wire) => {
        if (data) events()?.onWireMenu(event, data.connection);
      },
    };
  }, [flow]);
}

const pointOf = (event: MouseEvent | TouchEvent | globalThis.MouseEvent): XYPosition => {
  const { clientX = 0, clientY = 0 } = 'changedTouches' in event ? (event.changedTouches[0] ?? {}) : event;
  return { x: clientX, y: clientY };
};
