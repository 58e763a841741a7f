import { useState, type DragEvent } from 'react';
import { readDroppedPath, isPathDrag } from '@/components/ui/values/dragged-path';

/**
 * Drop target for data fields. `onPath` is called for a drop on the element itself; nested targets come first.
 * Undefined: only highlights.
 */
export function usePathDropTarget(onPath: ((path: string) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver(event: DragEvent) {
      if (!isPathDrag(event.dataTransfer)) return;
      if (onPath) event.preventDefault();
      setOver(true);
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      const path = readDroppedPath(event.dataTransfer);
      if (path === undefined || event.defaultPrevented || !onPath) return;
      event.preventDefault();
      onPath(path);
    },
  };
}
