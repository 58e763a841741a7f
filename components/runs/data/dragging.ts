import type { DragEvent } from 'react';
import { startPathDrag } from '@/components/ui/values/dragged-path';

/** Attributes of an element that can be dragged into a parameter, as the expression that reads `path`. */
export const dragPathProps = (path: string | undefined) =>
  path === undefined
    ? {}
    : {
        draggable: true,
        title: `Drag into a parameter: {{ ${path} }}`,
        onDragStart: (event: DragEvent) => startPathDrag(event.dataTransfer, path),
      };
