import { startTransition, useEffect, useMemo, useState } from 'react';
import type { DrawnItem } from '@/components/graph/items';

/** Nodes that have elements from the beginning. */
const FIRST = 50;
/** Nodes that get elements at once, between two frames: so many do not delay a gesture noticeably. */
const BATCH = 100;

/**
 * The nodes of React Flow for a canvas that opens as an overview, whose picture shows all cards: at first a part of them, so that a large
 * workflow is seen early, and after the picture is drawn the others in batches. Those that wait are hidden, which fitting the view does not
 * mind. `opensAsOverview` counts at the first render only.
 */
export function useGradualNodes(
  items: DrawnItem[],
  opensAsOverview: boolean,
  { isOverview, isDrawn }: { isOverview: boolean; isDrawn: boolean },
): { nodes: DrawnItem[]; isPartial: boolean } {
  const [count, setCount] = useState(opensAsOverview ? FIRST : Infinity);
  const isPartial = count < items.length;
  const isWaiting = isOverview && !isDrawn;
  useEffect(() => {
    if (!isPartial || isWaiting) return;
    // Without the picture all are needed at once; React Flow mounts those in view.
    const next = isOverview && count + BATCH < items.length ? count + BATCH : Infinity;
    // Fitting the view takes a frame, and may be what makes it an overview.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setCount(next)));
    });
    return () => cancelAnimationFrame(frame);
  }, [isPartial, isWaiting, isOverview, count, items.length]);
  // A hidden item keeps its identity from batch to batch: React Flow handles only what is new.
  const hidden = useMemo(() => (isPartial ? items.map((item) => ({ ...item, hidden: true })) : []), [items, isPartial]);
  const nodes = useMemo(
    () => (isPartial ? [...items.slice(0, count), ...hidden.slice(count)] : items),
    [items, isPartial, count, hidden],
  );
  return { nodes, isPartial };
}
