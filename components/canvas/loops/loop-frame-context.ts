import { createContext, type ReactNode } from 'react';

/** What a canvas does with the bodies of loops. Ids are those that are drawn. */
export interface LoopFrameActions {
  /** Opens or closes the frame of a loop. */
  onToggle(id: string): void;
  /** Shows the body alone on the canvas. Absent: it is not shown alone here. */
  onOpenAlone?(id: string): void;
  /** Controls in the head of an open loop: its rounds, and a run for one item. */
  renderTools(id: string): ReactNode;
}

/** Undefined: bodies are not drawn on this canvas. */
export const LoopFrameContext = createContext<LoopFrameActions | undefined>(undefined);
