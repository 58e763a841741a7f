import type { DragEvent } from 'react';
import { startPathDrag } from '@/components/ui/values/dragged-path';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { translatePath } from '@/components/ui/values/expression-path';

/**
 * Attributes of an element that can be dragged into a parameter, as the expression that reads `path`, a path of
 * JSONata. Where it is dropped decides its language.
 */
export function useDragPathProps() {
  const language = useExpressionLanguage();
  return (path: string | undefined) =>
    path === undefined
      ? {}
      : {
          draggable: true,
          title: `Drag into a parameter: {{ ${translatePath(path, language)} }}`,
          onDragStart: (event: DragEvent) => startPathDrag(event.dataTransfer, path, translatePath(path, language)),
        };
}
