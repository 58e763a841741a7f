import { useStore } from '@xyflow/react';
import { createContext, useMemo } from 'react';
import { MANY, type CardData, type FlowEdge } from '@/components/graph/flow';
import type { DrawnItem } from '@/components/graph/items';

/** Below this zoom the text of a card is unreadable, so it is not drawn. */
export const FAR_ZOOM = 0.4;
/** Whether the canvas shows the overview: one picture instead of its cards and connections. */
export const OverviewContext = createContext(false);

export const useIsOverview = (nodes: number): boolean =>
  useStore(({ transform: [, , zoom] }) => nodes > MANY && zoom < FAR_ZOOM);

/** Whether a card is drawn although the overview is shown: it is selected, or moves. */
export const isLiveCard = (isSelected: boolean, { node: { position } }: CardData, x: number, y: number): boolean =>
  isSelected || x !== position.x || y !== position.y;

const NONE: ReadonlySet<string> = new Set();

/** The ids of such cards. The set keeps its identity while they are the same. */
export function useLive(items: readonly DrawnItem[], isOverview: boolean): ReadonlySet<string> {
  const ids = isOverview
    ? items.flatMap((item) => {
        if (item.type !== 'card') return [];
        const { id, selected = false, data, position } = item;
        return isLiveCard(selected, data, position.x, position.y) ? [id] : [];
      })
    : [];
  const key = JSON.stringify(ids);
  return useMemo(() => (key === '[]' ? NONE : new Set(JSON.parse(key) as string[])), [key]);
}

/** Whether React Flow draws a connection although the overview is shown. */
export const isLiveEdge = ({ source, target, selected }: FlowEdge, live: ReadonlySet<string>): boolean =>
  selected === true || live.has(source) || live.has(target);
