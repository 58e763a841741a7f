import { unreadableContent } from './failure';
import { MS_PER_DAY } from '@/contract/units';

/** The meaning that the format of a cell gives to its number. */
export type CellNumberKind = 'number' | 'date' | 'time' | 'duration';

const isInRanges = (id: number, ranges: readonly [number, number][]) =>
  ranges.some(([first, last]) => id >= first && id <= last);

/** The kind of a built-in format, which the file names only by its id. */
export function builtInFormatKind(id: number): CellNumberKind {
  if (id === 46) return 'duration';
  const isTime = isInRanges(id, [
    [18, 21],
    [32, 35],
    [45, 47],
  ]);
  if (isTime) return 'time';
  const isDate = isInRanges(id, [
    [14, 17],
    [22, 22],
    [27, 36],
    [50, 58],
  ]);
  return isDate ? 'date' : 'number';
}

/** The kind of a format code. Its first section counts, without texts, colours and conditions. */
export function customFormatKind(code: string): CellNumberKind {
  const [section = ''] = code.replaceAll(/"[^"]*"|[\\_*]./g, '').split(';', 1);
  if (/\[(h+|m+|s+)\]/i.test(section)) return 'duration';
  const letters = section.replaceAll(/\[[^\]]*\]|E[+-]|general|AM\/PM|A\/P/gi, (part) => (/^a/i.test(part) ? 'h' : ''));
  if (/[ydbge]/i.test(letters)) return 'date';
  if (/[hs]/i.test(letters)) return 'time';
  return /m/i.test(letters) ? 'date' : 'number';
}

/** The last day that spreadsheet programs know: 31 December 9999. */
const MAX_SERIAL_DAY = 2_958_466;
const EPOCH_OF_1904_SYSTEM = Date.UTC(1904, 0, 1);
const EPOCH_OF_1900_SYSTEM = Date.UTC(1899, 11, 30);
/** Before this day of the 1900 system dates are one day later: it counts 29 February 1900, which did not exist. */
const FALSE_LEAP_DAY = 60;

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Hours, minutes, seconds, and milliseconds if there are any. */
function formatClock(ms: number): string {
  const [seconds, rest] = [Math.floor(ms / 1000), ms % 1000];
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`;
}

/** A number as the date, time or duration that it means, to the millisecond. What none can be stays a number. */
export function convertCellNumber(number: number, kind: CellNumberKind, is1904: boolean): unknown {
  if (kind === 'number' || Math.abs(number) >= MAX_SERIAL_DAY) return number;
  // Rounded: a day has no exact fraction for most of its minutes.
  const ms = Math.round(number * MS_PER_DAY);
  if (kind === 'duration') return `${ms < 0 ? '-' : ''}${formatClock(Math.abs(ms))}`;
  if (number < 0) return number;
  if (number < 1 && (kind === 'time' || !is1904)) return formatClock(ms % MS_PER_DAY);
  const epoch = is1904 ? EPOCH_OF_1904_SYSTEM : EPOCH_OF_1900_SYSTEM + (number < FALSE_LEAP_DAY ? MS_PER_DAY : 0);
  return new Date(epoch + ms).toISOString();
}

/** A date in ISO 8601; without a time zone it is UTC. */
export const parseIsoDate = (text: string): Date =>
  new Date(!text.includes('T') || /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);

/** The value of a cell of a date type (ISO 8601). */
export function convertIsoCell(text: string): string {
  const date = parseIsoDate(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/**
 * A date as a number of the 1900 system. Undefined: it is no date, or before March 1900, where that system is a day
 * off.
 */
export function toSerialDay(date: Date): number | undefined {
  const serial = (date.getTime() - EPOCH_OF_1900_SYSTEM) / MS_PER_DAY;
  return serial > FALSE_LEAP_DAY && serial < MAX_SERIAL_DAY ? serial : undefined;
}

/** Whole numbers that a number cannot hold stay texts. */
const LONG_INTEGER = /^-?\d{16,}$/;

/** The number that a cell states. Throws NodeFailure. */
export function parseCellNumber(text: string, place: string): number | string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw unreadableContent(
      `The spreadsheet is damaged: cell ${place} should be a number, and is "${text.slice(0, 40)}".`,
    );
  return LONG_INTEGER.test(text) && !Number.isSafeInteger(number) ? text : number;
}

const XLSX_ESCAPE = /_x([0-9A-F]{4})_/gi;

/** Spreadsheets write characters that XML does not allow as `_x000D_`. */
export const unescapeXlsxText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(XLSX_ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const escapeXlsxCharacter = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Escapes such characters for writing, and also any text that already looks like such an escape. */
export const escapeXlsxText = (text: string): string =>
  text
    .replaceAll(XLSX_ESCAPE, (escape) => `_x005F${escape}`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      escapeXlsxCharacter,
    );
