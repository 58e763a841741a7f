import type { XYPosition } from '@xyflow/react';
import type { MouseEvent } from 'react';
import type { NodeConnection } from '@/contract/workflows/workflow';
import type { AgentPart } from '@/components/graph/agent-parts';
import type { OpenConnectionEnd } from '@/components/graph/edits/insert-nodes';

/** MIME type of a node type dragged from the palette. */
export const NODE_TYPE_DRAG = 'application/x-weft-node-type';

/** MIME type of a tool that is dragged to another place among those of its agent. Its letters are all small. */
export const toolDragType = (agentId: string): string =>
  `application/x-weft-tool-of-${encodeURIComponent(agentId).toLowerCase()}`;

/** User actions on the canvas besides moving and connecting nodes. Positions are canvas coordinates. */
export interface CanvasEvents {
  /** Two ports can't be connected, with the reason. */
  onRefusal(reason: string): void;
  /** A connection was dropped on the empty canvas. */
  onLooseEnd(end: OpenConnectionEnd, at: XYPosition): void;
  /** The plus button on a connection was pressed. */
  onInsert(connection: NodeConnection): void;
  /** A node was dropped on a connection. */
  onSplice(id: string, connection: NodeConnection): void;
  /** An item of the palette was dropped, possibly on a connection. */
  onDropType(pick: string, at: XYPosition, connection: NodeConnection | undefined): void;
  /** The plus button of an agent was pressed. */
  onAddPart(agentId: string, kind: AgentPart['kind']): void;
  /** An item of the palette was dropped on an agent. Returns whether it became a part of the agent. */
  onDropPart(pick: string, agentId: string): boolean;
  onRemovePart(partId: string): void;
  /** A tool of an agent was dropped on another one, whose place it takes. */
  onMovePart(partId: string, targetId: string): void;
  /** A file was dropped; `text` is its content. */
  onDropText(text: string, at: XYPosition): void;
  onOpen(id: string): void;
  /** A right click: on a node, a note, a group, a selection of several, or on the canvas. */
  onMenu(event: MouseEvent | globalThis.MouseEvent, id: string | undefined): void;
  onConnectionMenu(event: MouseEvent, connection: NodeConnection): void;
}
