import type { DrawnTrigger } from '@/components/graph/trigger-items';
import { createContext, use, useMemo, type ReactNode } from 'react';

/** What the card of a trigger shows. */
export interface CanvasTrigger {
  id: string;
  /** The start node of its runs. Null: every start node. */
  startNodeId: string | null;
  icon: ReactNode;
  /** The kind, e.g. Webhook. */
  label: string;
  /** What happens, shown in place of the kind: `New release`. */
  heading?: ReactNode;
  /** An address, a time, or the name of a workflow. */
  text: string;
  /** The text in words, shown instead of it. */
  words?: ReactNode;
  state: { label: string; tone: 'done' | 'waiting' | 'idle' };
  /** The last call, or the next time. */
  note: ReactNode;
  /** It waits for a call, or one has just arrived. */
  isLive?: boolean;
  /** Opens the settings. Absent: there are none, or they may not be changed. */
  onOpen?(): void;
  /** A button beside the text. */
  action?: ReactNode;
}

/** The cards subscribe here, so that the items of the canvas change only when a trigger is added or removed. */
export const TriggersContext = createContext<readonly CanvasTrigger[]>([]);

export const useCanvasTrigger = (id: string): CanvasTrigger | undefined =>
  use(TriggersContext).find((trigger) => trigger.id === id);

/** The ids and start nodes, with a stable identity while they are the same. */
export function useDrawnTriggers(triggers: readonly CanvasTrigger[]): readonly DrawnTrigger[] {
  const key = JSON.stringify(triggers.map(({ id, startNodeId }) => ({ id, startNodeId })));
  return useMemo(() => JSON.parse(key) as DrawnTrigger[], [key]);
}
