import { useStore } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { MAX_RENDERED_NODES, type NodeCardItem, type CanvasEdge } from '@/components/graph/cards-and-edges';
import { isNodeCardItem, type CanvasItem } from '@/components/graph/canvas-items';

/** Below this zoom the text of a card is unreadable, so it is not drawn. */
export const MIN_READABLE_ZOOM = 0.4;

const isOverviewZoom = (nodes: number, zoom: number) => nodes > MAX_RENDERED_NODES && zoom < MIN_READABLE_ZOOM;

/**
 * Whether one picture shows the cards and connections of a large workflow. `opensAsOverview` counts at first: until the
 * view is fitted, the zoom is not known, and React Flow would mount all cards for a moment.
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
  const isFar = useStore(({ transform: [, , zoom] }) => isOverviewZoom(nodes, zoom));
  return isFar || isOpening;
}

/** Whether React Flow draws a card although the overview is shown: it is selected, or moves. */
const isCardMounted = ({ selected, position, data }: NodeCardItem): boolean =>
  selected === true || position.x !== data.node.position.x || position.y !== data.node.position.y;

const EMPTY_CARD_IDS: ReadonlySet<string> = new Set();

/** The ids of the cards that React Flow draws in the overview. The set keeps its identity while they are the same. */
export function useMountedCardIds(items: readonly CanvasItem[], isShown: boolean): ReadonlySet<string> {
  const ids = isShown ? items.flatMap((item) => (isNodeCardItem(item) && isCardMounted(item) ? [item.id] : [])) : [];
  const key = JSON.stringify(ids);
  return useMemo(() => (key === '[]' ? EMPTY_CARD_IDS : new Set(JSON.parse(key) as string[])), [key]);
}

/** Whether React Flow draws a connection although the overview is shown. */
export const isEdgeMounted = ({ source, target, selected }: CanvasEdge, live: ReadonlySet<string>): boolean =>
  selected === true || live.has(source) || live.has(target);

/** One hidden copy of each card, so that an unchanged card stays the same for React Flow. */
const hiddenCardCopies = new WeakMap<NodeCardItem, NodeCardItem>();

function hiddenCardCopy(card: NodeCardItem): NodeCardItem {
  const known = hiddenCardCopies.get(card);
  if (known) return known;
  const copy: NodeCardItem = { ...card, hidden: true, isPictured: true };
  hiddenCardCopies.set(card, copy);
  return copy;
}

/**
 * The items with the cards hidden that the picture shows: a browser moves thousands of elements many times slower than
 * a picture. The first card stays an element, where the keyboard enters the canvas, and so does the card under the
 * pointer.
 */
export function hidePicturedCards(
  items: readonly CanvasItem[],
  live: ReadonlySet<string>,
  pointedId: string | undefined,
): CanvasItem[] {
  const first = items.find(isNodeCardItem);
  return items.flatMap((item) => {
    // Too small to be read, and there may be hundreds.
    if (item.type === 'agentPart' && !item.selected) return [];
    const isMounted =
      !isNodeCardItem(item) ||
      item.type === 'loop' ||
      item.hidden ||
      item === first ||
      item.id === pointedId ||
      live.has(item.id);
    return [isMounted ? item : hiddenCardCopy(item)];
  });
}
