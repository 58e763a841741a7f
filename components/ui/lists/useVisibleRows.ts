import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;

/**
 * The indices of the visible rows of a long list whose rows have the same height in pixels, and the heights of what is
 * above and below them.
 */
export function useVisibleRows(count: number, height: number, scroller: RefObject<HTMLElement | null>) {
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN_ROWS,
    initialRect: { width: 0, height: 10 * height },
  });
  const rows = virtual.getVirtualItems();
  return {
    indices: rows.map(({ index }) => index),
    above: rows[0]?.start ?? 0,
    below: virtual.getTotalSize() - (rows.at(-1)?.end ?? 0),
  };
}
