import { useStore } from '@xyflow/react';
import { useEffect } from 'react';

/** The zooms below which names are drawn larger, one size for each: see `NodeCard.module.css`. */
const NAME_SIZE_ZOOMS = [0.75, 0.55, 0.4, 0.3, 0.22, 0.16];
/** How long the zoom must rest before names change their size. */
const NAME_RESIZE_DELAY_MS = 120;

/** The size of names at a zoom: 0 is the normal one, 6 the largest. */
export const nameSizeAtZoom = (zoom: number): number => NAME_SIZE_ZOOMS.filter((step) => zoom < step).length;

/**
 * Sets `data-names` of the canvas to the size of names. During a zoom the names keep their size and scale with the
 * canvas, because a new size costs a layout of all cards.
 */
export function NameSizeAttribute() {
  const size = useStore(({ transform: [, , zoom] }) => nameSizeAtZoom(zoom));
  const canvas = useStore(({ domNode }) => domNode);
  useEffect(() => {
    if (!canvas) return;
    const apply = () => canvas.setAttribute('data-names', String(size));
    if (!canvas.hasAttribute('data-names')) return apply();
    const timer = setTimeout(apply, NAME_RESIZE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [size, canvas]);
  return null;
}
