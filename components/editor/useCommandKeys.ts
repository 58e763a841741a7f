import { useEffect, useEffectEvent } from 'react';
import type { Command } from './commands';
import { isCovered, isTyping, pressed } from './keys';

/** Nothing in particular has the focus, or something on the canvas. */
const isOnCanvas = (target: EventTarget | null) =>
  target instanceof Element &&
  (target.querySelector('.react-flow__renderer') !== null || target.closest('.react-flow__renderer') !== null);

/** What Enter and Space press by themselves. */
const isPressable = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, summary, [role="button"], [role="tab"]') !== null;

/**
 * Runs commands by their keys. In text fields and dialogs only those that are meant to work everywhere. Space counts when
 * it is let go at once with nothing done meanwhile: held, it pans.
 */
export function useCommandKeys(commands: Command[]): void {
  const find = (keys: string, isElsewhere: boolean) =>
    commands.find(
      ({ keys: own = [], isEverywhere, applies }) =>
        own.includes(keys) && applies?.() !== false && (isEverywhere || !isElsewhere),
    );
  const onKeyDown = useEffectEvent((event: KeyboardEvent, isOver: boolean) => {
    const keys = pressed(event);
    if (event.defaultPrevented || keys === 'space') return;
    // Tab belongs to those who walk by it, but on the canvas itself.
    if (keys === 'tab' && !isOnCanvas(event.target)) return;
    if (keys === 'enter' && isPressable(event.target)) return;
    const command = find(keys, isOver || isTyping(event.target));
    if (!command) return;
    event.preventDefault();
    command.run();
  });
  const onSpace = useEffectEvent((target: EventTarget | null, isOver: boolean) => {
    if (!isPressable(target)) find('space', isOver || isTyping(target))?.run();
  });
  useEffect(() => {
    // What is open when the key goes down: a dialog that the key closes may be gone by the time the key gets here.
    let isOver = false;
    let isSpaceHeld = false;
    const look = (event: KeyboardEvent) => {
      isOver = isCovered();
      isSpaceHeld = pressed(event) === 'space' && !event.repeat;
    };
    const onDown = (event: KeyboardEvent) => onKeyDown(event, isOver);
    const onUp = (event: KeyboardEvent) => {
      if (isSpaceHeld && pressed(event) === 'space') onSpace(event.target, isOver);
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
