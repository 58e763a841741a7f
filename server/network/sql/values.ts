/** The text of a JSON value, not parsed yet. */
export class UnparsedJson {
  constructor(readonly text: string) {}
}

/** Whether a value that is bound as text, or as a list of texts, contains a text of this kind. */
export const containsMatchingText = (value: unknown, isMeant: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? isMeant(value)
    : Array.isArray(value) && value.some((item) => containsMatchingText(item, isMeant));

/** Decimal digits that every double preserves. */
const EXACT_DOUBLE_DIGITS = 15;

/** A decimal number as number, if that is exactly the same; else as text. */
export function parseExactNumber(text: string): number | string {
  const number = Number(text);
  if (!Number.isFinite(number) || text.trim() === '') return text;
  if (Number.isSafeInteger(number) && /^-?\d+$/.test(text)) return number;
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '');
  return /^-?\d*\.?\d*$/.test(text) && digits.length <= EXACT_DOUBLE_DIGITS ? number : text;
}

/** A floating-point number as number; NaN and infinity, which JSON cannot hold, as text. */
export function parseFloatNumber(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
