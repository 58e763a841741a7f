import { useEffect, useEffectEvent } from 'react';
import type { EditorCommand } from './editor-command';
import { isDialogOrMenuOpen, isTextFieldTarget, keyCombinationText } from '@/components/ui/keyboard';

/** Whether the focus is on the canvas or on an ancestor of it. */
const isCanvasFocused = (target: EventTarget | null) =>
  target instanceof Element &&
  (target.querySelector('.react-flow__renderer') !== null || target.closest('.react-flow__renderer') !== null);

/** Elements that Enter and Space activate by default. */
const isActivatable = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, summary, [role="button"], [role="tab"]') !== null;

/**
 * Runs commands by their shortcuts; in text fields and dialogs only those with `isEverywhere`. Space counts on release,
 * if nothing else happened meanwhile: held, it pans the canvas.
 */
export function useCommandKeys(commands: EditorCommand[]): void {
  const find = (keys: string, isElsewhere: boolean) =>
    commands.find(
      ({ keys: own = [], isEverywhere, applies }) =>
        own.includes(keys) && applies?.() !== false && (isEverywhere || !isElsewhere),
    );
  const onKeyDown = useEffectEvent((event: KeyboardEvent, isOver: boolean) => {
    const keys = keyCombinationText(event);
    if (event.defaultPrevented || keys === 'space') return;
    // Outside the canvas, Tab moves the focus.
    if (keys === 'tab' && !isCanvasFocused(event.target)) return;
    if (keys === 'enter' && isActivatable(event.target)) return;
    const command = find(keys, isOver || isTextFieldTarget(event.target));
    if (!command) return;
    event.preventDefault();
    command.run();
  });
  const onSpace = useEffectEvent((target: EventTarget | null, isOver: boolean) => {
    if (!isActivatable(target)) find('space', isOver || isTextFieldTarget(target))?.run();
  });
  useEffect(() => {
    // Read in the capture phase: a dialog that the key closes is gone when the event bubbles here.
    let isOver = false;
    let isSpaceHeld = false;
    const look = (event: KeyboardEvent) => {
      isOver = isDialogOrMenuOpen();
      isSpaceHeld = keyCombinationText(event) === 'space' && !event.repeat;
    };
    const onDown = (event: KeyboardEvent) => onKeyDown(event, isOver);
    const onUp = (event: KeyboardEvent) => {
      if (isSpaceHeld && keyCombinationText(event) === 'space') onSpace(event.target, isOver);
      isSpaceHeld = false;
    };
    const onOther = () => {
      isSpaceHeld = false;
    };
    const others = ['pointerdown', 'wheel', 'blur'] as const;
    addEventListener('keydown', look, true);
    addEventListener('keydown', onDown);
    addEventListener('keyup', onUp);
    for (const other of others) addEventListener(other, onOther, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', look, true);
      removeEventListener('keydown', onDown);
      removeEventListener('keyup', onUp);
      for (const other of others) removeEventListener(other, onOther, { capture: true });
    };
  }, []);
}
