import { useEffect, useEffectEvent, type RefObject } from 'react';

interface DismissalHandlers {
  /** A press outside of the element. `target`: what was pressed. */
  onPress(target: Element): void;
  onEscape(): void;
}

/** Reports a press outside of an element, and Escape wherever the focus is. */
export function useDismissal(element: RefObject<HTMLElement | null>, { onPress, onEscape }: DismissalHandlers): void {
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Element && !element.current?.contains(target)) onPress(target);
  });
  const key = useEffectEvent((event: KeyboardEvent) => {
    const around = event.target instanceof Element ? event.target.closest('[role="dialog"]') : null;
    const isOfOtherDialog = around !== null && !element.current?.contains(around) && !around.contains(element.current);
    if (event.key !== 'Escape' || isOfOtherDialog) return;
    event.stopPropagation();
    onEscape();
  });
  useEffect(() => {
    // In the capture phase: the canvas stops some presses on their way up.
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('keydown', key, true);
    };
  }, []);
}
