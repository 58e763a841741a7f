import { useStore } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { MANY, type Card, type FlowEdge } from '@/components/graph/flow';
import { isCard, type DrawnItem } from '@/components/graph/items';

/** Below this zoom the text of a card is unreadable, so it is not drawn. */
export const FAR_ZOOM = 0.4;

const isOverview = (nodes: number, zoom: number) => nodes > MANY && zoom < FAR_ZOOM;

/**
 * Whether one picture shows the cards and connections of a large workflow. `opensAsOverview` counts at first: until the view is fitted, the
 * zoom is not known, and React Flow would mount all cards for a moment.
 */
export function useIsOverview(nodes: number, opensAsOverview: boolean): boolean {
  const [isOpening, setOpening] = useState(opensAsOverview);
  useEffect(() => {
    if (!isOpening) return;
    // Fitting the view takes a frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setOpening(false));
    });
    return () => cancelAnimationFrame(frame);
  }, [isOpening]);
  const isFar = useStore(({ transform: [, , zoom] }) => isOverview(nodes, zoom));
  return isFar || isOpening;
}

/** Whether React Flow draws a card although the overview is shown: it is selected, or moves. */
const isLive = ({ selected, position, data }: Card): boolean =>
  selected === true || position.x !== data.node.position.x || position.y !== data.node.position.y;

const NONE: ReadonlySet<string> = new Set();

/** The ids of such cards. The set keeps its identity while they are the same. */
export function useLive(items: readonly DrawnItem[], isShown: boolean): ReadonlySet<string> {
  const ids = isShown ? items.flatMap((item) => (isCard(item) && isLive(item) ? [item.id] : [])) : [];
  const key = JSON.stringify(ids);
  return useMemo(() => (key === '[]' ? NONE : new Set(JSON.parse(key) as string[])), [key]);
}

/** Whether React Flow draws a connection although the overview is shown. */
export const isLiveEdge = ({ source, target, selected }: FlowEdge, live: ReadonlySet<string>): boolean =>
  selected === true || live.has(source) || live.has(target);

/** One hidden copy of each card, so that an unchanged card stays the same for React Flow. */
const copies = new WeakMap<Card, Card>();

function pictured(card: Card): Card {
  const known = copies.get(card);
  if (known) return known;
  const copy: Card = { ...card, hidden: true, isPictured: true };
  copies.set(card, copy);
  return copy;
}

/**
 * The items with the cards hidden that the picture shows: a browser moves thousands of elements many times slower than a picture. The first
 * card stays an element, where the keyboard enters the canvas, and so does the card under the pointer.
 */
export function withoutPictured(
  items: readonly DrawnItem[],
  live: ReadonlySet<string>,
  pointedId: string | undefined,
): DrawnItem[] {
  const first = items.find(isCard);
  return items.map((item) =>
    !isCard(item) || item.hidden || item === first || item.id === pointedId || live.has(item.id)
      ? item
      : pictured(item),
  );
}
