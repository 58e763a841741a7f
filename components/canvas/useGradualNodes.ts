import { startTransition, useEffect, useMemo, useState } from 'react';
import type { DrawnItem } from '@/components/graph/items';

/** Nodes that have elements from the beginning. */
const FIRST = 50;

/**
 * The nodes of React Flow for a canvas that opens as an overview, whose picture shows all cards: at first a part of them, so that a large
 * workflow is seen early, and after the picture is drawn all. The others are hidden until then, which fitting the view does not mind.
 * `opensAsOverview` counts at the first render only.
 */
export function useGradualNodes(
  items: DrawnItem[],
  opensAsOverview: boolean,
  { isOverview, isDrawn }: { isOverview: boolean; isDrawn: boolean },
): { nodes: DrawnItem[]; isPartial: boolean } {
  const [isPartial, setPartial] = useState(opensAsOverview);
  const isWaiting = isOverview && !isDrawn;
  useEffect(() => {
    if (!isPartial || isWaiting) return;
    // Fitting the view takes a frame, and may be what makes it an overview.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setPartial(false)));
    });
    return () => cancelAnimationFrame(frame);
  }, [isPartial, isWaiting]);
  const nodes = useMemo(
    () => (isPartial ? items.map((item, at) => (at < FIRST ? item : { ...item, hidden: true })) : items),
    [items, isPartial],
  );
  return { nodes, isPartial };
}
