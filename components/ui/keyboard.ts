import { startWithCapital } from './values/start-with-capital';

/**
 * A key press in the notation of commands: `mod+shift+z`, `delete`, `?`. Shift is left out if it produces the
 * character.
 */
export function keyCombinationText(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  // With Alt, some systems produce another letter.
  const letter = event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : key;
  const isSign = letter.length === 1 && letter.toUpperCase() === letter.toLowerCase();
  return [
    (event.ctrlKey || event.metaKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && !isSign && 'shift',
    letter,
  ]
    .filter(Boolean)
    .join('+');
}

const KEY_SYMBOLS: Record<string, string> = {
  mod: 'Ctrl',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  escape: 'Esc',
};

/** The key names of a combination: `mod+shift+z` → Ctrl, Shift, Z. */
export const keyNamesToShow = (keys: string): string[] =>
  keys.split(/\+(?!$)/).map((key) => KEY_SYMBOLS[key] ?? startWithCapital(key));

/** Whether a dialog or menu is open. The tour is not modal and does not count. */
export const isDialogOrMenuOpen = () =>
  document.querySelector('[role="dialog"]:not([data-tour-step]), [role="menu"], [role="alertdialog"]') !== null;

/** Whether the target is a text field. */
export const isTextFieldTarget = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
