import { useEffect, useState, type PointerEvent, type RefObject } from 'react';
import type { CanvasEvents } from '../events';
import { createLongPress } from './long-press';

interface LatestCanvasEvents {
  events: CanvasEvents | undefined;
}

/** Whether the pointer used last is a finger; at first, whether the device has no better one. */
export function useIsTouchPointer(): boolean {
  const [isTouch, setTouch] = useState(() => matchMedia('(pointer: coarse)').matches);
  useEffect(() => {
    const look = ({ pointerType }: globalThis.PointerEvent) => setTouch(pointerType === 'touch');
    addEventListener('pointerdown', look, true);
    return () => removeEventListener('pointerdown', look, true);
  }, []);
  return isTouch;
}

/** Handlers by which a long press opens the context menu of the node under it, or of the canvas. */
export function useLongPress(latest: RefObject<LatestCanvasEvents>) {
  const [press] = useState(() =>
    createLongPress((at) => {
      // The target of the press is not used: a card of the picture becomes an element under the finger.
      const place = pressedCanvasItem(document.elementFromPoint(at.clientX, at.clientY));
      const event = new MouseEvent('contextmenu', { clientX: at.clientX, clientY: at.clientY, cancelable: true });
      if (place) latest.current.events?.onMenu(event, place.id);
    }),
  );
  const [handlers] = useState(() => ({
    onPointerDownCapture: ({ nativeEvent }: PointerEvent) => press.down(nativeEvent),
    onPointerMoveCapture: ({ nativeEvent }: PointerEvent) => press.move(nativeEvent),
    onPointerUpCapture: ({ nativeEvent }: PointerEvent) => press.up(nativeEvent),
    onPointerCancelCapture: ({ nativeEvent }: PointerEvent) => press.up(nativeEvent),
  }));
  return handlers;
}

/** The canvas item under a finger. `id` undefined: it is the canvas itself. Null: the element has its own behaviour. */
function pressedCanvasItem(target: Element | null): { id: string | undefined } | null {
  if (!target || target.closest('button, a, input, textarea, .react-flow__handle, .react-flow__panel')) return null;
  const node = target.closest('.react-flow__node');
  if (node)
    return { id: node.matches('.react-flow__node-trigger') ? undefined : (node.getAttribute('data-id') ?? undefined) };
  return target.closest('.react-flow__pane') ? { id: undefined } : null;
}
