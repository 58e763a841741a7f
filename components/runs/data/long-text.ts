/** Shorter texts are shown on one line. */
const MAX_LINE_CHARACTERS = 60;
/** How much of a text is shown at first. */
const [FIRST_LINES, FIRST_CHARACTERS] = [12, 800];
/** A page does not draw more of a text. */
const MAX_SHOWN_CHARACTERS = 100_000;

/** Whether a text needs more than a line. */
export const isLongText = (text: string): boolean => text.length > MAX_LINE_CHARACTERS || text.includes('\n');

/** The shown part of a text. `isCut`: more of it can be shown. `rest`: the characters that are never shown. */
export function cutLongText(text: string, isWhole: boolean): { shown: string; isCut: boolean; rest: number } {
  if (isWhole) {
    const shown = text.slice(0, MAX_SHOWN_CHARACTERS);
    return { shown, isCut: false, rest: text.length - shown.length };
  }
  const shown = text.slice(0, FIRST_CHARACTERS).split('\n').slice(0, FIRST_LINES).join('\n');
  const isCut = shown.length < text.length;
  return { shown: isCut ? `${shown}…` : shown, isCut, rest: 0 };
}
