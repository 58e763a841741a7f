import { use, useState, type DragEvent } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { translatePath } from '@/components/ui/values/expression-path';
import { readDroppedPath, isPathDrag } from '@/components/ui/values/dragged-path';
import { PreviewDataContext } from './preview-context';

/**
 * Drop target for data fields. `onPath` gets the path in the language of the expressions here. It is called for a drop
 * on the element itself; nested targets come first. Undefined: only highlights.
 */
export function usePathDropTarget(onPath: ((path: string) => void) | undefined) {
  const language = useExpressionLanguage();
  const preview = use(PreviewDataContext);
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
      onPath(translatePath(path, language, preview?.scope));
    },
  };
}
