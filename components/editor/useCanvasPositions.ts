import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useCallback, useMemo, useRef, type PointerEvent } from 'react';

export type CanvasPositions = ReturnType<typeof useCanvasPositions>['places'];

/** Positions for new items on the canvas. `surface` are the props of the element around the canvas. */
export function useCanvasPositions() {
  const flow = useReactFlow();
  const element = useRef<HTMLDivElement>(null);
  const pointer = useRef<XYPosition>(undefined);
  const onPointerMove = useCallback(({ clientX: x, clientY: y }: PointerEvent) => {
    pointer.current = { x, y };
  }, []);
  const places = useMemo(() => {
    const middle = (): XYPosition => {
      const { left = 0, top = 0, width = 0, height = 0 } = element.current?.getBoundingClientRect() ?? {};
      return flow.screenToFlowPosition({ x: left + width / 2 - 118, y: top + height / 2 - 30 });
    };
    return {
      middle,
      /** The last position of the pointer in pixels from the corner of the canvas; undefined: there was none. */
      onSurface: (): XYPosition | undefined => {
        const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {};
        return pointer.current && { x: pointer.current.x - left, y: pointer.current.y - top };
      },
      /** The last position of the pointer, or the middle. */
      atPointer: (): XYPosition => (pointer.current ? flow.screenToFlowPosition(pointer.current) : middle()),
    };
  }, [flow]);
  return { places, surface: { ref: element, onPointerMove, onPointerDown: onPointerMove, onPointerUp: onPointerMove } };
}
