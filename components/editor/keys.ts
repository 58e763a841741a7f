/** A key press as commands name it: `mod+shift+z`, `delete`, `?`. Shift counts only where it doesn't make the sign. */
export function pressed(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  // With Alt, some systems make another letter of it.
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

const SIGNS: Record<string, string> = {
  mod: 'Ctrl',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  escape: 'Esc',
};

/** `mod+shift+z` → `Ctrl Shift Z`, a key each. */
export const keyNames = (keys: string): string[] =>
  keys
    .split(/\+(?!$)/)
    .map((key) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1)));

/** Whether keys belong to something that lies over the editor, but the tour, which holds nobody up. */
export const isCovered = () =>
  document.querySelector('[role="dialog"]:not([data-tour-step]), [role="menu"], [role="alertdialog"]') !== null;

/** Where keys mean text, not commands. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
