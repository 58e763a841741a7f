import { useReactFlow, type XYPosition } from '@xyflow/react';
import {
  useEffect,
  useMemo,
  useRef,
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import { NODE_TYPE_DRAG, type CanvasEvents } from './events';
import type { CanvasEdge } from '@/components/graph/cards-and-edges';
import { partOwnerId, type AgentPart } from '@/components/graph/agent-parts';
import type { CanvasItem } from '@/components/graph/canvas-items';
import type { OpenConnectionEnd } from '@/components/graph/edits/insert-nodes';
import { connectionIdAt, CONNECTION_HIT_RADIUS, type FindConnection } from './hit-test';
import { MIN_READABLE_ZOOM } from './overview/mounted-elements';
import { useLongPress } from './touch/useTouch';

/** Drag types that the canvas accepts: palette items and files. */
const ACCEPTED_DRAG_TYPES = [NODE_TYPE_DRAG, 'Files'];

interface LatestCanvasProps {
  definition: WorkflowDefinition;
  edges: CanvasEdge[];
  isEditable: boolean;
  onSelect(ids: readonly string[]): void;
  events: CanvasEvents | undefined;
  /** Finds the connections that are drawn in one picture. */
  finderRef: RefObject<FindConnection | undefined>;
  /** The pointer or the focus came to a connection, or left it. */
  onPointConnection(id: string | undefined): void;
  /** A node type is dragged over an agent, or no longer is. */
  onDropTarget(agentId: string | undefined): void;
}

/**
 * Event handlers of the canvas. They are stable: React Flow passes them to every card and connection, so a new function
 * would render all of them again on each frame of a drag.
 */
export function useCanvasHandlers(now: LatestCanvasProps) {
  const flow = useReactFlow();
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const touch = useLongPress(latest);
  return useMemo(() => {
    const events = () => latest.current.events;
    const connectionAt = (point: XYPosition) => {
      const zoom = flow.getZoom();
      const id = connectionIdAt(point, zoom < MIN_READABLE_ZOOM ? CONNECTION_HIT_RADIUS : 0);
      if (id !== undefined) return latest.current.edges.find((edge) => edge.id === id)?.data?.connection;
      return latest.current.finderRef.current?.(
        flow.screenToFlowPosition(point, { snapToGrid: false }),
        CONNECTION_HIT_RADIUS / zoom,
      );
    };
    return {
      ...touch,
      onInsert: (connection: NodeConnection) => events()?.onInsert(connection),
      onLooseEnd: (end: OpenConnectionEnd, at: XYPosition) => events()?.onLooseEnd(end, at),
      onAddPart: (agentId: string, kind: AgentPart['kind']) => events()?.onAddPart(agentId, kind),
      onRemovePart: (partId: string) => events()?.onRemovePart(partId),
      onMovePart: (partId: string, targetId: string) => events()?.onMovePart(partId, targetId),
      onNodeDragStop: (
        event: MouseEvent | TouchEvent | globalThis.MouseEvent,
        node: CanvasItem,
        dragged: CanvasItem[],
      ) => {
        const { connections } = latest.current.definition;
        const isLoose = !connections.some((c) => c.sourceNode === node.id || c.targetNode === node.id);
        const connection = isLoose && dragged.length === 1 ? connectionAt(eventPoint(event)) : undefined;
        if (connection && node.type === 'card') events()?.onSplice(node.id, connection);
      },
      onDragOver: (event: DragEvent) => {
        const isWanted = ACCEPTED_DRAG_TYPES.some((type) => event.dataTransfer.types.includes(type));
        if (latest.current.isEditable && isWanted) event.preventDefault();
        const isPick = event.dataTransfer.types.includes(NODE_TYPE_DRAG);
        latest.current.onDropTarget(isPick ? agentIdAt(event.target, latest.current.definition) : undefined);
      },
      onDragLeave: () => latest.current.onDropTarget(undefined),
      onDrop: (event: DragEvent) => {
        latest.current.onDropTarget(undefined);
        const pick = event.dataTransfer.getData(NODE_TYPE_DRAG);
        const [file] = event.dataTransfer.files;
        const point = { x: event.clientX, y: event.clientY };
        const at = flow.screenToFlowPosition(point);
        const agentId = pick ? agentIdAt(event.target, latest.current.definition) : undefined;
        if (agentId !== undefined && events()?.onDropPart(pick, agentId)) return;
        if (pick) events()?.onDropType(pick, at, connectionAt(point));
        if (!file || !latest.current.isEditable) return;
        // Otherwise the browser would open the file in place of the editor.
        event.preventDefault();
        void file.text().then((text) => events()?.onDropText(text, at));
      },
      onEdgeMouseEnter: (_: unknown, { id }: CanvasEdge) => latest.current.onPointConnection(id),
      onEdgeMouseLeave: () => latest.current.onPointConnection(undefined),
      onBlur: () => latest.current.onPointConnection(undefined),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Escape') latest.current.onPointConnection(undefined);
      },
      // Keyboard focus selects the node, so that shortcuts apply to it, and shows what passed a connection.
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches('.react-flow__edge'))
          latest.current.onPointConnection(target.getAttribute('data-id') ?? undefined);
        const id = target.matches('.react-flow__node:focus-visible') ? target.getAttribute('data-id') : null;
        if (id !== null) latest.current.onSelect([id]);
      },
      onNodeDoubleClick: (_: unknown, node: CanvasItem) => {
        if (node.type === 'card' || node.type === 'agentPart') events()?.onOpen(node.id);
      },
      onNodeContextMenu: (event: MouseEvent, node: CanvasItem) =>
        events()?.onMenu(event, node.type === 'trigger' ? undefined : node.id),
      onSelectionContextMenu: (event: MouseEvent) => events()?.onMenu(event, undefined),
      onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => events()?.onMenu(event, undefined),
      onEdgeContextMenu: (event: MouseEvent, { data }: CanvasEdge) => {
        if (data) events()?.onConnectionMenu(event, data.connection);
      },
    };
  }, [flow, touch]);
}

/** The agent whose card, or part, an event is on. */
function agentIdAt(target: EventTarget, { nodes }: WorkflowDefinition): string | undefined {
  const item = target instanceof Element ? target.closest('.react-flow__node') : null;
  const id = partOwnerId(item?.getAttribute('data-id') ?? '');
  return nodes.some((node) => node.id === id && node.type === 'agent') ? id : undefined;
}

const eventPoint = (event: MouseEvent | TouchEvent | globalThis.MouseEvent): XYPosition => {
  const { clientX = 0, clientY = 0 } = 'changedTouches' in event ? (event.changedTouches[0] ?? {}) : event;
  return { x: clientX, y: clientY };
};
