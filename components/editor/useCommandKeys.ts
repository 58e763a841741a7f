import { useEffect, useEffectEvent, useRef } from 'react';
import type { Command } from './commands';
import { isTyping, pressed } from './keys';

/** Runs commands by their keys. In text fields and dialogs only those that are meant to work everywhere. */
export function useCommandKeys(commands: Command[]): void {
  // What is open when the key goes down: a dialog that the key closes may be gone by the time the key gets here.
  const isCovered = useRef(false);
  const look = useEffectEvent(() => {
    isCovered.current = document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const isElsewhere = isTyping(event.target) || isCovered.current;
    const keys = pressed(event);
    // Tab belongs to those who walk by it, but on the canvas itself.
    const isOnCanvas =
      event.target === document.body ||
      (event.target instanceof Element && event.target.closest('.react-flow__renderer'));
    const command = commands.find(
      ({ keys: own = [], isEverywhere, isOff }) =>
        own.includes(keys) && !isOff && (isEverywhere || !isElsewhere) && (keys !== 'tab' || isOnCanvas),
    );
    if (!command) return;
    if (keys === 'enter' && event.target instanceof Element && event.target.closest('button, a')) return;
    event.preventDefault();
    command.run();
  });
  useEffect(() => {
    const early = () => look();
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', early, true);
    addEventListener('keydown', listener);
    return () => {
      removeEventListener('keydown', early, true);
      removeEventListener('keydown', listener);
    };
  }, []);
}
