import { unreadable } from './failure';

/** What a number of a cell means by its format. */
export type NumberKind = 'number' | 'date' | 'time' | 'duration';

const inRanges = (id: number, ranges: readonly [number, number][]) =>
  ranges.some(([first, last]) => id >= first && id <= last);

/** The kind of a format that the file does not spell out. */
export function kindOfBuiltIn(id: number): NumberKind {
  if (id === 46) return 'duration';
  const isTime = inRanges(id, [
    [18, 21],
    [32, 35],
    [45, 47],
  ]);
  if (isTime) return 'time';
  const isDate = inRanges(id, [
    [14, 17],
    [22, 22],
    [27, 36],
    [50, 58],
  ]);
  return isDate ? 'date' : 'number';
}

/** The kind of a format code. Its first section counts, without texts, colours and conditions. */
export function kindOfFormat(code: string): NumberKind {
  const [section = ''] = code.replaceAll(/"[^"]*"|[\\_*]./g, '').split(';', 1);
  if (/\[(h+|m+|s+)\]/i.test(section)) return 'duration';
  const letters = section.replaceAll(/\[[^\]]*\]|E[+-]|general|AM\/PM|A\/P/gi, (part) => (/^a/i.test(part) ? 'h' : ''));
  if (/[ydbge]/i.test(letters)) return 'date';
  if (/[hs]/i.test(letters)) return 'time';
  return /m/i.test(letters) ? 'date' : 'number';
}

const DAY = 86_400_000;
/** The last day that spreadsheet programs know: 31 December 9999. */
const MAX_DAY = 2_958_466;
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const EPOCH_1900 = Date.UTC(1899, 11, 30);
/** Before this day of the 1900 system dates are one day later: it counts 29 February 1900, which did not exist. */
const LEAP_DAY = 60;

const two = (number: number) => String(number).padStart(2, '0');

/** Hours, minutes, seconds, and milliseconds if there are any. */
function clockText(ms: number): string {
  const [seconds, rest] = [Math.floor(ms / 1000), ms % 1000];
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`;
}

/** A number as the date, time or duration that it means, to the millisecond. What none can be stays a number. */
export function valueOfNumber(number: number, kind: NumberKind, is1904: boolean): unknown {
  if (kind === 'number' || Math.abs(number) >= MAX_DAY) return number;
  // Rounded: a day has no exact fraction for most of its minutes.
  const ms = Math.round(number * DAY);
  if (kind === 'duration') return `${ms < 0 ? '-' : ''}${clockText(Math.abs(ms))}`;
  if (number < 0) return number;
  if (number < 1 && (kind === 'time' || !is1904)) return clockText(ms % DAY);
  const epoch = is1904 ? EPOCH_1904 : EPOCH_1900 + (number < LEAP_DAY ? DAY : 0);
  return new Date(epoch + ms).toISOString();
}

/** A date in ISO 8601; without a time zone it is UTC. */
export const dateOfIso = (text: string): Date =>
  new Date(!text.includes('T') || /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);

/** The value of a cell of a date type (ISO 8601). */
export function valueOfIsoDate(text: string): string {
  const date = dateOfIso(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** A date as a number of the 1900 system. Undefined: it is no date, or before March 1900, where that system is a day off. */
export function serialOf(date: Date): number | undefined {
  const serial = (date.getTime() - EPOCH_1900) / DAY;
  return serial > LEAP_DAY && serial < MAX_DAY ? serial : undefined;
}

/** Whole numbers that a number cannot hold stay texts. */
const LARGE_INTEGER = /^-?\d{16,}$/;

/** The number that a cell states. Throws NodeFailure. */
export function numberOfCell(text: string, place: string): number | string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw unreadable(`The spreadsheet is damaged: cell ${place} should be a number, and is "${text.slice(0, 40)}".`);
  return LARGE_INTEGER.test(text) && !Number.isSafeInteger(number) ? text : number;
}

const ESCAPE = /_x([0-9A-F]{4})_/gi;

/** Spreadsheets write characters that XML has not as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const hex = (character: string) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** The same for writing; what looks like such an escape is escaped, too. */
export const escaped = (text: string): string =>
  text
    .replaceAll(ESCAPE, (escape) => `_x005F${escape}`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      hex,
    );
