import { useState, type DragEvent } from 'react';
import { draggedPath, isDraggingPath } from '../ui/dragged-path';

/**
 * Takes fields of data that are dragged in. `onPath` is asked when one is let go on the element itself; what lies in it
 * and takes paths, too, comes first. Undefined: only shows that something in it does.
 */
export function usePathDrop(onPath: ((path: string) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver(event: DragEvent) {
      if (!isDraggingPath(event.dataTransfer)) return;
      if (onPath) event.preventDefault();
      setOver(true);
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      const path = draggedPath(event.dataTransfer);
      if (path === undefined || event.defaultPrevented || !onPath) return;
      event.preventDefault();
      onPath(path);
    },
  };
}
