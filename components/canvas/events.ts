import type { XYPosition } from '@xyflow/react';
import type { MouseEvent } from 'react';
import type { Connection } from '@/contract/workflow';
import type { LooseEnd } from './splice';

/** Under this name travels what is dragged from the palette. */
export const NODE_TYPE_DRAG = 'application/x-weft-node-type';

/** What somebody did on the canvas beyond moving and joining. Positions are those of the canvas. */
export interface CanvasEvents {
  /** Tells why two ports were not joined. */
  onRefusal(reason: string): void;
  /** A connection was drawn into the empty. */
  onLooseEnd(end: LooseEnd, at: XYPosition): void;
  /** The plus on a connection. */
  onInsert(wire: Connection): void;
  /** A node was dropped on a connection. */
  onSplice(id: string, wire: Connection): void;
  /** Something came from the palette, maybe onto a connection. */
  onDropType(pick: string, at: XYPosition, wire: Connection | undefined): void;
  /** A file was dropped: its text. */
  onDropText(text: string, at: XYPosition): void;
  onOpen(id: string): void;
  /** A right click: on a node, a note, a group, a selection of several, or on the canvas. */
  onMenu(event: MouseEvent | globalThis.MouseEvent, id: string | undefined): void;
  onWireMenu(event: MouseEvent, wire: Connection): void;
}
