import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { CanvasBox } from '@/components/graph/viewport';
import type { OverviewCard } from './scene';

/** The card at a point; of several, the one that is drawn last. */
export const overviewCardAt = (cards: readonly OverviewCard[], x: number, y: number): OverviewCard | undefined =>
  cards.findLast(({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);

/** The cards that lie inside an area as a whole, as React Flow selects elements. */
export const overviewCardsInside = (cards: readonly OverviewCard[], area: CanvasBox): OverviewCard[] =>
  cards.filter(
    ({ box }) =>
      box.x >= area.x &&
      box.y >= area.y &&
      box.x + box.width <= area.x + area.width &&
      box.y + box.height <= area.y + area.height,
  );

interface PicturePointerHandlers {
  /**
   * The card under the pointer becomes an element: it has the ports, tooltips and menu of a card. Undefined: there is
   * none.
   */
  onPoint(id: string | undefined): void;
  onSelect(ids: readonly string[]): void;
}

/**
 * Lets the pointer hover a card of the picture, or select cards in a rectangle, although the cards are not DOM
 * elements.
 */
export function usePicturePointer(
  cards: readonly OverviewCard[] | undefined,
  { onPoint, onSelect }: PicturePointerHandlers,
): void {
  const flow = useReactFlow();
  const store = useStoreApi();
  const pointed = useRef<string>(undefined);
  useEffect(() => {
    const { domNode } = store.getState();
    if (!domNode) return;
    const look = ({ type, buttons, target, clientX, clientY }: PointerEvent) => {
      // A drag holds what it has; a connection may end at any card.
      if (type === 'pointermove' && buttons !== 0 && !store.getState().connection.inProgress) return;
      const isBeside = target instanceof Element && target.closest('.react-flow__panel') !== null;
      const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false });
      const id = isBeside ? undefined : overviewCardAt(cards ?? [], x, y)?.id;
      if (id === pointed.current) return;
      pointed.current = id;
      // At once: the element takes the click that follows.
      flushSync(() => onPoint(id));
    };
    domNode.addEventListener('pointermove', look, true);
    domNode.addEventListener('pointerdown', look, true);
    return () => {
      domNode.removeEventListener('pointermove', look, true);
      domNode.removeEventListener('pointerdown', look, true);
    };
  }, [cards, flow, store, onPoint]);
  useEffect(() => () => onPoint(undefined), [onPoint]);

  useEffect(
    () =>
      store.subscribe(({ userSelectionActive, nodes }, { userSelectionRect: area, ...before }) => {
        const isEnded = before.userSelectionActive && !userSelectionActive;
        if (!isEnded || !area || !cards) return;
        const [x, y, zoom] = before.transform;
        const { width, height } = area;
        const found = overviewCardsInside(cards, {
          x: (area.x - x) / zoom,
          y: (area.y - y) / zoom,
          width: width / zoom,
          height: height / zoom,
        });
        if (found.length === 0) return;
        const selected = nodes.flatMap((node) => (node.selected ? [node.id] : []));
        onSelect([...new Set([...selected, ...found.map(({ id }) => id)])]);
      }),
    [cards, store, onSelect],
  );
}
